import { and, asc, eq, ne, sql } from "drizzle-orm";
import { guard } from "#platform/db/guard.ts";
import { query } from "#platform/db/query.ts";
import { billingEvents, billingOrders, payments, subscriptions } from "#platform/db/schema/index.ts";
import { type Given, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick.ts";
import type { Payment } from "../payments/payment-effects.ts";

/** SQL of payments of plans. */

/** Payments of a plan, each with the period that it paid. */
export const planPayments = statement(
  (given: Given<{ workspaceId: string; providerSubscriptionId: string }>) =>
    query
      .select({
        ...pick(payments, "paymentId", "workspaceId", "kind", "offerId", "currency", "amount", "credits"),
        ...pick(payments, "amountRefunded", "amountDisputed", "creditsHeld", "creditsOwed", "dispute"),
        ...pick(payments, "revision", "paidAt", "receiptUrl", "periodStart", "intentId"),
      })
      .from(payments)
      .where(
        and(
          eq(payments.workspaceId, given.workspaceId),
          eq(payments.providerSubscriptionId, given.providerSubscriptionId),
        ),
      ),
);

export type PlanPayment = RowOf<typeof planPayments>;

/** Which plan and period a payment is for. */
export const planOfPayment = statement((given: Given<{ paymentId: string }>) =>
  query
    .select(pick(payments, "providerSubscriptionId", "periodStart"))
    .from(payments)
    .where(eq(payments.paymentId, given.paymentId)),
);

interface PlanPaymentRow extends Payment {
  readonly intentId: string | null;
  readonly providerSubscriptionId: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly nowMs: number;
}

export const insertPlanPayment = statement((given: Given<PlanPaymentRow>) =>
  query.insert(payments).values({
    ...pick(given, "paymentId", "workspaceId", "kind", "offerId", "currency", "amount", "credits"),
    ...pick(given, "amountRefunded", "amountDisputed", "creditsHeld", "creditsOwed", "dispute"),
    ...pick(given, "revision", "paidAt", "receiptUrl"),
    ...pick(given, "intentId", "providerSubscriptionId", "periodStart", "periodEnd"),
    createdAt: given.nowMs,
  }),
);

/** Notes which PaymentIntent has paid an invoice. */
export const setIntent = statement((given: Given<{ paymentId: string; intentId: string }>) =>
  query.update(payments).set({ intentId: given.intentId }).where(eq(payments.paymentId, given.paymentId)),
);

/** The latest period that was paid of a workspace's other plans. */
export const latestOtherPeriod = statement(
  (given: Given<{ workspaceId: string; providerSubscriptionId: string }>) =>
    query
      .select({ startMs: sql<number | null>`max(${payments.periodStart})` })
      .from(payments)
      .where(
        and(
          eq(payments.workspaceId, given.workspaceId),
          ne(payments.providerSubscriptionId, given.providerSubscriptionId),
        ),
      ),
);

/** More than any workspace has at a time; those beyond are applied with a later event. */
const WAITING_INVOICES_MAX = 20;

/** What an event tells, whatever the provider calls it. */
const factKind = sql`json_extract(${billingEvents.facts}, '$.kind')`;

/** Paid invoices that wait, of the workspace of an order, oldest first. */
export const waitingInvoices = statement((given: Given<{ orderId: string }>) =>
  query
    .select(pick(billingEvents, "eventId", "type", "facts", "occurredAt"))
    .from(billingEvents)
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

/** Notes what became of an event that waited. */
export const settleWaitingEvent = statement(
  (given: Given<{ eventId: string; outcome: "applied" | "refused" }>) =>
    query
      .update(billingEvents)
      .set({ outcome: given.outcome })
      .where(and(eq(billingEvents.eventId, given.eventId), eq(billingEvents.outcome, "waiting"))),
);

/** Changes of a plan that waited for its first invoice. Its other invoices are decided each by itself. */
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

interface PlaceRead {
  readonly workspaceId: string;
  readonly subscriptionId: string | null;
  readonly providerSubscriptionId: string;
  readonly latestOther: number | null;
}

/** Fails its batch unless the workspace's subscription, and the latest period of its other plans, are those that were read. */
export const assertPlaceUnchanged = statement((given: Given<PlaceRead>) =>
  guard(
    "payment_unchanged",
    sql`(select ${subscriptions.subscriptionId} from ${subscriptions}
        where ${subscriptions.workspaceId} = ${given.workspaceId} and ${subscriptions.status} = 'active')
        is ${given.subscriptionId}
      and (select max(${payments.periodStart}) from ${payments} where ${payments.workspaceId} = ${given.workspaceId}
        and ${payments.providerSubscriptionId} <> ${given.providerSubscriptionId}) is ${given.latestOther}`,
  ),
);
