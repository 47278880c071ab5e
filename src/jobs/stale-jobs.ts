import type { Motion } from "../contract/catalogue/types.ts";
import { LIMITS } from "../contract/limits.ts";

/** A request sends its messages within moments of its commit; after this it has failed to. */
const UNSENT_AFTER_MS = 30_000;
/** Longer than a message waits and runs in a queue that keeps up; after it a message counts as lost. */
const LOST_AFTER_MS = 15 * 60_000;

/** An open job whose messages have to be sent again. */
export interface StaleJob {
  readonly jobId: string;
  readonly motion: Motion;
  /** Outputs that nobody renders; none when all are done and only the end of the job is missing. */
  readonly positions: readonly number[];
}

/** Outputs that are queued, or whose lease has ended. */
const FREE_OUTPUTS = `SELECT json_group_array(position) FROM job_outputs WHERE job_outputs.job_id = jobs.job_id
  AND (status = 'queued' OR status = 'running' AND lease_until <= ?1)`;

/**
 * Open jobs whose messages may be missing: never sent; sent, but a lease has ended since; or sent long ago, and no lease
 * is active. Sending twice is harmless, so this errs towards it. At most `limit` of both kinds together; of each the
 * longest waiting come first.
 */
export async function findStaleJobs(
  db: D1Database,
  nowMs: number,
  limit: number,
): Promise<readonly StaleJob[]> {
  const [unsent, lost] = await db.batch<{ job_id: string; motion: Motion; positions: string }>([
    db
      .prepare(
        `SELECT job_id, motion, (${FREE_OUTPUTS}) AS positions FROM jobs
         WHERE status IN ('queued', 'running') AND dispatched_at IS NULL AND created_at <= ?2
         ORDER BY created_at LIMIT ?3`,
      )
      .bind(nowMs, nowMs - UNSENT_AFTER_MS, limit),
    db
      .prepare(
        `SELECT job_id, motion, (${FREE_OUTPUTS}) AS positions FROM jobs
         WHERE status IN ('queued', 'running') AND (
           dispatched_at <= ?2 AND EXISTS (SELECT 1 FROM job_outputs
             WHERE job_outputs.job_id = jobs.job_id AND status = 'running' AND lease_until <= ?1)
           OR dispatched_at <= ?3 AND NOT EXISTS (SELECT 1 FROM job_outputs
             WHERE job_outputs.job_id = jobs.job_id AND status = 'running' AND lease_until > ?1))
         ORDER BY dispatched_at LIMIT ?4`,
      )
      .bind(nowMs, nowMs - LIMITS.outputLeaseMs, nowMs - LOST_AFTER_MS, limit),
  ]);
  return shareOut(unsent?.results ?? [], lost?.results ?? [], limit).map((row) => ({
    jobId: row.job_id,
    motion: row.motion,
    positions: (JSON.parse(row.positions) as number[]).sort((left, right) => left - right),
  }));
}

/** At most `limit` of two lists; each has half of the places, and what the other leaves free. */
function shareOut<T>(first: readonly T[], second: readonly T[], limit: number): readonly T[] {
  const places = Math.max(Math.ceil(limit / 2), limit - second.length);
  const taken = first.slice(0, places);
  return [...taken, ...second.slice(0, limit - taken.length)];
}

/** Marks jobs whose messages were sent. */
export async function markDispatched(
  db: D1Database,
  jobIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await db
    .prepare("UPDATE jobs SET dispatched_at = ?1 WHERE job_id IN (SELECT value FROM json_each(?2))")
    .bind(nowMs, JSON.stringify(jobIds))
    .run();
}

/** All retries of a queue that keeps up end within the hour; a pack that took a day is no longer wanted. */
const OPEN_MS_MAX = 24 * 60 * 60_000;

/** Jobs that have been open for longer than a job may be. */
export async function findStuckJobs(
  db: D1Database,
  nowMs: number,
  limit: number,
): Promise<readonly { readonly jobId: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT job_id AS jobId FROM jobs WHERE status IN ('queued', 'running') AND created_at <= ?1
       ORDER BY created_at LIMIT ?2`,
    )
    .bind(nowMs - OPEN_MS_MAX, limit)
    .all<{ jobId: string }>();
  return results;
}
