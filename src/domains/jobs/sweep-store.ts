import { and, asc, eq, inArray, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { artifacts, idempotencyKeys, jobParts, jobs } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { messagesInSlots } from "./fair-queue-store.ts";
import type { JobFailureCode } from "./job.ts";
import { isOpen, isOpenIn, openJobs, openJobsByTime, openWorkspaceId, openWorkspaces } from "./open-jobs.ts";
import { isDrawnOrLeased } from "./part-store.ts";

/** SQL of the sweeps of jobs and of their messages. */

/** The parts of a job that are drawn or leased. */
const takenParts = (given: Given<{ nowMs: number }>) =>
  sql`(select json_group_array(${jobParts.part})
    from ${jobParts} where ${jobParts.jobId} = ${jobs.jobId} and ${isDrawnOrLeased(given)})`.mapWith(
    (parts: string): readonly number[] => JSON.parse(parts),
  );

const selectStale = (given: Given<{ nowMs: number }>) =>
  query.read(jobs, {
    ...pick(jobs, "jobId", "motion", "outputFormat", "selectedSizeIds"),
    takenParts: takenParts(given),
  });

/** The first open jobs that meet a condition, searched workspace by workspace, so that waiting jobs are not read. */
const isFirstOpen = (condition: SQL, order: SQLWrapper, limit: SQLWrapper, source = openJobs) =>
  sql`${jobs.jobId} in (with ${openWorkspaces()}
    select ${jobs.jobId} from open_workspace cross join ${source}
    where ${isOpenIn(openWorkspaceId)} and ${isNotMoving(openWorkspaceId)} and ${condition} order by ${order} limit ${limit})`;

/** Open jobs with a queue slot that were never sent, oldest first. */
export const unsentJobs = statement((given: Given<{ nowMs: number; createdByMs: number; limit: number }>) => {
  const isUnsent = sql`${jobs.isWaiting} = 0 and ${jobs.dispatchedAt} is null
    and ${jobs.createdAt} <= ${given.createdByMs}`;
  return selectStale(given)
    .where(isFirstOpen(isUnsent, jobs.createdAt, given.limit))
    .orderBy(asc(jobs.createdAt));
});

/**
 * Open jobs whose messages may be lost: sent by `soonByMs` and a lease has expired; sent by `sentByMs` and no part is
 * leased; or, in a queue without backlog, sent by `soonByMs` and never claimed. In the last case each resend doubles
 * the wait, because databases that share the queue do not see each other's messages.
 */
export const lostJobs = statement(
  (
    given: Given<{ nowMs: number; soonByMs: number; sentByMs: number; messagesMax: number; limit: number }>,
  ) => {
    const hasPart = (condition: SQL) =>
      sql`exists (select 1 from ${jobParts} where ${jobParts.jobId} = ${jobs.jobId} and ${condition})`;
    const hasBacklog = sql`(select sum(${messagesInSlots(openWorkspaceId, given.nowMs)}) from open_workspace)
      > ${given.messagesMax}`;
    // A row of an undrawn part means that the part was claimed: it is leased, or its message awaits a retry.
    const isUntouched = sql`2 * ${jobs.dispatchedAt} - ${jobs.createdAt} <= ${given.nowMs}
      and not ${hasPart(sql`${jobParts.files} is null`)} and not ${hasBacklog}`;
    // Lets SQLite use the index. Jobs sent before queue slots existed may still have the value 1.
    const isLost = sql`${jobs.isWaiting} in (0, 1) and ${jobs.dispatchedAt} <= ${given.soonByMs} and (
        ${hasPart(sql`${jobParts.leaseUntil} <= ${given.nowMs}`)} or ${isUntouched}
        or ${jobs.dispatchedAt} <= ${given.sentByMs}
          and not ${hasPart(sql`${jobParts.leaseUntil} > ${given.nowMs}`)})`;
    return selectStale(given)
      .where(isFirstOpen(isLost, jobs.dispatchedAt, given.limit))
      .orderBy(asc(jobs.dispatchedAt));
  },
);

/** Marks jobs as sent. `jobIds` is a JSON list. */
export const markJobsDispatched = statement((given: Given<{ jobIds: string; nowMs: number }>) =>
  query
    .update(jobs)
    .set({ isWaiting: false, dispatchedAt: given.nowMs })
    .where(inArray(jobs.jobId, sql`(select value from json_each(${given.jobIds}))`)),
);

/** Lets the sweep send an open job's messages again. */
export const markJobUnsent = statement((given: Given<{ jobId: string }>) =>
  query
    .update(jobs)
    .set({ dispatchedAt: null })
    .where(and(eq(jobs.jobId, given.jobId), isOpen)),
);

/** Jobs open since before a time, oldest first. */
export const openJobsSince = statement((given: Given<{ createdByMs: number; limit: number }>) => {
  const isOld = sql`${jobs.createdAt} <= ${given.createdByMs}`;
  return query
    .read(jobs, { jobId: jobs.jobId })
    .where(isFirstOpen(isOld, jobs.createdAt, given.limit, openJobsByTime))
    .orderBy(asc(jobs.createdAt));
});

export const jobsWithFilesToDelete = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .read(jobs, { jobId: jobs.jobId, workspaceId: jobs.workspaceId, artifactId: jobs.artifactId })
    .where(and(lte(jobs.deleteFilesAfter, given.nowMs), isNotMoving(jobs.workspaceId)))
    .orderBy(asc(jobs.deleteFilesAfter))
    .limit(given.limit),
);

