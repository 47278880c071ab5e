import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  type QueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { jobSchema } from "#api/schemas/job.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";
import { uploadAsset } from "./assets.ts";
import { execute, selectRows, selectValue } from "./database.ts";
import { anyDatabase, messageOfWork } from "./homes.ts";
import { call, createWorkspace } from "./workspace.ts";

export type JobBody = z.infer<typeof jobSchema>;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 96">
  <rect width="96" height="96" rx="20" fill="#0b5fff"/><circle cx="168" cy="48" r="44" fill="#ff7a00"/></svg>`;

/** A workspace with credits and one ready logo. */
export async function workspaceWithLogo(options: Parameters<typeof createWorkspace>[0] = { credits: 20 }) {
  const workspace = await createWorkspace(options);
  const logoId = await uploadAsset(workspace.secret, {
    slotId: "logo",
    bytes: new TextEncoder().encode(LOGO),
    mimeType: "image/svg+xml",
    fileName: "logo.svg",
  });
  return { ...workspace, logoId };
}

export type Client = Awaited<ReturnType<typeof workspaceWithLogo>>;

/** The body of a job that draws one small size from the logo. */
export const packOf = (client: Pick<Client, "logoId">, changes: Record<string, unknown> = {}) => ({
  contractId: "display.v1",
  selectedSizeIds: ["iab-320x50"],
  assetIds: { logo: client.logoId },
  ...changes,
});

export const postJob = (secret: string, body: unknown, idempotencyKey: string = newId()) =>
  call("POST", "/api/v1/jobs", { secret, body, headers: { "Idempotency-Key": idempotencyKey } });

/** The job of an answer, validated against its published schema. */
export const jobIn = (answer: { body: unknown }): JobBody =>
  jobSchema.strict().parse((answer.body as { data: unknown }).data);

/** Creates a job; fails the test if it is refused. */
export async function acceptedJob(client: Client, changes: Record<string, unknown> = {}): Promise<JobBody> {
  const answer = await postJob(client.secret, packOf(client, changes));
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return jobIn(answer);
}

export const readJob = async (secret: string, jobId: string): Promise<JobBody> =>
  jobIn(await call("GET", `/api/v1/jobs/${jobId}`, { secret }));

/** Fields of a job that failed with a code and was refunded. */
export const failedBy = (code: string) => ({ status: "failed", failure: { code, refunded: true } });

export const cancel = (secret: string, jobId: string) =>
  call("POST", `/api/v1/jobs/${jobId}/cancel`, { secret });

/**
 * Makes sends to the queues fail until the test ends, so that messages stay out of them. Returns the spy on the render
 * queue.
 */
export function holdQueue() {
  const down = new Error("the queue is down");
  vi.spyOn(env.VIDEO_QUEUE, "sendBatch").mockRejectedValue(down);
  return vi.spyOn(env.RENDER_QUEUE, "sendBatch").mockRejectedValue(down);
}

/** Delivers a message to the worker's consumer, like the queue. */
export async function deliver(
  body: unknown,
  { messageId = newId(), attempts = 1, queue = "creative-packs-render" } = {},
): Promise<QueueResult> {
  const sent = await messageOfWork(body);
  const batch = createMessageBatch(queue, [{ id: messageId, timestamp: new Date(), attempts, body: sent }]);
  const context = createExecutionContext();
  await worker.queue(batch, env);
  return getQueueResult(batch, context);
}

/** Delivers a dead letter. */
export const deliverDeadLetter = (body: unknown) => deliver(body, { queue: "creative-packs-render-dead" });

/** Marks an undrawn part as out of attempts. */
export async function exhaust(jobId: string, part: number): Promise<void> {
  await execute`INSERT INTO job_parts (job_id, part, attempts) SELECT job_id, ${part}, ${LIMITS.partAttemptsMax} FROM jobs WHERE job_id = ${jobId}
       ON CONFLICT DO UPDATE SET attempts = excluded.attempts WHERE files IS NULL`;
}

/** Delivers a dead letter of a part without attempts left, which fails its job. */
export async function failByDeadLetter(body: { readonly jobId: string; readonly part: number }) {
  await exhaust(body.jobId, body.part);
  return deliverDeadLetter(body);
}

/** A job's ledger events, oldest first. */
export const eventsOf = (jobId: string) =>
  selectRows<{ type: string; amount: number; source: string }>`
    SELECT type, amount, source FROM ledger_events WHERE job_id = ${jobId} ORDER BY event_id`;

/** Files of the job's artifact in storage. */
export async function storedFiles(workspaceId: string, jobId: string): Promise<string[]> {
  const artifactId = await selectValue<string>`SELECT artifact_id FROM jobs WHERE job_id = ${jobId}`;
  const prefix = `workspaces/${workspaceId}/artifacts/${artifactId}/`;
  const { objects } = await env.BUCKET.list({ prefix });
  return objects.map((object) => object.key.slice(prefix.length));
}

/**
 * Checks API §15.1, §15.2, §15.3 for one workspace: the balance, one consumption per live job and none per test job,
 * refunds, and files.
 */
export async function expectInvariants(workspaceId: string): Promise<void> {
  const broken = await anyDatabase()
    .prepare(
      `SELECT 'balance' AS what, workspace_id AS id FROM workspaces WHERE workspace_id = ?1 AND credits <> (
       SELECT COALESCE(SUM(amount), 0) FROM ledger_events WHERE workspace_id = ?1 AND source = 'credits')
     UNION ALL
     SELECT 'consumption', job_id FROM jobs WHERE workspace_id = ?1 AND livemode <> (
       SELECT COUNT(*) FROM ledger_events e WHERE e.job_id = jobs.job_id AND type = 'consumption'
         AND amount = -jobs.cost_credits)
     UNION ALL
     SELECT 'refund', job_id FROM jobs WHERE workspace_id = ?1 AND (livemode AND status IN ('failed', 'canceled')) <> (
       SELECT COUNT(*) FROM ledger_events e WHERE e.job_id = jobs.job_id AND type = 'refund'
         AND amount = jobs.cost_credits)
     UNION ALL
     SELECT 'artifact', job_id FROM jobs WHERE workspace_id = ?1 AND (status = 'succeeded') <> (
       SELECT COUNT(*) FROM artifacts a WHERE a.job_id = jobs.job_id)
     UNION ALL
     SELECT 'files', job_id FROM jobs WHERE workspace_id = ?1 AND status = 'succeeded'
       AND json_array_length(selected_size_ids) * iif(motion = 'animated', 2, 1) <> (
       SELECT json_array_length(files) FROM artifacts a WHERE a.artifact_id = jobs.artifact_id)`,
    )
    .bind(workspaceId)
    .all();
  expect(broken.results).toEqual([]);
}

const POLLS_MAX = 600;

/** Polls until the job has ended. Polls take time, so no sleep is needed. */
export async function endedJob(secret: string, jobId: string): Promise<JobBody> {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const job = await readJob(secret, jobId);
    if (!["queued", "running"].includes(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the job did not end");
}
