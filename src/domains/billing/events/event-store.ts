import { and, asc, eq, inArray, lt, sql } from "drizzle-orm";
import { guard, isGuardViolation } from "#platform/db/batch-guard.ts";
import { billingEvents, billingOrders, payments, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { type BillingEvent, billingFactSchema } from "./billing-event.ts";

/** SQL of provider events: their rows, their database, and the state for decisions. Lists of ids are JSON. */

/**
 * The workspace of the order or of a payment with these ids, if this is the workspace's database. An invoice that waits
 * for another plan's end has no payment yet. It is found by the ids in its own waiting event, which names the order,
 * and in the waiting event that links it to its PaymentIntent.
 */
export const knowsPayment = statement((given: Given<{ orderId: string | null; ids: string }>) => {
  const named = sql`(select value from json_each(${given.ids}))`;
  return query
    .from(workspaces, "workspaceId")
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
 * Fails its batch with an error that `isMovingError` recognizes unless this is the workspace's database and the
 * workspace is not moving. Needed because an event's row names no workspace, so no trigger refuses it during a move.
 * Writes nothing.
 */
export const assertAtHome = statement(
  (given: Given<{ workspaceId: string }>) =>
    sql`update ${workspaces} set name = name where ${workspaces.workspaceId} = ${given.workspaceId}
      and (home is not null or moving_since is not null)`,
);

/** Maximum number of events read, more than ever wait for one payment. */
const WAITING_MAX = 100;

/** Waiting events of this database with one of these object ids. */
export const waitingByObject = statement((given: Given<{ objectIds: string }>) =>
  query
    .from(billingEvents, "eventId", "type", "facts", "occurredAt")
    .where(
      and(
        inArray(billingEvents.objectId, sql`(select value from json_each(${given.objectIds}))`),
        eq(billingEvents.outcome, "waiting"),
      ),
    )
    .limit(WAITING_MAX),
);

/** Sets a waiting event of this database to `ignored`, after it was applied in its workspace's database. */
export const passOnEvent = statement((given: Given<{ eventId: string }>) =>
  query
    .update(billingEvents)
    .set({ outcome: "ignored" })
    .where(and(eq(billingEvents.eventId, given.eventId), eq(billingEvents.outcome, "waiting"))),
);

/** The outcome of an event, with the statements to write in one batch with the event's row. */
export interface Decision {
  readonly outcome: EventOutcome;
  readonly statements: readonly D1PreparedStatement[];
  /** The reason for a refusal, or for waiting for another plan to end. */
  readonly reason: RefusalReason | null;
  readonly workspaceId: string | null;
}

export const without = (outcome: EventOutcome, reason: RefusalReason | null = null): Decision => ({
  outcome,
  statements: [],
  reason,
  workspaceId: null,
});

/** The outcome of an event; no row for a new one. */
export const outcomeByEvent = statement((given: Given<{ eventId: string }>) =>
  query.from(billingEvents, "outcome").where(eq(billingEvents.eventId, given.eventId)),
);

export type EventOutcome = RowOf<typeof outcomeByEvent>["outcome"];

/** Events that were applied or are waiting. */
const isAppliedOrWaiting = sql`${billingEvents.outcome} in ('applied', 'waiting')`;

/** Maximum number of events read per payment or plan, far more than one has. */
const EVENTS_OF_OBJECT_MAX = 1_000;

export const eventsByObject = statement((given: Given<{ objectId: string | null }>) =>
  query
    .from(billingEvents, "eventId", "type", "facts", "occurredAt")
    .where(and(eq(billingEvents.objectId, given.objectId), isAppliedOrWaiting))
    .limit(EVENTS_OF_OBJECT_MAX),
);

export type StoredBillingEvent = RowOf<typeof eventsByObject>;

/** Inserts an event; fails its batch if the event is already stored (`isEventKnown`). */
export const insertEvent = statement((given: Given<typeof billingEvents.$inferSelect>) =>
  query
    .insert(billingEvents)
    .values(pick(given, "eventId", "type", "objectId", "facts", "outcome", "occurredAt", "receivedAt")),
);

/** True when a batch failed because its event is already stored; nothing was written. */
const isEventKnown = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.includes("UNIQUE constraint failed: billing_events.event_id");

/** Marks events that waited for a payment or plan as applied, in the batch of the event that makes it known. */
export const applyWaitingEvents = statement((given: Given<{ objectId: string | null }>) =>
  query
    .update(billingEvents)
    .set({ outcome: "applied" })
    .where(and(eq(billingEvents.objectId, given.objectId), eq(billingEvents.outcome, "waiting"))),
);

/** Fails its batch unless the object still has `count` events that are applied or waiting. */
export const assertEventsUnchanged = statement((given: Given<{ objectId: string | null; count: number }>) =>
  guard(
    "payment_unchanged",
    sql`(select count(*) from ${billingEvents} where ${billingEvents.objectId} = ${given.objectId} and ${isAppliedOrWaiting}) = ${given.count}`,
  ),
);

/** A stored event. Its facts are validated again, because another version may have written them. */
export const toBillingEvent = ({ facts, ...event }: StoredBillingEvent): BillingEvent => ({
  ...event,
  fact: billingFactSchema.parse(facts),
});

/**
 * Maximum number of waiting invoices applied at once, more than a workspace ever has. A later event applies any others.
 */
const WAITING_INVOICES_MAX = 20;

const factKind = sql`json_extract(${billingEvents.facts}, '$.kind')`;

/** Waiting paid invoices of an order's workspace, oldest first. */
export const waitingInvoices = statement((given: Given<{ orderId: string }>) =>
  query
    .from(billingEvents, "eventId", "type", "facts", "occurredAt")
    .innerJoin(
      billingOrders,
      eq(billingOrders.orderId, sql`json_extract(${billingEvents.facts}, '$.orderId')`),
    )
    .where(
      and(
        sql`${factKind} = 'invoice-paid'`,
        eq(billingEvents.outcome, sql`'waiting'`),
        sql`${billingOrders.workspaceId} =
          (select own.workspace_id from ${billingOrders} as own where own.order_id = ${given.orderId})`,
      ),
    )
    .orderBy(asc(billingEvents.occurredAt), asc(billingEvents.eventId))
    .limit(WAITING_INVOICES_MAX),
);

export const settleWaitingEvent = statement(
  (given: Given<{ eventId: string; outcome: "applied" | "refused" }>) =>
    query
      .update(billingEvents)
      .set({ outcome: given.outcome })
      .where(and(eq(billingEvents.eventId, given.eventId), eq(billingEvents.outcome, "waiting"))),
);

/**
 * Marks plan changes that waited for the plan's first invoice as applied. Its other invoices are decided separately.
 */
export const applyWaitingChanges = statement((given: Given<{ providerSubscriptionId: string }>) =>
  query
    .update(billingEvents)
    .set({ outcome: "applied" })
    .where(
      and(
        eq(billingEvents.objectId, given.providerSubscriptionId),
        eq(billingEvents.outcome, "waiting"),
        sql`${factKind} <> 'invoice-paid'`,
      ),
    ),
);

/** Deletes old events without effect, except a waiting paid invoice: that is a customer's money. */
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

/** True when a batch failed because the state behind its decision has changed; decide again. */
export const isOutdated = (thrown: unknown): boolean =>
  isGuardViolation(thrown, "payment_unchanged") ||
  isEventKnown(thrown) ||
  // The workspace has meanwhile spent the credits to be taken back.
  (thrown instanceof Error && thrown.message.includes("CHECK constraint failed: credits_never_negative"));

/** The reason why a payment buys nothing. An operator must refund it or grant the credits manually. */
export type RefusalReason = "ORDER_UNKNOWN" | "SUM_DIFFERS" | "WORKSPACE_ENDED" | "PLAN_ACTIVE";
