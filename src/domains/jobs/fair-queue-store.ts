import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { jobs } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { isOpenIn, openJobs, openWorkspaceId, openWorkspaces } from "./open-jobs.ts";

/**
 * SQL of queue slots: which jobs have their messages in the queue, and which wait. Cloudflare's queues guarantee no
 * order and do not know workspaces (developers.cloudflare.com/queues/reference/how-queues-works/), so fairness is
 * decided before sending. All statements read the index `jobs_open`: a few entries for each workspace with open jobs.
 */

const { queueSlotMs } = LIMITS;

/** True for a job that waits for a slot. Such a job was never sent; stating that lets the index find the oldest. */
const isWaiting = sql`${jobs.isWaiting} = 1 and ${jobs.dispatchedAt} is null`;

/** True when jobs of the workspace wait for a slot. */
const hasWaiting = (workspaceId: SQLWrapper): SQL =>
  sql`exists (select 1 from ${openJobs} where ${isOpenIn(workspaceId)} and ${isWaiting})`;

/**
 * Number of messages of the workspace's jobs that have a slot. A job sent longer than `queueSlotMs` ago has no slot:
 * its messages are lost or await a retry. Two sums, because SQLite would not search the index for "null or within a
 * range".
 */
export const messagesInSlots = (workspaceId: SQLWrapper, nowMs: SQLWrapper): SQL => {
  const sum = (condition: SQL) => sql`(select coalesce(sum(${jobs.messages}), 0) from ${openJobs}
    where ${isOpenIn(workspaceId)} and ${jobs.isWaiting} = 0 and ${condition})`;
  return sql`(${sum(sql`${jobs.dispatchedAt} is null`)}
    + ${sum(sql`${jobs.dispatchedAt} > ${nowMs} - ${queueSlotMs} and ${jobs.dispatchedAt} < ${nowMs} + ${queueSlotMs}`)})`;
};

interface Sharing {
  readonly nowMs: number;
  /** Maximum messages in the queue, shared by all workspaces. */
  readonly queuedMessagesMax: number;
}

/**
 * A workspace's share: the number of messages that it may have in the queue. Workspaces without waiting jobs keep the
 * messages that they have in the queue; the remaining places are divided evenly among those with waiting jobs. Every
 * share is at least an even share of the total. Reads at most as many workspaces as there are messages, since a share
 * is at least one message.
 */
const shareOf = (workspaceId: SQLWrapper, { nowMs, queuedMessagesMax }: Given<Sharing>): SQL => sql`(
  with ${openWorkspaces(sql`number < ${queuedMessagesMax}`)}, other as materialized (
    select ${hasWaiting(openWorkspaceId)} as waits,
      ${messagesInSlots(openWorkspaceId, nowMs)} as queued
    from open_workspace
    where ${openWorkspaceId} is not null and ${openWorkspaceId} <> ${workspaceId}
  )
  select max(${queuedMessagesMax} / (1 + coalesce(sum(waits or queued > 0), 0)),
    (${queuedMessagesMax} - coalesce(sum(iif(waits, 0, queued)), 0)) / (1 + coalesce(sum(waits), 0)))
  from other)`;

/**
 * Whether a new job must wait: behind other jobs of its workspace, or until its messages fit into the workspace's
 * share. A workspace with no messages in the queue always gets a slot, which decides most cases cheaply.
 */
export const waitsForSlot = (given: Given<Sharing & { workspaceId: string; messages: number }>): SQL =>
  sql`case when ${hasWaiting(given.workspaceId)} then 1
    when ${messagesInSlots(given.workspaceId, given.nowMs)} = 0 then 0
    else ${messagesInSlots(given.workspaceId, given.nowMs)} + ${given.messages} > ${shareOf(given.workspaceId, given)}
    end`;

/**
 * Gives slots to a workspace's oldest waiting jobs, within its share. Starts only when an eighth of the share is
 * unused, so that a large workspace's jobs are sent together; with nothing in the queue, one job always gets a slot.
 * Returns the jobs to send. Messages of drawn or leased parts are sent too; their claims fail.
 */
export const assignSlots = statement((given: Given<Sharing & { jobId: string; limit: number }>) => {
  const workspaceId = sql`(select own.workspace_id from ${jobs} as own where own.job_id = ${given.jobId})`;
  return query
    .update(jobs)
    .set({ isWaiting: false })
    .where(
      sql`${jobs.jobId} in (
        with room as materialized (
          select ${messagesInSlots(workspaceId, given.nowMs)} as queued, ${shareOf(workspaceId, given)} as share
          where ${hasWaiting(workspaceId)}
        ), waiting as (
          select ${jobs.jobId}, ${jobs.createdAt}, ${jobs.messages} from ${openJobs}
          where ${isOpenIn(workspaceId)} and ${isWaiting}
          order by ${jobs.createdAt} limit ${given.limit}
        ), counted as (
          select job_id, sum(messages) over (order by created_at) as upto,
            row_number() over (order by created_at) as number
          from waiting
        )
        select counted.job_id from counted, room
        where room.queued = 0 and counted.number = 1
          or room.queued + max(counted.upto, room.share / 8) <= room.share
      )`,
    )
    .returning(pick(jobs, "jobId", "motion", "outputFormat", "selectedSizeIds"));
});

/**
 * The oldest waiting job of each workspace. Workspaces with the fewest messages in the queue come first, because a
 * workspace also gets slots whenever one of its own messages finishes. Among equals, the longest waiting comes first.
 */
export const oldestWaitingJobs = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .select({ jobId: sql<string>`waiting.job_id` })
    .from(
      sql`(
        with ${openWorkspaces()}
        select oldest.job_id, oldest.created_at,
          ${messagesInSlots(openWorkspaceId, given.nowMs)} as queued
        from open_workspace join ${jobs} as oldest on oldest.job_id = (
          select ${jobs.jobId} from ${openJobs}
          where ${isOpenIn(openWorkspaceId)} and ${isWaiting}
          order by ${jobs.createdAt} limit 1)
        where ${isNotMoving(openWorkspaceId)}
      ) as waiting`,
    )
    .orderBy(sql`waiting.queued, waiting.created_at`)
    .limit(given.limit),
);
