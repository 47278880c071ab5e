import { inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { LIMITS } from "#api/limits.ts";
import { isNotMoving } from "#platform/db/guard.ts";
import { RESEND_AFTER_MS, STALE_MS } from "#platform/db/lease.ts";
import { assetImports } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { importsAtOnceMax, isWorkspaceActive } from "./import-store.ts";

/** SQL of the queue messages of imports: which imports need one, and which have one. */

const { importsAtOncePerWorkspaceMax } = LIMITS;

const held = alias(assetImports, "held");

/**
 * Due imports without a message whose attempt may begin: a workspace has at most so many under way or in the queue, so
 * that none waits behind all of another workspace's. Workspaces
 * alternate; within one, the longest due come first. Reads a few rows for each workspace with imports, however many
 * those are.
 */
export const pendingImports = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .select({ assetId: sql<string>`pending.asset_id` })
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

/** Notes that messages for the imports were sent: a JSON array of their assets' ids. */
export const markImportsDispatched = statement((given: Given<{ assetIds: string; nowMs: number }>) =>
  query
    .update(assetImports)
    .set({ dispatchedAt: given.nowMs })
    .where(inArray(assetImports.assetId, sql`(select value from json_each(${given.assetIds}))`)),
);

/** Lets due imports have another message whose own may be lost. A message too many does no harm. */
export const releaseLostImports = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .update(assetImports)
    .set({ dispatchedAt: null })
    .where(
      sql`${assetImports.assetId} in (select ${assetImports.assetId} from ${assetImports}
        where ${assetImports.nextAttemptAt} <= ${given.nowMs} - ${STALE_MS}
          and ${assetImports.dispatchedAt} <= ${given.nowMs} - ${RESEND_AFTER_MS}
          and ${isNotMoving(assetImports.workspaceId)} limit ${given.limit})`,
    ),
);
