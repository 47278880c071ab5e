import { LIMITS } from "../api/limits.ts";
import type { LeaseHolder } from "../db/lease.ts";
import { failJob, RENDERING_FAILED } from "./end-job.ts";
import {
  type ClaimedOutput,
  claimFreeOutputs,
  completeHeldOutput,
  deadOutputs,
  exhaustedOutput,
  heldOutputs,
  renewLeases,
  startJob,
} from "./output-store.ts";
import { markJobUnsent } from "./sweep-store.ts";

export type { ClaimedOutput } from "./output-store.ts";

/**
 * Takes the free ones of the named outputs of an open job, one batch: lease and attempt, then the job's move from queued
 * to running at its first claim. A job that was cancelled or has ended gives none. Cancelling is a batch of its own, so
 * that one of the two comes first and the other sees it.
 */
export async function claimOutputs(
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  holder: LeaseHolder,
  nowMs: number,
): Promise<readonly ClaimedOutput[]> {
  const held = { jobId, leaseId: holder.leaseId };
  const [, , claimed] = await db.batch([
    claimFreeOutputs.bind(db, {
      jobId,
      ...holder,
      nowMs,
      positions: JSON.stringify(positions),
      leaseUntilMs: nowMs + LIMITS.outputLeaseMs,
    }),
    startJob.bind(db, { ...held, nowMs }),
    heldOutputs.bind(db, held),
  ]);
  return heldOutputs.rows(claimed);
}

/** Whether one of the named outputs is free but has had all its attempts. */
export const hasExhaustedOutput = async (
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  holder: LeaseHolder,
  nowMs: number,
): Promise<boolean> =>
  (await exhaustedOutput.first(db, { jobId, positions: JSON.stringify(positions), ...holder, nowMs })) !==
  null;

/**
 * Marks an output done with its files, if the lease is still held, and renews the lease of the message's other outputs.
 * False when the lease was lost: another attempt renders it, or the job has ended.
 */
export async function completeOutput(
  db: D1Database,
  jobId: string,
  position: number,
  leaseId: string,
  files: readonly object[],
  nowMs: number,
): Promise<boolean> {
  const held = { jobId, leaseId };
  const [done] = await db.batch([
    completeHeldOutput.bind(db, { ...held, position, files }),
    renewLeases.bind(db, { ...held, leaseUntilMs: nowMs + LIMITS.outputLeaseMs }),
  ]);
  return done?.meta.changes === 1;
}

/**
 * Settles the outputs of a dead letter. `exhausted`: one of them had all its attempts, and the job has failed and was
 * refunded. `pending`: the queue gave up because the service was away, and the job waits for other messages, which the
 * sweep sends within a minute. `done`: the outputs are done, or another message renders them under a lease. May be
 * repeated.
 */
export async function settleDeadOutputs(
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  nowMs: number,
): Promise<"exhausted" | "pending" | "done"> {
  const found = await deadOutputs.first(db, { jobId, positions: JSON.stringify(positions), nowMs });
  if (found === null || found.pending === 0) return "done";
  if (found.exhausted > 0) {
    await failJob(db, jobId, RENDERING_FAILED, nowMs);
    return "exhausted";
  }
  await markJobUnsent.run(db, { jobId });
  return "pending";
}
