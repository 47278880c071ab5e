import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { LIMITS } from "#api/limits.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { assetImports } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { dispatchOf } from "#platform/leased-work/dispatch.ts";
import { importRows, importsAtOnceMax, isWorkspaceActive } from "./import-store.ts";

/** Selects the imports that need a queue message, and sends the messages. */

const { importsAtOncePerWorkspaceMax } = LIMITS;

const held = alias(assetImports, "held");

/**
 * Due imports that have no message and may start. A workspace has a limited number running or queued, so that no
 * workspace waits for another's backlog. Workspaces alternate; within a workspace, the imports that have been due
 * longest come first. Reads a few rows per workspace, however many imports it has.
 */
const pendingImports = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .select({ id: sql<string>`pending.asset_id` })
    .from(
      sql`(
        with recursive owner (workspace_id) as (
          select min(${assetImports.workspaceId}) from ${assetImports}
          union all
          select (select min(${assetImports.workspaceId}) from ${assetImports}
            where ${assetImports.workspaceId} > owner.workspace_id)
          from owner where owner.workspace_id is not null
        )
        select ${assetImports.assetId}, ${assetImports.nextAttemptAt} as due_at,
          (select count(*) from ${assetImports} as ${held} where ${held.workspaceId} = owner.workspace_id
            and iif(${held.nextAttemptAt} > ${given.nowMs}, ${held.leaseId}, ${held.dispatchedAt}) is not null)
          + row_number() over (partition by owner.workspace_id order by ${assetImports.nextAttemptAt}) as place,
          ${importsAtOnceMax(sql`owner.workspace_id`)} as at_once_max
        from owner join ${assetImports} on ${assetImports.assetId} in (
          select ready.asset_id from ${assetImports} as ready
          where ready.workspace_id = owner.workspace_id and ready.next_attempt_at <= ${given.nowMs}
            and ready.dispatched_at is null
          order by ready.next_attempt_at limit ${importsAtOncePerWorkspaceMax})
        where ${isWorkspaceActive(given.nowMs)} and ${isNotMoving(sql`owner.workspace_id`)}
      ) as pending`,
    )
    .where(sql`place <= at_once_max`)
    .orderBy(sql`place, due_at`)
    .limit(given.limit),
);

/** Imports beyond a workspace's limit are enqueued as earlier ones finish. */
export const { sendPending: sendPendingImports, enqueue: enqueueImports } = dispatchOf(
  importRows,
  pendingImports,
);
