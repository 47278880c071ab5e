import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { deliveries } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { dispatchOf } from "#platform/leased-work/dispatch.ts";
import { deliveryRows } from "./delivery-attempt-store.ts";

/** Selects the deliveries that need a queue message, and sends the messages. */

const { attemptsAtOncePerDestinationMax, attemptsAtOncePerWorkspaceMax } = DELIVERY_LIMITS;

const held = alias(deliveries, "held");

/** Running attempts in the workspace of a row of `due`; expired leases do not count. */
const underWay = (nowMs: SQLWrapper, condition: SQL = sql``) =>
  sql`(select count(*) from ${deliveries} as ${held} where ${held.workspaceId} = due.workspace_id
    and ${held.status} = 'running' and ${held.nextAttemptAt} > ${nowMs} ${condition})`;

/**
 * Due deliveries that have no message and may start within the limits of destination and workspace. Workspaces
 * alternate, and so do a workspace's destinations, those with the fewest running attempts first, so that a slow
 * receiver delays no other. Within a destination, the deliveries that have been due longest come first. Reads a few
 * rows per destination, however many open deliveries it has.
 */
const pendingDeliveries = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .select({ id: sql<string>`pending.delivery_id`, jobId: sql<string | null>`pending.job_id` })
    .from(
      sql`(
        with recursive open (destination_id) as (
          select min(${deliveries.destinationId}) from ${deliveries} where ${deliveries.nextAttemptAt} is not null
          union all
          select (select min(${deliveries.destinationId}) from ${deliveries}
            where ${deliveries.nextAttemptAt} is not null and ${deliveries.destinationId} > open.destination_id)
          from open where open.destination_id is not null
        ), first as (
          select v.delivery_id, v.workspace_id, v.destination_id, v.next_attempt_at, v.job_id,
            row_number() over (partition by v.destination_id order by v.next_attempt_at) as place
          from open join ${deliveries} as v on v.delivery_number in (
            select ${deliveries.deliveryNumber} from ${deliveries}
            where ${deliveries.destinationId} = open.destination_id and ${deliveries.nextAttemptAt} is not null
              and ${deliveries.nextAttemptAt} <= ${given.nowMs} and ${deliveries.dispatchedAt} is null
              and ${isNotMoving(deliveries.workspaceId)}
            order by ${deliveries.nextAttemptAt} limit ${attemptsAtOncePerDestinationMax})
        ), placed as (
          select due.*, place + ${underWay(given.nowMs, sql`and ${held.destinationId} = due.destination_id`)}
            as destination_place
          from first as due
        )
        select delivery_id, job_id, next_attempt_at, ${underWay(given.nowMs)} + row_number() over (
            partition by workspace_id order by destination_place, next_attempt_at) as workspace_place
        from placed as due where destination_place <= ${attemptsAtOncePerDestinationMax}
      ) as pending`,
    )
    .where(sql`workspace_place <= ${attemptsAtOncePerWorkspaceMax}`)
    .orderBy(sql`workspace_place, next_attempt_at`)
    .limit(given.limit),
);

/** `sendPending` also sends messages for deliveries that triggers inserted (ended jobs, low balances). */
export const { sendPending: sendPendingDeliveries, enqueue: enqueueDeliveries } = dispatchOf(
  deliveryRows,
  pendingDeliveries,
);
