import { LIMITS } from "../contract/limits.ts";
import { failJob, RENDERING_FAILED } from "./fail-job.ts";

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
  if (found === null || found.pending === 0) return "done";
  if (found.exhausted > 0) {
    await failJob(db, jobId, RENDERING_FAILED, nowMs);
    return "exhausted";
  }
  await db
    .prepare("UPDATE jobs SET dispatched_at = NULL WHERE job_id = ?1 AND status IN ('queued', 'running')")
    .bind(jobId)
    .run();
  return "pending";
}
