import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { jobs } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { isOpenIn, openJobs, openWorkspaceId, openWorkspaces } from "./open-jobs.ts";

/**
 * SQL of slots in the queue: which jobs have their messages in it, and which wait. Queues guarantee no order
 * and know no workspaces (developers.cloudflare.com/queues/reference/how-queues-works/), so fairness is decided
 * before a message is sent. All of it is read from the index `jobs_open`, a few entries for each workspace with open jobs.
 */

const { queueSlotMs } = LIMITS;

/** Waits for a slot. It was never sent, which leads the index to the oldest. */
const isWaiting = sql`${jobs.isWaiting} = 1 and ${jobs.dispatchedAt} is null`;

/** True where jobs of the workspace wait for a slot. */
const hasWaiting = (workspaceId: SQLWrapper): SQL =>
  sql`exists (select 1 from ${openJobs} where ${isOpenIn(workspaceId)} and ${isWaiting})`;

/**
 * Messages of the workspace's jobs that have a slot. One that was sent long ago has none: its messages wait for another
 * attempt, or are lost. Two sums, because SQLite would not look up "null or within a range" in the index.
 */
export const messagesInSlots = (workspaceId: SQLWrapper, nowMs: SQLWrapper): SQL => {
  const sum = (condition: SQL) => sql`(select coalesce(sum(${jobs.messages}), 0) from ${openJobs}
    where ${isOpenIn(workspaceId)} and ${jobs.isWaiting} = 0 and ${condition})`;
  return sql`(${sum(sql`${jobs.dispatchedAt} is null`)}
    + ${sum(sql`${jobs.dispatchedAt} > ${nowMs} - ${queueSlotMs} and ${jobs.dispatchedAt} < ${nowMs} + ${queueSlotMs}`)})`;
};

interface Sharing {
  readonly nowMs: number;
  /** How many messages workspaces share. */
  readonly queuedMessagesMax: number;
}

/**
 * How many messages the workspace may have in the queue. Workspaces of which no job waits have what they want; what they
 * leave of the queue's messages is shared evenly by this one and the others with waiting jobs, and none has less than an
 * even share of all. Looks at as many workspaces as there are messages, after which a share is one message.
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
 * Whether a new job waits: behind others of its workspace, or until its messages fit in the share. One at a time has a slot
 * in any case, which for most jobs is all that is looked at.
 */
export const waitsForSlot = (given: Given<Sharing & { workspaceId: string; messages: number }>): SQL =>
  sql`case when ${hasWaiting(given.workspaceId)} then 1
    when ${messagesInSlots(given.workspaceId, given.nowMs)} = 0 then 0
    else ${messagesInSlots(given.workspaceId, given.nowMs)} + ${given.messages} > ${shareOf(given.workspaceId, given)}
    end`;

/**
 * Gives slots to the waiting jobs of the workspace of a job, the oldest first, as far as its share goes. It waits until an
 * eighth of the share is free, so that a large workspace's jobs are sent together; while none has a slot, one gets it.
 * Returns the jobs whose messages are now to be sent: all of them, also of outputs that are done or held, which nobody
 * claims.
 */
export const giveSlots = statement((given: Given<Sharing & { jobId: string; limit: number }>) => {
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
 * For each workspace with waiting jobs the oldest of them; first those with the fewest messages in the queue, whose
 * end may send no more, then those that wait longest.
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
