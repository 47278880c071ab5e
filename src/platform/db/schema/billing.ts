import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Purchases at the payment provider (Stripe). Amounts are in the currency's minor unit; card data is never stored. */

/** The provider's customer of a workspace. */
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
 * Orders, written before the request to the provider. A payment's event is accepted only with the amount and currency
 * of its order, whatever the current price list says.
 */
export const billingOrders = sqliteTable(
  "billing_orders",
  {
    orderId: text("order_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    kind: text("kind", { enum: ["credits", "top-up", "plan"] }).notNull(),
    offerId: text("offer_id").notNull(),
    /** ISO 4217, lower case. */
    currency: text("currency").notNull(),
    amount: integer("amount").notNull(),
    /** Credits per payment; 0 for a plan. */
    credits: integer("credits").notNull(),
    /** For a plan: quota per paid period. */
    quota: integer("quota"),
    /** The provider's Checkout Session, once created. */
    sessionId: text("session_id"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("billing_orders_created").on(table.createdAt),
    index("billing_orders_by_workspace").on(table.workspaceId, table.createdAt),
  ],
);

/**
 * Events of the provider's webhook, each once. A payment is computed from its own events; other events are deleted
 * after retention.
 */
export const billingEvents = sqliteTable(
  "billing_events",
  {
    eventId: text("event_id").primaryKey(),
    type: text("type").notNull(),
    /** The payment, subscription or customer that the event is about, by which it is matched with other events. */
    objectId: text("object_id").notNull(),
    /** The validated facts of the event as JSON. Never the whole event, which contains personal data. */
    facts: text("facts", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /**
     * `waiting`: for a payment or subscription that is unknown yet, until the event that creates it; or for a plan
     * bought while another is active, until the other plan ends. `refused`: does not match any of our orders.
     * `ignored`: changes nothing.
     */
    outcome: text("outcome", { enum: ["applied", "ignored", "waiting", "refused"] }).notNull(),
    /** When the provider created it, in Unix seconds by the provider's clock. */
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
 * Payments by provider id: a PaymentIntent for credits, an invoice for a plan. A row exists from the first event on,
 * and its amounts only grow towards the provider's totals.
 */
export const payments = sqliteTable(
  "payments",
  {
    paymentId: text("payment_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    kind: text("kind", { enum: ["credits", "top-up", "plan"] }).notNull(),
    offerId: text("offer_id").notNull(),
    /** ISO 4217, lower case. */
    currency: text("currency").notNull(),
    amount: integer("amount").notNull(),
    /** Credits bought; 0 for a plan. */
    credits: integer("credits").notNull(),
    /** The provider's total of refunds, so that a repeated event changes nothing. */
    amountRefunded: integer("amount_refunded").notNull().default(0),
    /** Amount withheld by open and lost disputes. */
    amountDisputed: integer("amount_disputed").notNull().default(0),
    /** Credits in the ledger from this payment: granted minus taken back. */
    creditsHeld: integer("credits_held").notNull().default(0),
    /** Credits to be taken back that were already spent; offset by the workspace's next grants. */
    creditsOwed: integer("credits_owed").notNull().default(0),
    /** The worst of its disputes: `open`, then `lost`, then `won`; null without disputes. */
    dispute: text("dispute", { enum: ["open", "lost", "won"] }),
    /** Number of writes, for optimistic locking. */
    revision: integer("revision").notNull().default(1),
    paidAt: integer("paid_at").notNull(),
    /** The provider's receipt page, if known. */
    receiptUrl: text("receipt_url"),
    /** For a plan: the invoice's PaymentIntent once known; refunds and disputes name it. */
    intentId: text("intent_id"),
    /** For a plan: the provider's subscription, and the paid period. */
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

/** Rules for automatic purchases of credits at a low balance. */
export const topUpRules = sqliteTable("top_up_rules", {
  workspaceId: text("workspace_id")
    .primaryKey()
    .references(() => workspaces.workspaceId),
  offerId: text("offer_id").notNull(),
  /** Credits per purchase, from the offer when the rule was set. */
  credits: integer("credits").notNull(),
  /** The price that the owner agreed to. If the offer's price has changed, nothing is bought. */
  currency: text("currency").notNull(),
  amount: integer("amount").notNull(),
  /** Buys when the balance falls below this many credits. */
  belowCredits: integer("below_credits").notNull(),
  /** Maximum credits per calendar month, in UTC. */
  monthlyCreditsMax: integer("monthly_credits_max").notNull(),
  /** `paused`: a payment failed; the owner must set the rule again. */
  status: text("status", { enum: ["active", "paused"] }).notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** Automatic purchases; at most one open per workspace. Triggers write them (migrations/0021). */
export const topUps = sqliteTable(
  "top_ups",
  {
    topUpId: text("top_up_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    offerId: text("offer_id").notNull(),
    credits: integer("credits").notNull(),
    /** For example `2026-11`. */
    month: text("month").notNull(),
    status: text("status", { enum: ["open", "paid", "failed"] }).notNull(),
    /** The PaymentIntent, once created. */
    paymentId: text("payment_id"),
    /** The card's id at the provider, fixed at the first attempt so that a retry sends the same request. */
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
