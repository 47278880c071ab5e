import { and, asc, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import { matches, query } from "../db/query.ts";
import { idempotencyKeys, jobParts, jobs } from "../db/schema/index.ts";
import { type Given, statement } from "../db/statement.ts";
import { pick } from "../platform/pick.ts";
import type { JobFailureCode } from "./job.ts";
import { isTaken } from "./part-store.ts";
import { isOpen } from "./store.ts";

/** SQL of the sweeps of jobs, and of their messages. */

/** The parts of a job that are drawn or that somebody draws. */
const takenParts = (given: Given<{ nowMs: number }>) =>
  sql`(select json_group_array(${jobParts.part})
    from ${jobParts} where ${jobParts.jobId} = ${jobs.jobId} and ${isTaken(given)})`.mapWith(
    (parts: string): readonly number[] => JSON.parse(parts),
  );

const selectStale = (given: Given<{ nowMs: number }>) =>
  query
    .select({ ...pick(jobs, "jobId", "motion", "selectedSizeIds"), takenParts: takenParts(given) })
    .from(jobs);

/** Open jobs that were never sent, the oldest first. */
export const unsentJobs = statement((given: Given<{ nowMs: number; createdByMs: number; limit: number }>) =>
  selectStale(given)
    .where(and(isOpen, isNull(jobs.dispatchedAt), lte(jobs.createdAt, given.createdByMs)))
    .orderBy(asc(jobs.createdAt))
    .limit(given.limit),
);

/** Open jobs that were sent and whose messages may be lost: a lease has ended since, or there is none for long. */
export const lostJobs = statement(
  (given: Given<{ nowMs: number; leasedByMs: number; sentByMs: number; limit: number }>) => {
    const hasLease = (condition: SQL) =>
      sql`exists (select 1 from ${jobParts} where ${jobParts.jobId} = ${jobs.jobId} and ${condition})`;
    return selectStale(given)
      .where(
        sql`${isOpen} and (
          ${jobs.dispatchedAt} <= ${given.leasedByMs} and ${hasLease(sql`${jobParts.leaseUntil} <= ${given.nowMs}`)}
          or ${jobs.dispatchedAt} <= ${given.sentByMs}
            and not ${hasLease(sql`${jobParts.leaseUntil} > ${given.nowMs}`)})`,
      )
      .orderBy(asc(jobs.dispatchedAt))
      .limit(given.limit);
  },
);

/** Marks jobs whose messages were sent. `jobIds` is a JSON list. */
export const markJobsDispatched = statement((given: Given<{ jobIds: string; nowMs: number }>) =>
  query
    .update(jobs)
    .set({ dispatchedAt: given.nowMs })
    .where(inArray(jobs.jobId, sql`(select value from json_each(${given.jobIds}))`)),
);

/** Lets the sweep send an open job's messages again. */
export const markJobUnsent = statement((given: Given<{ jobId: string }>) =>
  query
    .update(jobs)
    .set({ dispatchedAt: null })
    .where(and(eq(jobs.jobId, given.jobId), isOpen)),
);

/** Jobs that are open since a time, the oldest first. */
export const openJobsSince = statement((given: Given<{ createdByMs: number; limit: number }>) =>
  query
    .select({ jobId: jobs.jobId })
    .from(jobs)
    .where(and(isOpen, lte(jobs.createdAt, given.createdByMs)))
    .orderBy(asc(jobs.createdAt))
    .limit(given.limit),
);

/** Failed jobs whose stored files may be deleted. */
export const jobsWithFilesToDelete = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .select({ jobId: jobs.jobId, workspaceId: jobs.workspaceId, artifactId: jobs.artifactId })
    .from(jobs)
    .where(lte(jobs.deleteFilesAfter, given.nowMs))
    .orderBy(asc(jobs.deleteFilesAfter))
    .limit(given.limit),
);

export const setJobFilesDeleted = statement((given: Given<{ jobId: string }>) =>
  query.update(jobs).set({ deleteFilesAfter: null }).where(eq(jobs.jobId, given.jobId)),
);

/** Jobs that failed with the code since a time and whose rerun (by the prefix of its Idempotency-Key) does not exist. */
export const jobsToRerun = statement(
  (given: Given<{ code: JobFailureCode; sinceMs: number; keyPrefix: string; limit: number }>) =>
    query
      .select({
        ...pick(jobs, "jobId", "workspaceId", "costCredits"),
        finishedAtMs: sql<number>`${jobs.finishedAt}`,
      })
      .from(jobs)
      .where(
        sql`${matches(jobs, { status: "failed", failureCode: given.code })} and ${jobs.finishedAt} >= ${given.sinceMs}
          and not exists (select 1 from ${idempotencyKeys}
            where ${idempotencyKeys.workspaceId} = ${jobs.workspaceId}
              and ${idempotencyKeys.idempotencyKey} = ${given.keyPrefix} || ${jobs.jobId})`,
      )
      .orderBy(asc(jobs.finishedAt))
      .limit(given.limit),
);
