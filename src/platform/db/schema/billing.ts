import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** What is bought at the payment provider (Stripe). Sums of money are in the currency's minor unit; card data never comes here. */

/** Which customer of the provider a workspace is. */
export const billingCustomers = sqliteTable(
  "billing_customers",
  {
    workspaceId: text("workspace_id")
      .primaryKey()
      .references(() => workspaces.workspaceId),
    customerId: text("customer_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("billing_customers_customer").on(table.customerId)],
);

/**
 * What was asked for at the provider, written before it is asked: an event of a payment is taken only where its sum and
 * currency are those of its order, whatever the price list says by then.
 */
export const billingOrders = sqliteTable(
  "billing_orders",
  {
    orderId: text("order_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    kind: text("kind", { enum: ["credits", "top-up", "plan"] }).notNull(),
    offerId: text("offer_id").notNull(),
    /** Lower case, ISO 4217. */
    currency: text("currency").notNull(),
    amount: integer("amount").notNull(),
    /** Credits that a payment of it buys; 0 of a plan. */
    credits: integer("credits").notNull(),
    /** Of a plan, for each period that is paid. */
    quota: integer("quota"),
    /** The Checkout Session at the provider, once it was made. */
    sessionId: text("session_id"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("billing_orders_created").on(table.createdAt),
    index("billing_orders_by_workspace").on(table.workspaceId, table.createdAt),
  ],
);

/** Events of the provider's webhook, each once. What a payment is worth follows from its own; the others are deleted in time. */
export const billingEvents = sqliteTable(
  "billing_events",
  {
    eventId: text("event_id").primaryKey(),
    type: text("type").notNull(),
    /** The payment, subscription or customer that it is about: what a later event of the same thing finds it by. */
    objectId: text("object_id").notNull(),
    /** What is read of the event, checked, as JSON: never the whole event, which names a person. */
    facts: text("facts", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /**
     * `waiting`: of a payment or subscription that is not known yet, applied with the event that makes it known; or of a
     * plan beside another one, applied when that is over. `refused`: of none of our orders as it was ordered. `ignored`: changes nothing.
     */
    outcome: text("outcome", { enum: ["applied", "ignored", "waiting", "refused"] }).notNull(),
    /** When the provider made it, in seconds of its clock. */
    occurredAt: integer("occurred_at").notNull(),
    receivedAt: integer("received_at").notNull(),
  },
  (table) => [
    index("billing_events_by_object").on(table.objectId),
    index("billing_events_waiting").on(table.type).where(sql`outcome = 'waiting'`),
    index("billing_events_received").on(table.receivedAt),
    index("billing_events_without_effect").on(table.receivedAt).where(sql`outcome IN ('ignored', 'waiting')`),
  ],
);

/**
 * Payments, by the provider's id: of a PaymentIntent for credits, of an invoice for a plan. A row stands from the first
 * event that names it; it only ever grows towards what the provider says in sum.
 */
export const payments = sqliteTable(
  "payments",
  {
    paymentId: text("payment_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    kind: text("kind", { enum: ["credits", "top-up", "plan"] }).notNull(),
    offerId: text("offer_id").notNull(),
    /** Lower case, ISO 4217. */
    currency: text("currency").notNull(),
    amount: integer("amount").notNull(),
    /** Credits that it bought; 0 of a plan. */
    credits: integer("credits").notNull(),
    /** In sum; of the provider's own figures, so that a repetition changes nothing. */
    amountRefunded: integer("amount_refunded").notNull().default(0),
    /** Held back by open and lost disputes. */
    amountDisputed: integer("amount_disputed").notNull().default(0),
    /** Credits that the ledger holds of it: granted, less what was taken back. */
    creditsHeld: integer("credits_held").notNull().default(0),
    /** Credits that should have been taken back and were spent already. Paid off by the workspace's next grants. */
    creditsOwed: integer("credits_owed").notNull().default(0),
    /** The worst of its disputes: `open` before `lost` before `won`; null where it has none. */
    dispute: text("dispute", { enum: ["open", "lost", "won"] }),
    /** How often this row was written: what a change was decided on holds while it is the same. */
    revision: integer("revision").notNull().default(1),
    paidAt: integer("paid_at").notNull(),
    /** The provider's page of the receipt, where it has told of one. */
    receiptUrl: text("receipt_url"),
    /** Of a plan: the PaymentIntent that paid the invoice, once it is known; refunds and disputes name it. */
    intentId: text("intent_id"),
    /** Of a plan: the subscription at the provider, and the period that it pays. */
    providerSubscriptionId: text("provider_subscription_id"),
    periodStart: integer("period_start"),
    periodEnd: integer("period_end"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("payments_by_workspace").on(table.workspaceId, table.paidAt, table.paymentId),
    index("payments_paid").on(table.paidAt),
    uniqueIndex("payments_by_intent").on(table.intentId).where(sql`intent_id IS NOT NULL`),
    index("payments_owed").on(table.workspaceId).where(sql`credits_owed > 0`),
    index("payments_in_dispute").on(table.workspaceId).where(sql`dispute = 'open'`),
    check(
      "payment_sums",
      sql`${table.amountRefunded} >= 0 AND ${table.amountDisputed} >= 0 AND ${table.creditsHeld} >= 0 AND ${table.creditsOwed} >= 0`,
    ),
  ],
);

/** Workspaces that buy credits by themselves when few are left. */
export const topUpRules = sqliteTable("top_up_rules", {
  workspaceId: text("workspace_id")
    .primaryKey()
    .references(() => workspaces.workspaceId),
  offerId: text("offer_id").notNull(),
  /** Of the offer, as it was when the rule was set: what one buys. */
  credits: integer("credits").notNull(),
  /** What the owner has agreed to pay for that, each time: another price buys nothing. */
  currency: text("currency").notNull(),
  amount: integer("amount").notNull(),
  /** A balance below this many credits buys. */
  belowCredits: integer("below_credits").notNull(),
  /** Credits that may be bought in a calendar month, in UTC. */
  monthlyCreditsMax: integer("monthly_credits_max").notNull(),
  /** `paused`: a payment failed; its owner sets the rule again. */
  status: text("status", { enum: ["active", "paused"] }).notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** Such purchases. One of a workspace is open at a time; triggers write them (migrations/0021). */
export const topUps = sqliteTable(
  "top_ups",
  {
    topUpId: text("top_up_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    offerId: text("offer_id").notNull(),
    credits: integer("credits").notNull(),
    /** As `2026-11`. */
    month: text("month").notNull(),
    status: text("status", { enum: ["open", "paid", "failed"] }).notNull(),
    /** The PaymentIntent, once it was made. */
    paymentId: text("payment_id"),
    /** The card's id at the provider, from the first attempt on: a repetition asks for exactly the same. */
    paymentMethodId: text("payment_method_id"),
    failureCode: text("failure_code"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: integer("next_attempt_at"),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("top_ups_one_open").on(table.workspaceId).where(sql`status = 'open'`),
    index("top_ups_due").on(table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index("top_ups_by_month").on(table.workspaceId, table.month),
  ],
);