/** Ended test jobs created before a time that have no files left to expire, oldest first. */
export const oldTestJobs = statement((given: Given<{ createdByMs: number; limit: number }>) =>
  query
    .read(jobs, pick(jobs, "jobId", "workspaceId", "artifactId"))
    .where(
      sql`${jobs.livemode} = 0 and ${jobs.createdAt} <= ${given.createdByMs} and ${jobs.finishedAt} is not null
        and ${isNotMoving(jobs.workspaceId)} and not exists (select 1 from ${artifacts}
          where ${artifacts.artifactId} = ${jobs.artifactId} and ${artifacts.filesDeletedAt} is null)`,
    )
    .orderBy(asc(jobs.createdAt))
    .limit(given.limit),
);

/** Deletes test jobs; referencing rows go first. `jobIds` is a JSON list. */
export const deleteTestJobRows = [artifacts, jobParts, jobs].map((table) =>
  statement((given: Given<{ jobIds: string }>) =>
    query.delete(table).where(
      sql`${table.jobId} in (select ${jobs.jobId} from ${jobs} where ${jobs.livemode} = 0
          and ${jobs.jobId} in (select value from json_each(${given.jobIds})))`,
    ),
  ),
);

/** `jobIds` is a JSON list. */
export const setJobFilesDeleted = statement((given: Given<{ jobIds: string }>) =>
  query
    .update(jobs)
    .set({ deleteFilesAfter: null })
    .where(inArray(jobs.jobId, sql`(select value from json_each(${given.jobIds}))`)),
);

/** Jobs that failed with the code since a time and have no rerun (found by its Idempotency-Key). */
export const jobsToRerun = statement(
  (given: Given<{ code: JobFailureCode; sinceMs: number; keyPrefix: string; limit: number }>) =>
    query
      .read(jobs, {
        ...pick(jobs, "jobId", "workspaceId", "costCredits"),
        finishedAtMs: sql<number>`${jobs.finishedAt}`,
      })
      .where(
        sql`${matches(jobs, { status: "failed", failureCode: given.code })} and ${jobs.livemode} = 1 and ${jobs.finishedAt} >= ${given.sinceMs}
          and not exists (select 1 from ${idempotencyKeys}
            where ${idempotencyKeys.workspaceId} = ${jobs.workspaceId}
              and ${idempotencyKeys.idempotencyKey} = ${given.keyPrefix} || ${jobs.jobId})`,
      )
      .orderBy(asc(jobs.finishedAt))
      .limit(given.limit),
);
