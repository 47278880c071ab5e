import { LIMITS } from "../contract/limits.ts";
import type { LeaseHolder } from "../db/lease.ts";

/** An output under lease. */
export interface ClaimedOutput {
  readonly position: number;
  readonly sizeId: string;
  /** Attempts begun, this one included. */
  readonly attempts: number;
}

/**
 * May this claimant take the output? Queued: yes. Running: when its lease has ended, or when an earlier delivery
 * of the same message holds it, which is then dead or about to be refused by its lease.
 */
const FREE = `(status = 'queued' OR status = 'running' AND (lease_until <= ?4
  OR substr(lease_id, 1, length(?5) + 1) = ?5 || '/'))`;

/**
 * Takes the free ones of the named outputs of an open job, one batch: lease and attempt, then the job's move
 * from queued to running at its first claim. A job that was cancelled or ended gives none. Cancelling stands in
 * a batch of its own, so that one of the two comes first and the other sees it.
 */
export async function claimOutputs(
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  holder: LeaseHolder,
  nowMs: number,
): Promise<readonly ClaimedOutput[]> {
  const [, , claimed] = await db.batch<{ position: number; size_id: string; attempts: number }>([
    db
      .prepare(
        `UPDATE job_outputs SET status = 'running', attempts = attempts + 1, lease_id = ?1, lease_until = ?2
         WHERE job_id = ?3 AND ${FREE} AND attempts < ?6
           AND position IN (SELECT value FROM json_each(?7))
           AND EXISTS (SELECT 1 FROM jobs WHERE job_id = ?3 AND status IN ('queued', 'running'))`,
      )
      .bind(
        holder.leaseId,
        nowMs + LIMITS.outputLeaseMs,
        jobId,
        nowMs,
        holder.messageId,
        LIMITS.outputAttemptsMax,
        JSON.stringify(positions),
      ),
    db
      .prepare(
        `UPDATE jobs SET status = 'running', started_at = ?1 WHERE job_id = ?2 AND status = 'queued'
           AND EXISTS (SELECT 1 FROM job_outputs WHERE job_id = ?2 AND lease_id = ?3)`,
      )
      .bind(nowMs, jobId, holder.leaseId),
    db
      .prepare(
        `SELECT position, size_id, attempts FROM job_outputs WHERE job_id = ?1 AND lease_id = ?2
         AND status = 'running' ORDER BY position`,
      )
      .bind(jobId, holder.leaseId),
  ]);
  return (claimed?.results ?? []).map((row) => ({
    position: row.position,
    sizeId: row.size_id,
    attempts: row.attempts,
  }));
}

/** Whether one of the named outputs is free but has had all its attempts. */
export async function hasExhaustedOutput(
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  holder: LeaseHolder,
  nowMs: number,
): Promise<boolean> {
  const row = await db
    .prepare(
      `SELECT 1 AS found FROM job_outputs WHERE job_id = ?3 AND ${FREE} AND attempts >= ?1
         AND position IN (SELECT value FROM json_each(?2)) LIMIT 1`,
    )
    .bind(LIMITS.outputAttemptsMax, JSON.stringify(positions), jobId, nowMs, holder.messageId)
    .first();
  return row !== null;
}

/** Gives back what a claimant still holds, so that the next delivery need not wait for the lease to end. */
export async function releaseOutputs(db: D1Database, jobId: string, leaseId: string): Promise<void> {
  await db
    .prepare(
      `UPDATE job_outputs SET status = 'queued', lease_id = NULL, lease_until = NULL
       WHERE job_id = ?1 AND lease_id = ?2 AND status = 'running'`,
    )
    .bind(jobId, leaseId)
    .run();
}

/**
 * Marks an output done with its files, if the lease still holds, and renews the lease of the message's other
 * outputs. False when the lease was lost: someone else draws it, or the job has ended.
 */
export async function completeOutput(
  db: D1Database,
  jobId: string,
  position: number,
  leaseId: string,
  files: string,
  nowMs: number,
): Promise<boolean> {
  const [done] = await db.batch([
    db
      .prepare(
        `UPDATE job_outputs SET status = 'done', files = ?1, lease_id = NULL, lease_until = NULL
         WHERE job_id = ?2 AND position = ?3 AND lease_id = ?4 AND status = 'running'`,
      )
      .bind(files, jobId, position, leaseId),
    db
      .prepare(
        `UPDATE job_outputs SET lease_until = ?1 WHERE job_id = ?2 AND lease_id = ?3 AND status = 'running'`,
      )
      .bind(nowMs + LIMITS.outputLeaseMs, jobId, leaseId),
  ]);
  return done?.meta.changes === 1;
}
