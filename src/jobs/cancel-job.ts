import { accept, type Outcome, refuse } from "../contract/errors.ts";
import { insertRefund } from "../ledger/service.ts";
import type { Job } from "./job.ts";
import { jobOf, jobStatement } from "./store.ts";

/**
 * Cancels a queued job and gives its cost back, in one batch; a job that has ended is shown as it is.
 * 404 JOB_NOT_FOUND (a foreign one too), 409 JOB_RUNNING. A first claim stands in a batch of its own,
 * so whichever comes first in the database wins and the other changes nothing. The refund is of
 * this workspace's cancelled job or of none.
 */
export async function cancelJob(
  db: D1Database,
  workspaceId: string,
  jobId: string,
  nowMs: number,
): Promise<Outcome<Job>> {
  const results = await db.batch([
    db
      .prepare(
        `UPDATE jobs SET status = 'canceled', finished_at = ?1
         WHERE job_id = ?2 AND workspace_id = ?3 AND status = 'queued'`,
      )
      .bind(nowMs, jobId, workspaceId),
    insertRefund.bind(db, { jobId, description: "Job canceled", nowMs, canceledOf: workspaceId }),
    jobStatement(db, workspaceId, jobId),
  ]);
  const job = jobOf(results.at(-1));
  if (job === null) return refuse("JOB_NOT_FOUND", "The workspace has no job of this id.");
  if (job.status === "running") {
    return refuse("JOB_RUNNING", "The job is being drawn and can no longer be cancelled.");
  }
  return accept(job);
}
