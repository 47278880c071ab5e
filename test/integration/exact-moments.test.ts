import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { deleteExpiredKeys } from "#domains/idempotency/store.ts";
import { settleDeadPart } from "#domains/jobs/end-job.ts";
import { claimPart, exhaustedPart, releasePart } from "#domains/jobs/part-store.ts";
import { deleteFailedJobFiles, findStaleJobs, findStuckJobs } from "#domains/jobs/sweep-jobs.ts";
import { listKeys } from "#domains/keys/manage-keys.ts";
import { deleteDeadKeys } from "#domains/keys/store.ts";
import { readUsage } from "#domains/ledger/read-usage.ts";
import { acceptedValue } from "#interface/http/envelope.ts";
import { leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { countRows, execute } from "../support/database.ts";
import { claimAndDie, heldJob } from "../support/held-jobs.ts";
import { acceptedJob, holdQueue, readJob } from "../support/jobs.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** A time before all rows of other tests. */
const T = 1_000_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ROWS = 10_000;

const holderOf = (messageId: string) => leaseHolder(messageId, newId());

/** Claims the first part for a message. Returns whether that succeeded. */
const claim = async (jobId: string, nowMs: number, messageId: string = newId()): Promise<boolean> =>
  (await claimPart(env.DB, { jobId, part: 0 }, holderOf(messageId), nowMs)) !== null;

const isExhausted = async (jobId: string, nowMs: number): Promise<boolean> =>
  (await exhaustedPart.first(env.DB, { jobId, part: 0, ...holderOf(newId()), nowMs })) !== null;

const settleDead = async (jobId: string, nowMs: number) =>
  (await settleDeadPart(env.DB, { jobId, part: 0 }, nowMs)).kind;

const setJob = (jobId: string, createdAt: number, dispatchedAt: number | null) =>
  execute`UPDATE jobs SET created_at = ${createdAt}, dispatched_at = ${dispatchedAt}, is_waiting = 0
    WHERE job_id = ${jobId}`;

const isStale = async (jobId: string, nowMs: number, queuedMessagesMax: number = ROWS): Promise<boolean> =>
  (await findStaleJobs(env.DB, nowMs, queuedMessagesMax, ROWS)).some((job) => job.jobId === jobId);

const isStuck = async (jobId: string, nowMs: number): Promise<boolean> =>
  (await findStuckJobs(env.DB, nowMs, ROWS)).some((job) => job.jobId === jobId);

describe("a part", () => {
  it("may be claimed by another message once its lease ends; after its last attempt the job fails", async () => {
    const { client, jobId } = await heldJob();
    let endsMs = T;
    for (let attempt = 1; attempt <= LIMITS.partAttemptsMax; attempt += 1) {
      expect(await isExhausted(jobId, endsMs)).toBe(false);
      expect(await claim(jobId, endsMs)).toBe(true);
      endsMs += LIMITS.partLeaseMs;
      expect(await claim(jobId, endsMs - 1)).toBe(false);
      expect(await settleDead(jobId, endsMs - 1)).toBe("done");
      if (attempt < LIMITS.partAttemptsMax) {
        expect(await settleDead(jobId, endsMs)).toBe("pending");
      }
    }
    expect(await claim(jobId, endsMs)).toBe(false);
    expect(await isExhausted(jobId, endsMs - 1)).toBe(false);
    expect(await isExhausted(jobId, endsMs)).toBe(true);
    expect(await settleDead(jobId, endsMs)).toBe("exhausted");
    expect(await readJob(client.secret, jobId)).toMatchObject({
      status: "failed",
      failure: { refunded: true },
    });

    // Half an hour after the failure no attempt can write files any more, so the sweep deletes them.
    await deleteFailedJobFiles(env.DB, env.BUCKET, endsMs + 30 * MINUTE_MS - 1, ROWS);
    const due = "SELECT purge_after FROM jobs WHERE job_id = ?1 AND purge_after IS NOT NULL";
    expect(await env.DB.prepare(due).bind(jobId).first()).not.toBeNull();
    await deleteFailedJobFiles(env.DB, env.BUCKET, endsMs + 30 * MINUTE_MS, ROWS);
    expect(await env.DB.prepare(due).bind(jobId).first()).toBeNull();
  });

  it("is never leased to two messages, even if their ids begin with the same characters", async () => {
    const { jobId } = await heldJob();
    const messageId = newId();
    await claim(jobId, T, `${messageId}0`);
    expect(await claim(jobId, T + 1, messageId)).toBe(false);
    expect(await claim(jobId, T + 1, `${messageId}0`)).toBe(true);
  });
});

it("a job is resent at each of its deadlines, to the millisecond, and fails after a day", async () => {
  const { jobId } = await heldJob();
  const lost = async (sentMs: number, ms: number, queuedMessagesMax?: number) => {
    await setJob(jobId, T, T + sentMs);
    return [
      await isStale(jobId, T + ms - 1, queuedMessagesMax),
      await isStale(jobId, T + ms, queuedMessagesMax),
    ];
  };
  expect(await lost(0, 2 * MINUTE_MS)).toEqual([false, true]);
  expect(await lost(2 * MINUTE_MS, 4 * MINUTE_MS)).toEqual([false, true]);
  // While the queue has more messages than consumers, the job is not resent until its slots expire.
  await execute`UPDATE jobs SET messages = 81 WHERE job_id = ${jobId}`;
  expect(await lost(0, 4 * MINUTE_MS, 160)).toEqual([false, false]);
  expect(await lost(0, 5 * MINUTE_MS, 160)).toEqual([false, true]);
  expect(await lost(0, 2 * MINUTE_MS, 200)).toEqual([false, true]);
  // After a fault, the message waits for its next attempt.
  const { leaseId } = await claimAndDie(jobId, newId(), T);
  await releasePart.run(env.DB, { jobId, part: 0, leaseId });
  expect(await lost(0, 15 * MINUTE_MS)).toEqual([false, true]);
  await setJob(jobId, T, null);
  expect(await isStale(jobId, T + 29_999)).toBe(false);
  expect(await isStale(jobId, T + 30_000)).toBe(true);
  await setJob(jobId, T, T);
  await claim(jobId, T + MINUTE_MS);
  const leaseEndsMs = T + MINUTE_MS + LIMITS.partLeaseMs;
  expect(await isStale(jobId, leaseEndsMs - 1)).toBe(false);
  expect(await isStale(jobId, leaseEndsMs)).toBe(true);
  // The job was sent again since, so the new message may take as long as a lease.
  await setJob(jobId, T, leaseEndsMs - LIMITS.partLeaseMs + 1);
  expect(await isStale(jobId, leaseEndsMs)).toBe(false);
  expect(await isStale(jobId, leaseEndsMs + 1)).toBe(true);
  expect(await isStuck(jobId, T + DAY_MS - 1)).toBe(false);
  expect(await isStuck(jobId, T + DAY_MS)).toBe(true);
});

it("API §16.4 an Idempotency-Key is deleted in the millisecond its retention ends, an ended API key 90 days after its end", async () => {
  const { workspaceId } = await createWorkspace();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO idempotency_keys
         (workspace_id, idempotency_key, operation, request_hash, resource_id, created_at, expires_at)
       VALUES (?1, 'k', 'o', 'h', 'r', ?2, ?3)`,
    ).bind(workspaceId, T - 1_000, T),
    env.DB.prepare(
      `INSERT INTO api_keys
         (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at, expires_at, revoked_at)
       VALUES (?1, ?3, 'a', 'p', ?1, '[]', 1, ?4, NULL), (?2, ?3, 'b', 'p', ?2, '[]', 1, 5, ?4)`,
    ).bind(newId(), newId(), workspaceId, T),
  ]);
  await deleteExpiredKeys(env.DB, T - 1, ROWS);
  expect(await countRows("idempotency_keys", workspaceId)).toBe(1);
  await deleteExpiredKeys(env.DB, T, ROWS);
  expect(await countRows("idempotency_keys", workspaceId)).toBe(0);
  await deleteDeadKeys(env.DB, T + 90 * DAY_MS - 1, ROWS);
  expect(await countRows("api_keys", workspaceId)).toBe(3);
  await deleteDeadKeys(env.DB, T + 90 * DAY_MS, ROWS);
  expect(await countRows("api_keys", workspaceId)).toBe(1);
});

it("a full last page has no next page", async () => {
  holdQueue();
  const { client } = await heldJob();
  await acceptedJob(client);
  const jobs = await call("GET", "/api/v1/jobs?limit=2", { secret: client.secret });
  expect([jobs.body.data.items.length, jobs.body.data.nextBefore]).toEqual([2, null]);
  // The grant and the two reservations.
  const usage = acceptedValue(await readUsage(env.DB, client.workspaceId, 3, undefined));
  expect([usage.items.length, usage.nextBefore]).toEqual([3, null]);
  const keys = await listKeys(
    env.DB,
    { workspaceId: client.workspaceId, livemode: true },
    null,
    null,
    1,
    Date.now(),
  );
  expect([keys.items.length, keys.nextBefore]).toEqual([1, null]);
});
