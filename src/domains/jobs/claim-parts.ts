import { LIMITS } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import type { LeaseHolder } from "#platform/db/lease.ts";
import { failJob, RENDERING_FAILED } from "./end-job.ts";
import {
  type ClaimedPart,
  claimFreeParts,
  completeHeldPart,
  deadParts,
  exhaustedPart,
  heldParts,
  type PartOfDrawnJob,
  partsOfDrawnJob,
  renewLeases,
  startJob,
} from "./part-store.ts";
import { type JobToRender, jobToRender } from "./store.ts";
import { markJobUnsent } from "./sweep-store.ts";

export type { ClaimedPart } from "./part-store.ts";

/** The parts that were claimed, none where all are drawn or drawn by others, and their job; null where there is none. */
export interface Claimed {
  readonly parts: readonly ClaimedPart[];
  readonly job: JobToRender | null;
}

/**
 * Takes the free ones of the parts of an open job that the positions name, one batch: lease and attempt, then the job's
 * move from queued to running at its first claim. A job that was cancelled or has ended gives none. Cancelling is a batch
 * of its own, so that one of the two comes first and the other sees it.
 */
export async function claimParts(
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  holder: LeaseHolder,
  nowMs: number,
): Promise<Claimed> {
  const held = { jobId, leaseId: holder.leaseId };
  const [, , parts, job] = await db.batch([
    claimFreeParts.bind(db, {
      jobId,
      ...holder,
      nowMs,
      positions: JSON.stringify(positions),
      leaseUntilMs: nowMs + LIMITS.partLeaseMs,
    }),
    startJob.bind(db, { ...held, nowMs }),
    heldParts.bind(db, held),
    jobToRender.bind(db, { jobId }),
  ]);
  return { parts: heldParts.rows(parts), job: jobToRender.row(job) };
}

/**
 * Renews the lease of an attempt while it waits for memory, and between its outputs; returns what stops that. An isolate
 * that crashes renews nothing, nor does one that draws an output.
 */
export function keepLease(db: D1Database, held: { jobId: string; leaseId: string }): () => void {
  const startedAtMs = clock.now();
  const timer = setInterval(() => {
    const nowMs = clock.now();
    if (nowMs - startedAtMs > LIMITS.partRenewedMsMax) return clearInterval(timer);
    // One that fails is made up for by the next.
    renewLeases.run(db, { ...held, leaseUntilMs: nowMs + LIMITS.partLeaseMs }).catch(() => undefined);
  }, LIMITS.partLeaseRenewalMs);
  return () => clearInterval(timer);
}

/** Whether one of the named parts is free but has had all its attempts. */
export const hasExhaustedPart = async (
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  holder: LeaseHolder,
  nowMs: number,
): Promise<boolean> =>
  (await exhaustedPart.first(db, { jobId, positions: JSON.stringify(positions), ...holder, nowMs })) !== null;

/** What was drawn of a part: its number, its outputs and their files. */
export interface DrawnPart {
  readonly part: number;
  readonly outputs: number;
  readonly files: readonly object[];
}

/**
 * Marks a part drawn, if the lease is still held, and renews the lease of the message's other parts. Returns the job's
 * parts where this was its last, and none before; null when the lease was lost: another attempt draws it, or the job has
 * ended.
 */
export async function completePart(
  db: D1Database,
  jobId: string,
  leaseId: string,
  { part, outputs, files }: DrawnPart,
  nowMs: number,
): Promise<readonly PartOfDrawnJob[] | null> {
  const held = { jobId, leaseId };
  const [done, , drawn] = await db.batch([
    completeHeldPart.bind(db, { ...held, part, outputsDone: outputs, files: JSON.stringify(files) }),
    renewLeases.bind(db, { ...held, leaseUntilMs: nowMs + LIMITS.partLeaseMs }),
    partsOfDrawnJob.bind(db, { jobId }),
  ]);
  return (done?.meta.changes ?? 0) > 0 ? partsOfDrawnJob.rows(drawn) : null;
}

/**
 * Settles the parts of a dead letter. `exhausted`: one of them had all its attempts, and the job has failed and was
 * refunded. `pending`: the queue gave up because the service was away, and the job waits for other messages, which the
 * sweep sends within a minute. `done`: the parts are drawn, or another message draws them under a lease. May be
 * repeated.
 */
export async function settleDeadParts(
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  nowMs: number,
): Promise<"exhausted" | "pending" | "done"> {
  const found = await deadParts.first(db, { jobId, positions: JSON.stringify(positions), nowMs });
  if (found === null || found.pending === 0) return "done";
  if (found.exhausted > 0) {
    await failJob(db, jobId, RENDERING_FAILED, nowMs, { reason: "dead-letter" });
    return "exhausted";
  }
  await markJobUnsent.run(db, { jobId });
  return "pending";
}
