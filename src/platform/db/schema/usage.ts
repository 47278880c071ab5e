import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Spending by day. Triggers maintain it (migrations/0021). */

export const usageDays = sqliteTable(
  "usage_days",
  {
    workspaceId: text("workspace_id").notNull(),
    /** The UTC day of the orders, for example `2026-11-22`. A refund counts on its job's day. */
    day: text("day").notNull(),
    /** The key that ordered; empty for session keys, and for orders from before this table. */
    apiKeyId: text("api_key_id").notNull(),
    contractId: text("contract_id").notNull(),
    /** The means of payment: `credits`, `subscription` or `unlimited`. */
    source: text("source", { enum: ["credits", "subscription", "unlimited"] }).notNull(),
    jobs: integer("jobs").notNull(),
    /** Credits consumed, and how many of them were refunded; both at least 0. */
    consumed: integer("consumed").notNull(),
    refunded: integer("refunded").notNull(),
  },
  (table) => [
    // The key precedes the day, because each order reads its key's spending, and workspace totals are rarely read.
    primaryKey({ columns: [table.workspaceId, table.apiKeyId, table.day, table.contractId, table.source] }),
  ],
);

/**
 * Start of each month in a workspace's ledger, for statements: the first event and the opening balance. Months without
 * events have no row. Months follow the order of events: if a clock lags, an event with a time in the previous month
 * counts in the month that has already begun.
 */
export const ledgerMonths = sqliteTable(
  "ledger_months",
  {
    workspaceId: text("workspace_id").notNull(),
    /** UTC month, for example `2026-11`. */
    month: text("month").notNull(),
    firstEventId: integer("first_event_id").notNull(),
    /** The workspace's credits before that event. */
    openingCredits: integer("opening_credits").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.month] })],
);

/** A workspace's mail settings; without a row, the defaults. */
export const workspaceNotices = sqliteTable("workspace_notices", {
  workspaceId: text("workspace_id").primaryKey(),
  /** The owner gets an email when the balance falls below this many credits; 0 for never. */
  lowBalanceBelow: integer("low_balance_below").notNull(),
});
