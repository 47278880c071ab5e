import type { OpenStorage } from "#domains/artifacts/read-archive.ts";
import { hasJobEnded } from "#domains/jobs/job.ts";
import { getJob } from "#domains/jobs/read-jobs.ts";
import { type Job, jobStatus } from "#domains/jobs/store.ts";
import { clock } from "#platform/clock.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";

interface JobWait {
  readonly deadlineMs: number;
  /** Whether to stop waiting early: the client disconnected, or its rate limit is exhausted. */
  readonly shouldStop: () => boolean;
}

/**
 * Delays between reads of the job: short at first, because most packs are drawn quickly, then two seconds. Half a
 * minute in total.
 */
const WAITS_MS: readonly number[] = [
  ...[250, 250, 500, 1_000, 1_000, 1_000],
  ...Array.from({ length: 13 }, () => 2_000),
];

/**
 * Polls a single row until the job has ended or the deadline has passed. Returns the current job or, if a read fails,
 * the given one.
 */
export async function awaitJob(
  { db, openStorage }: { readonly db: D1Database; readonly openStorage: OpenStorage },
  job: Job,
  { deadlineMs, shouldStop }: JobWait,
): Promise<Job> {
  if (hasJobEnded(job)) return job;
  const { workspaceId, jobId } = job;
  try {
    for (const waitMs of WAITS_MS) {
      const leftMs = deadlineMs - clock.now();
      if (leftMs <= 0 || shouldStop()) break;
      await clock.wait(Math.min(waitMs, leftMs));
      const now = await jobStatus.first(latest(db), job);
      if (now === null || hasJobEnded(now)) break;
    }
    const shown = await getJob(latest(db), openStorage, job);
    return shown.ok ? shown.value : job;
  } catch (thrown) {
    log.failure({ event: "wait_failed", workspaceId, jobId }, thrown);
    return job;
  }
}
