import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";

/** Workspaces, and the subscriptions that some of them pay with. */

export const workspaces = sqliteTable(
  "workspaces",
  {
    workspaceId: text("workspace_id").primaryKey(),
    name: text("name").notNull(),
    kind: text("kind", { enum: ["standard", "trial"] }).notNull(),
    /** Σ of the ledger's amounts whose source is `credits`; only the ledger's trigger changes it. */
    credits: integer("credits").notNull().default(0),
    hasUnlimitedAccess: integer("has_unlimited_access", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
    /** Trial workspaces end; others do not. */
    expiresAt: integer("expires_at"),
    /** Since when an operator, or a dispute, has stopped it; null while it may act. */
    suspendedAt: integer("suspended_at"),
    /** `dispute`: it was stopped for credits that it owes for a disputed payment, and may act again once it owes none. */
    suspendedFor: text("suspended_for", { enum: ["dispute"] }),
  },
  (table) => [
    check("credits_never_negative", sql`${table.credits} >= 0`),
    index("workspaces_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
    // The sweep of ended trials looks here every minute: it must not meet those that are swept already.
    index("workspaces_expiring_credits")
      .on(table.expiresAt)
      .where(sql`expires_at IS NOT NULL AND credits > 0`),
  ],
);

export const subscriptions = sqliteTable(
  "subscriptions",
  {
    subscriptionId: text("subscription_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    status: text("status", { enum: ["active", "canceled"] }).notNull(),
    period: text("period", { enum: ["day", "month"] }).notNull(),
    quotaLimit: integer("quota_limit").notNull(),
    /** Used in the period that began at `periodStart`; only the ledger's trigger and the roll-over change it. */
    quotaUsed: integer("quota_used").notNull().default(0),
    periodStart: integer("period_start").notNull(),
    periodEnd: integer("period_end").notNull(),
    createdAt: integer("created_at").notNull(),
    /**
     * Of a plan that was bought: the subscription at the payment provider. Its periods open when they are paid, never by
     * the clock alone; null for one that an operator granted, whose periods open by the clock.
     */
    providerSubscriptionId: text("provider_subscription_id"),
    planId: text("plan_id"),
    /** When it ends, where its owner has cancelled it for then. */
    cancelAt: integer("cancel_at"),
    /** The latest event at the provider that it follows, as `<seconds>:<event id>`: an older one changes nothing. */
    providerEvent: text("provider_event"),
    /** When it ended at the provider, for good; what was paid for is kept until `paysUntil`. */
    endedAt: integer("ended_at"),
    /** When a plan that was bought pays for nothing more, unless another period is paid; null where the clock opens periods. */
    paysUntil: integer("pays_until"),
  },
  (table) => [
    uniqueIndex("subscriptions_by_provider")
      .on(table.providerSubscriptionId)
      .where(sql`provider_subscription_id IS NOT NULL`),
    uniqueIndex("subscriptions_one_active").on(table.workspaceId).where(sql`status = 'active'`),
    check("quota_within_limit", sql`${table.quotaUsed} >= 0 AND ${table.quotaUsed} <= ${table.quotaLimit}`),
  ],
);
