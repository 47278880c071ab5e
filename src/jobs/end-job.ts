import { accept, type Outcome, refuse } from "../api/errors.ts";
import { artifactStatements } from "../artifacts/store.ts";
import { insertRefund } from "../ledger/service.ts";
import { ENGINE_VERSION } from "../renderer/version.ts";
import { type JobFailureCode, jobNotFound } from "./job.ts";
import { failOpenOutputs } from "./output-store.ts";
import { cancelQueuedJob, failOpenJob, type Job, jobOfWorkspace, succeedJob } from "./store.ts";

/** The three ends of a job, each one batch. */

/**
 * Ends a running job whose outputs are all done: status, artifact and files. Leaves any other job as it is, so this may
 * be repeated. True when the job succeeded by this very call.
 */
export async function finishJob(db: D1Database, jobId: string, nowMs: number): Promise<boolean> {
  const [succeeded] = await db.batch([
    succeedJob.bind(db, { jobId, nowMs }),
    ...artifactStatements(db, { jobId, engineVersion: ENGINE_VERSION, nowMs }),
  ]);
  return (succeeded?.meta.changes ?? 0) > 0;
}

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

/** Longer than any attempt runs (15 min): after it nothing still writes files of a failed job. */
const FILES_KEPT_MS = 30 * 60_000;

/**
 * Ends an open job as failed: its open outputs with it, its cost refunded. A job that has ended is left as it is; the
 * refund depends on the job's status and its own unique reference.
 */
export async function failJob(
  db: D1Database,
  jobId: string,
  { code, message }: Failure,
  nowMs: number,
): Promise<void> {
  await db.batch([
    failOpenJob.bind(db, { jobId, code, message, nowMs, deleteFilesAfterMs: nowMs + FILES_KEPT_MS }),
    failOpenOutputs.bind(db, { jobId }),
    insertRefund.bind(db, { jobId, description: "Job failed", nowMs, canceledOf: null }),
  ]);
}

/**
 * Cancels a queued job and refunds its cost; a job that has ended is returned as it is. 404 JOB_NOT_FOUND (a foreign one
 * too), 409 JOB_RUNNING. A first claim is a batch of its own, so whichever comes first in the database wins and the
 * other changes nothing. The refund is of this workspace's cancelled job or of none.
 */
export async function cancelJob(
  db: D1Database,
  workspaceId: string,
  jobId: string,
  nowMs: number,
): Promise<Outcome<Job>> {
  const results = await db.batch([
    cancelQueuedJob.bind(db, { workspaceId, jobId, nowMs }),
    insertRefund.bind(db, { jobId, description: "Job canceled", nowMs, canceledOf: workspaceId }),
    jobOfWorkspace.bind(db, { workspaceId, jobId }),
  ]);
  const job = jobOfWorkspace.row(results[2]);
  if (job === null) return jobNotFound();
  if (job.status === "running") {
    return refuse("JOB_RUNNING", "The job is being drawn and can no longer be cancelled.");
  }
  return accept(job);
}
