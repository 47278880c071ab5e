import { and, eq, lt, sql } from "drizzle-orm";
import { isNotMoving } from "#platform/db/moving-rows.ts";
import { query } from "#platform/db/query.ts";
import { billingEvents, billingOrders, payments } from "#platform/db/schema/index.ts";
import { type Given, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick.ts";
import type { Order } from "./payment-effects.ts";

/** SQL of orders, beside those that events need. */

export const setOrderSession = statement((given: Given<{ orderId: string; sessionId: string }>) =>
  query
    .update(billingOrders)
    .set({ sessionId: given.sessionId })
    .where(eq(billingOrders.orderId, given.orderId)),
);

export const sessionByOrder = statement((given: Given<{ orderId: string }>) =>
  query
    .select(pick(billingOrders, "sessionId"))
    .from(billingOrders)
    .where(eq(billingOrders.orderId, given.orderId)),
);

/**
 * Writes the order of a purchase that somebody begins, while the workspace has begun fewer than `max` since then. Changes no
 * row otherwise, or where there is one of its id: an equal request has written the same.
 */
export const insertOrderWithinLimit = statement(
  (given: Given<Order & { createdAt: number; sinceMs: number; max: number }>) =>
    query
      .insert(billingOrders)
      .selecting(
        pick(
          given,
          ...(["orderId", "workspaceId", "kind", "offerId", "currency", "amount"] as const),
          ...(["credits", "quota", "createdAt"] as const),
        ),
        sql`where (select count(*) from ${billingOrders} where ${billingOrders.workspaceId} = ${given.workspaceId}
          and ${billingOrders.createdAt} > ${given.sinceMs}) < ${given.max}`,
      )
      .onConflictDoNothing(),
);

/** A row while a payment of the workspace is disputed. */
export const hasOpenDispute = statement((given: Given<{ workspaceId: string }>) =>
  query
    .select(pick(payments, "paymentId"))
    .from(payments)
    .where(and(eq(payments.workspaceId, given.workspaceId), eq(payments.dispute, "open"))),
);

/**
 * Deletes orders that are as old as nothing is paid any more; their payments have all that is needed of them. Those of plans
 * stay where the workspace has paid for one: each renewal names its order.
 */
export const deleteOldOrders = statement((given: Given<{ createdBeforeMs: number; limit: number }>) =>
  query.deleteFirst(
    billingOrders,
    billingOrders.orderId,
    and(
      lt(billingOrders.createdAt, given.createdBeforeMs),
      isNotMoving(billingOrders.workspaceId),
      sql`not (${billingOrders.kind} = 'plan' and exists (select 1 from ${payments}
        where ${payments.workspaceId} = ${billingOrders.workspaceId} and ${payments.kind} = 'plan'))`,
    ),
    billingOrders.createdAt,
    given.limit,
  ),
);

/** Deletes old events that have had no effect; not a paid invoice that waits: it is somebody's money. */
export const deleteOldEvents = statement((given: Given<{ receivedBeforeMs: number; limit: number }>) =>
  query.deleteFirst(
    billingEvents,
    billingEvents.eventId,
    and(
      lt(billingEvents.receivedAt, given.receivedBeforeMs),
      sql`${billingEvents.outcome} in ('ignored', 'waiting')
        and not (${billingEvents.outcome} = 'waiting' and json_extract(${billingEvents.facts}, '$.kind') = 'invoice-paid')`,
    ),
    billingEvents.receivedAt,
    given.limit,
  ),
);
