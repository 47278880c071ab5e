import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { claimPart } from "#domains/jobs/part-store.ts";
import { clock } from "#platform/clock.ts";
import { leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";
import { execute } from "../support/database.ts";
import { heldJob } from "../support/held-jobs.ts";
import {
  deliver,
  eventsOf,
  expectInvariants,
  failByDeadLetter,
  failedBy,
  holdQueue,
  readJob,
  storedFiles,
} from "../support/jobs.ts";
import { recordMessages } from "../support/sent-messages.ts";

const MINUTE_MS = 60_000;

beforeEach(async () => {
  // Leaves out jobs that other tests left open.
  await execute`UPDATE jobs SET dispatched_at = ${Date.now() + 365 * 24 * 60 * MINUTE_MS}
    WHERE status IN ('queued', 'running') AND dispatched_at IS NULL`;
});

/** Runs the scheduled tasks once, `laterMs` from now. */
async function tick(laterMs: number): Promise<void> {
  const spy = vi.spyOn(clock, "now").mockReturnValue(Date.now() + laterMs);
  await worker.scheduled({} as ScheduledController, env);
  spy.mockRestore();
}

/** Records a job's messages instead of sending them. */
function recordQueue() {
  const sent = recordMessages(env.RENDER_QUEUE);
  return (jobId: string): number[] =>
    sent()
      .map((body) => body as { jobId: string; part: number })
      .filter((body) => body.jobId === jobId)
      .map(({ part }) => part);
}

const claim = (jobId: string, part: number, nowMs: number) =>
  claimPart(env.DB, { jobId, part }, leaseHolder(newId(), newId()), nowMs);

async function unsentJob(changes: Record<string, unknown> = {}) {
  const held = await heldJob(changes);
  vi.restoreAllMocks();
  return held;
}

const FIVE_SIZES = {
  selectedSizeIds: ["iab-320x50", "iab-120x60", "iab-300x50", "gads-320x50", "gads-300x50"],
};

describe("API §15.6 a job with lost messages is still drawn", () => {
  it("if they were never sent: sent once, when the job's request can no longer be sending them", async () => {
    const { jobId } = await unsentJob(FIVE_SIZES);
    const sentFor = recordQueue();
    await tick(0);
    expect(sentFor(jobId)).toEqual([]);
    await tick(31_000);
    expect(sentFor(jobId)).toEqual([0, 1]);
    await tick(32_000);
    expect(sentFor(jobId)).toHaveLength(2);
  });

  it("if they were sent and lost: resent after two minutes, for undrawn parts only", async () => {
    const { jobId } = await unsentJob(FIVE_SIZES);
    await deliver({ jobId, part: 0 });
    const sentFor = recordQueue();
    await tick(31_000);
    expect(sentFor(jobId)).toEqual([1]);
    await tick(2 * MINUTE_MS);
    expect(sentFor(jobId)).toHaveLength(1);
    await tick(3 * MINUTE_MS);
    expect(sentFor(jobId)).toHaveLength(2);
  });

  it("if a lease expired: its part is resent while the others are still being drawn", async () => {
    const { jobId } = await unsentJob(FIVE_SIZES);
    const sentFor = recordQueue();
    await tick(31_000);
    await claim(jobId, 1, Date.now());
    await claim(jobId, 0, Date.now() + 5 * MINUTE_MS);
    await tick(LIMITS.partLeaseMs + 40_000);
    expect(sentFor(jobId).slice(2)).toEqual([1]);
  });

  it("if all parts are drawn but the job is not finished: finished without a message", async () => {
    const { client, jobId } = await unsentJob();
    const batch = env.DB.batch.bind(env.DB);
    let batches = 0;
    vi.spyOn(env.DB, "batch").mockImplementation((statements) => {
      batches += 1;
      return batches === 3 ? Promise.reject(new Error("the database is away")) : batch(statements);
    });
    await deliver({ jobId, part: 0 });
    vi.restoreAllMocks();
    expect((await readJob(client.secret, jobId)).status).toBe("running");
    await tick(31_000);
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
    await expectInvariants(client.workspaceId);
  });

  it("a queue outage stops no other task, and the next run sends the messages of the job", async () => {
    const { jobId } = await unsentJob();
    holdQueue();
    await tick(31_000);
    vi.restoreAllMocks();
    const sentFor = recordQueue();
    await tick(91_000);
    expect(sentFor(jobId)).toEqual([0]);
  });
});

it("a job open for a day fails and is refunded", async () => {
  const { client, jobId } = await unsentJob();
  recordQueue();
  await tick(24 * 60 * MINUTE_MS + 1);
  expect(await readJob(client.secret, jobId)).toMatchObject(failedBy("RENDERING_FAILED"));
  expect(await eventsOf(jobId)).toHaveLength(2);
  await expectInvariants(client.workspaceId);
});

describe("expired data is deleted", () => {
  it("files of a failed job, once no running attempt can write them any more", async () => {
    const { client, jobId } = await unsentJob(FIVE_SIZES);
    await deliver({ jobId, part: 0 });
    await failByDeadLetter({ jobId, part: 1 });
    const before = await storedFiles(client.workspaceId, jobId);
    expect(before).toHaveLength(4);
    await tick(10 * MINUTE_MS);
    expect(await storedFiles(client.workspaceId, jobId)).toEqual(before);
    await tick(31 * MINUTE_MS);
    expect(await storedFiles(client.workspaceId, jobId)).toEqual([]);
  });

  it("API §4.16 Idempotency-Keys after their retention, but never those of jobs", async () => {
    const { client } = await unsentJob();
    const countOf = async (prefix: string) =>
      env.DB.prepare(
        "SELECT COUNT(*) AS count FROM idempotency_keys WHERE workspace_id = ?1 AND operation LIKE ?2",
      )
        .bind(client.workspaceId, `${prefix}%`)
        .first<number>("count");
    recordQueue();
    expect(await countOf("POST /api/v1/assets")).toBe(2);
    await tick(LIMITS.idempotencyRetentionMs + MINUTE_MS);
    expect(await countOf("POST /api/v1/assets")).toBe(0);
    expect(await countOf("POST /api/v1/jobs")).toBe(1);
  });
});

describe("each part of a run is independent", () => {
  it("a part that fails does not stop the others", async () => {
    const { jobId } = await unsentJob();
    const sentFor = recordQueue();
    vi.spyOn(env.BUCKET, "list").mockRejectedValue(new Error("storage is away"));
    vi.spyOn(env.BUCKET, "delete").mockRejectedValue(new Error("storage is away"));
    await tick(31_000);
    expect(sentFor(jobId)).toEqual([0]);
  });

  it("an origin without bindings does nothing, and throws nothing", async () => {
    await worker.scheduled({} as ScheduledController, {});
  });
});
