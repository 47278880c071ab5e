import { failJob, finishJob, type JobStores, RENDERING_FAILED } from "#domains/jobs/end-job.ts";
import {
  deleteFailedJobFiles,
  deleteOldTestJobs,
  findStaleJobs,
  findStuckJobs,
} from "#domains/jobs/sweep-jobs.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { log } from "#platform/log/log.ts";
import { enqueueWaiting, type RenderQueues, sendAndMark } from "../enqueue-jobs.ts";
import type { Sweeps } from "./sweep.ts";

/** Finishing a job takes two requests; sending it again takes at most one call to the queue. */
const STALE_JOBS_MAX = 150;
/** Stale jobs sent and then marked together. After a crash, the next run repeats only the last group. */
const STALE_JOBS_PER_MARK = 50;
/** Each workspace needs at most four requests, to assign slots, send messages and mark jobs. */
const WAITING_WORKSPACES_MAX = 40;
/** Each job needs one batch. */
const STUCK_JOBS_MAX = 50;
/** Each job's files are listed; then all files are deleted and all jobs marked together. */
const FAILED_JOBS_MAX = 30;
/** Each job's files are listed, and usually one manifest is deleted; all rows are deleted together. */
const TEST_JOBS_MAX = 40;

/** Runs work for each job and returns the number of successes. Logs a failure under `event` and continues. */
async function sweepJobs<Job extends { readonly jobId: string }>(
  event: string,
  jobs: readonly Job[],
  work: (job: Job) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (const job of jobs) {
    try {
      await work(job);
      count += 1;
    } catch (thrown) {
      log.failure({ event, jobId: job.jobId }, thrown);
    }
  }
  return count;
}

/** Sends messages that were never sent or got lost, and finishes jobs whose parts are all drawn. */
async function sweepStaleJobs(stores: JobStores, queues: RenderQueues, nowMs: number): Promise<number> {
  const stale = await findStaleJobs(stores.db, nowMs, queues.queuedMessagesMax, STALE_JOBS_MAX);
  const drawn = stale.filter(({ parts }) => parts.length === 0);
  const pending = stale.filter(({ parts }) => parts.length > 0);
  let count = await sweepJobs("stale_job_failed", drawn, ({ jobId }) => finishJob(stores, jobId, nowMs));
  for (let start = 0; start < pending.length; start += STALE_JOBS_PER_MARK) {
    const jobs = pending.slice(start, start + STALE_JOBS_PER_MARK);
    try {
      await sendAndMark(queues, stores.db, jobs, nowMs);
      count += jobs.length;
    } catch (thrown) {
      for (const { jobId } of jobs) log.failure({ event: "stale_job_failed", jobId }, thrown);
    }
  }
  return count;
}

/** Fails and refunds jobs that are open beyond all retries. */
const sweepStuckJobs = async (db: D1Database, nowMs: number): Promise<number> =>
  sweepJobs("stuck_job_failed", await findStuckJobs(db, nowMs, STUCK_JOBS_MAX), ({ jobId }) =>
    failJob(db, jobId, RENDERING_FAILED, nowMs, { reason: "open-for-a-day" }),
  );

/**
 * Sweeps of jobs with missing messages, jobs that wait for a slot, stuck jobs, and the files of failed and old test
 * jobs.
 */
export function jobSweeps(
  { db, queuedMessagesMax }: NonNullable<Capabilities["database"]>,
  { storage: bucket, queue, videos }: Capabilities,
  nowMs: number,
): Sweeps {
  const queues = queue && { queue, videos, queuedMessagesMax };
  return {
    ...(queues &&
      bucket && {
        sweep_stale_jobs: () => sweepStaleJobs({ db, bucket }, queues, nowMs),
        sweep_waiting_jobs: () => enqueueWaiting(queues, db, nowMs, WAITING_WORKSPACES_MAX),
      }),
    sweep_stuck_jobs: () => sweepStuckJobs(db, nowMs),
    ...(bucket && {
      sweep_failed_jobs: () => deleteFailedJobFiles(db, bucket, nowMs, FAILED_JOBS_MAX),
      sweep_test_jobs: () => deleteOldTestJobs(db, bucket, nowMs, TEST_JOBS_MAX),
    }),
  };
}
