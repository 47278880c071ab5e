import { insertRefund } from "../ledger/service.ts";
import type { JobFailureCode } from "./job.ts";

export interface Failure {
  readonly code: JobFailureCode;
  /** A sentence for the caller: what is wrong and what to do. */
  readonly message: string;
}

/** The failure of a job for which the service, not its inputs, is at fault. */
export const RENDERING_FAILED: Failure = {
  code: "RENDERING_FAILED",
  message:
    "The pack could not be drawn after several attempts. The cost was given back; create the job again.",
};

/** Longer than any delivery runs (15 min): after it nobody still writes files of a failed job. */
const PURGE_DELAY_MS = 30 * 60_000;

/**
 * Ends an open job as failed: its open outputs with it, its cost given back, in one batch. A job that has ended
 * already is left as it is; the refund hangs on the job's status and its own unique reference.
 */
export async function failJob(db: D1Database, jobId: string, failure: Failure, nowMs: number): Promise<void> {
  await db.batch([
    db
      .prepare(
        `UPDATE jobs SET status = 'failed', failure_code = ?1, failure_message = ?2, finished_at = ?3,
           purge_after = ?4
         WHERE job_id = ?5 AND status IN ('queued', 'running')`,
      )
      .bind(failure.code, failure.message, nowMs, nowMs + PURGE_DELAY_MS, jobId),
    db
      .prepare(
        `UPDATE job_outputs SET status = 'failed', lease_id = NULL, lease_until = NULL
         WHERE job_id = ?1 AND status IN ('queued', 'running')
           AND EXISTS (SELECT 1 FROM jobs WHERE job_id = ?1 AND status = 'failed')`,
      )
      .bind(jobId),
    insertRefund.bind(db, { jobId, description: "Job failed", nowMs, canceledOf: null }),
  ]);
}
