import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { jobs } from "#platform/db/schema/index.ts";

/** SQL of open jobs: how the index `jobs_open` finds them, workspace after workspace. */

/** Open: neither ended nor cancelled. The time says so in the words of the partial indexes of open jobs. */
export const isOpen = sql`${jobs.finishedAt} is null and ${jobs.status} in ('queued', 'running')`;

export const isOpenIn = (workspaceId: SQLWrapper): SQL =>
  sql`${jobs.workspaceId} = ${workspaceId} and ${isOpen}`;

/** Open jobs, by the index that tells apart those that wait: SQLite might choose one that does not. */
export const openJobs = sql`${jobs} indexed by jobs_open`;

export const openJobsByTime = sql`${jobs} indexed by jobs_open_by_workspace`;

/** A row of `openWorkspaces`. */
export const openWorkspaceId = sql`open_workspace.workspace_id`;

/**
 * A common table of the workspaces with open jobs, to stand after `with`. They are found one after another by looking up
 * the next one's id, so that it costs the same however many jobs each has. Its last row may be null. `goesOn` is a
 * condition on the `number` of the workspaces found.
 */
export const openWorkspaces = (goesOn: SQL = sql`true`): SQL =>
  sql`recursive open_workspace (workspace_id, number) as (
    select min(${jobs.workspaceId}), 1 from ${openJobs} where ${isOpen}
    union all
    select (select min(${jobs.workspaceId}) from ${openJobs} where ${isOpen}
      and ${jobs.workspaceId} > ${openWorkspaceId}), number + 1
    from open_workspace where ${openWorkspaceId} is not null and ${goesOn})`;
