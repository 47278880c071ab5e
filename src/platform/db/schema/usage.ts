import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What was spent, summed by day. Triggers keep it (migrations/0021). */

export const usageDays = sqliteTable(
  "usage_days",
  {
    workspaceId: text("workspace_id").notNull(),
    /** The UTC day on which the jobs were ordered, as `2026-11-22`. A refund counts on its job's day. */
    day: text("day").notNull(),
    /** The key that ordered; empty for a session's key and for those of before this table. */
    apiKeyId: text("api_key_id").notNull(),
    contractId: text("contract_id").notNull(),
    /** What paid: `credits`, `subscription` or `unlimited`. */
    source: text("source", { enum: ["credits", "subscription", "unlimited"] }).notNull(),
    jobs: integer("jobs").notNull(),
    /** Credits that were consumed, and of them those that were given back; both at least 0. */
    consumed: integer("consumed").notNull(),
    refunded: integer("refunded").notNull(),
  },
  (table) => [
    // The key before the day: what a key has spent is read with each of its orders, and what a workspace has now and then.
    primaryKey({ columns: [table.workspaceId, table.apiKeyId, table.day, table.contractId, table.source] }),
  ],
);

/**
 * Where each month of a workspace's ledger begins: a statement finds its events and its opening balance by it. A month
 * without events has no row. Later months have later events, so that what a clock wrote a moment too early stands in the
 * month after.
 */
export const ledgerMonths = sqliteTable(
  "ledger_months",
  {
    workspaceId: text("workspace_id").notNull(),
    /** In UTC, as `2026-11`. */
    month: text("month").notNull(),
    firstEventId: integer("first_event_id").notNull(),
    /** The workspace's credits before that event. */
    openingCredits: integer("opening_credits").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.month] })],
);

/** What a workspace set for its mails. No row: the defaults. */
export const workspaceNotices = sqliteTable("workspace_notices", {
  workspaceId: text("workspace_id").primaryKey(),
  /** A balance below this many credits is mailed to the owner; 0 for never. */
  lowBalanceBelow: integer("low_balance_below").notNull(),
});
