import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { jobs } from "#platform/db/schema/index.ts";

/** SQL that finds open jobs workspace by workspace, with the index `jobs_open`. */

/**
 * True for an open job: queued or running. `finished_at` is compared exactly as in the partial indexes of open jobs.
 */
export const isOpen = sql`${jobs.finishedAt} is null and ${jobs.status} in ('queued', 'running')`;

export const isOpenIn = (workspaceId: SQLWrapper): SQL =>
  sql`${jobs.workspaceId} = ${workspaceId} and ${isOpen}`;

/** FROM clause that forces the index with `is_waiting`; SQLite might choose another index of open jobs. */
export const openJobs = sql`${jobs} indexed by jobs_open`;

export const openJobsByTime = sql`${jobs} indexed by jobs_open_by_workspace`;

/** The id in a row of `openWorkspaces`. */
export const openWorkspaceId = sql`open_workspace.workspace_id`;

/**
 * A common table expression of the workspaces with open jobs, for use after `with`. Each workspace is found by looking
 * up the next id, so that the cost does not depend on the number of jobs. The last row may be null. The search goes on
 * while `mayContinue` is true, a condition on the `number` of workspaces found so far.
 */
export const openWorkspaces = (mayContinue: SQL = sql`true`): SQL =>
  sql`recursive open_workspace (workspace_id, number) as (
    select min(${jobs.workspaceId}), 1 from ${openJobs} where ${isOpen}
    union all
    select (select min(${jobs.workspaceId}) from ${openJobs} where ${isOpen}
      and ${jobs.workspaceId} > ${openWorkspaceId}), number + 1
    from open_workspace where ${openWorkspaceId} is not null and ${mayContinue})`;
