import { and, eq, inArray, sql } from "drizzle-orm";
import { query } from "#platform/db/query.ts";
import { billingEvents, billingOrders, payments, workspaces } from "#platform/db/schema/index.ts";
import { type Given, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick.ts";

/** SQL of which database an event concerns. Lists of ids are JSON. */

/**
 * A row where this database has the order or a payment of these ids, of a workspace that lives here. An invoice that waits for
 * another plan's end has no payment yet: it is known by its event, which names its order, and by the one that names its intent.
 */
export const knowsPayment = statement((given: Given<{ orderId: string; ids: string }>) => {
  const named = sql`(select value from json_each(${given.ids}))`;
  return query
    .select(pick(workspaces, "workspaceId"))
    .from(workspaces)
    .where(
      sql`${workspaces.home} is null and (
        ${workspaces.workspaceId} in (select ${billingOrders.workspaceId} from ${billingOrders}
          where ${billingOrders.orderId} = ${given.orderId})
        or ${workspaces.workspaceId} in (select ${payments.workspaceId} from ${payments}
          where ${payments.paymentId} in ${named})
        or ${workspaces.workspaceId} in (select ${payments.workspaceId} from ${payments}
          where intent_id is not null and ${payments.intentId} in ${named})
        or ${workspaces.workspaceId} in (select ${billingOrders.workspaceId} from ${billingEvents}
          join ${billingOrders} on ${billingOrders.orderId} = ${billingEvents.facts} ->> '$.orderId'
          where outcome = 'waiting' and ${billingEvents.facts} ->> '$.kind' = 'invoice-paid'
            and (${billingEvents.facts} ->> '$.invoiceId' in ${named}
              or ${billingEvents.facts} ->> '$.intentId' in ${named}
              or ${billingEvents.facts} ->> '$.invoiceId' in (select told.facts ->> '$.invoiceId' from billing_events as told
                where told.outcome = 'waiting' and told.facts ->> '$.kind' = 'invoice-intent'
                  and told.facts ->> '$.intentId' in ${named}))))`,
    )
    .limit(1);
});

/**
 * Fails its batch as a write of the workspace's own rows does (`isMovingError`) unless the workspace lives here and does not
 * move: an event's row names no workspace, so that nothing else would refuse it. Writes nothing.
 */
export const assertAtHome = statement(
  (given: Given<{ workspaceId: string }>) =>
    sql`update ${workspaces} set name = name where ${workspaces.workspaceId} = ${given.workspaceId}
      and (home is not null or moving_since is not null)`,
);

/** More than wait of one payment ever. */
const WAITING_MAX = 100;

/** Events that wait here for one of these. */
export const waitingByObject = statement((given: Given<{ objectIds: string }>) =>
  query
    .select(pick(billingEvents, "eventId", "type", "facts", "occurredAt"))
    .from(billingEvents)
    .where(
      and(
        inArray(billingEvents.objectId, sql`(select value from json_each(${given.objectIds}))`),
        eq(billingEvents.outcome, "waiting"),
      ),
    )
    .limit(WAITING_MAX),
);

/** Notes that an event which waited here is where it belongs. */
export const passOnEvent = statement((given: Given<{ eventId: string }>) =>
  query
    .update(billingEvents)
    .set({ outcome: "ignored" })
    .where(and(eq(billingEvents.eventId, given.eventId), eq(billingEvents.outcome, "waiting"))),
);
