import { LIMITS } from "../contract/limits.ts";
import { failJob, RENDERING_FAILED } from "./fail-job.ts";

/** What became of outputs whose message the queue gave up; `settled` when they were none of this message's business. */
export type GivenUp = "failed" | "waiting" | "settled";

/**
 * Settles the named outputs of an open job that nobody draws. One that has had all its attempts fails the job, which is
 * given back. Otherwise the queue gave up because the service was away, which says nothing of the job: it waits for other
 * messages, which the sweep sends within a minute. Outputs that are done, or drawn under a lease by another message, are
 * left to it. May be repeated.
 */
export async function settleGivenUp(
  db: D1Database,
  jobId: string,
  positions: readonly number[],
  nowMs: number,
): Promise<GivenUp> {
  const found = await db
    .prepare(
      `SELECT COUNT(*) AS pending, COALESCE(SUM(attempts >= ?4), 0) AS exhausted
       FROM job_outputs JOIN jobs USING (job_id)
       WHERE job_id = ?1 AND jobs.status IN ('queued', 'running')
         AND position IN (SELECT value FROM json_each(?2))
         AND (job_outputs.status = 'queued' OR job_outputs.status = 'running' AND lease_until <= ?3)`,
    )
    .bind(jobId, JSON.stringify(positions), nowMs, LIMITS.outputAttemptsMax)
    .first<{ pending: number; exhausted: number }>();
  if (found === null || found.pending === 0) return "settled";
  if (found.exhausted > 0) {
    await failJob(db, jobId, RENDERING_FAILED, nowMs);
    return "failed";
  }
  await db
    .prepare("UPDATE jobs SET dispatched_at = NULL WHERE job_id = ?1 AND status IN ('queued', 'running')")
    .bind(jobId)
    .run();
  return "waiting";
}
