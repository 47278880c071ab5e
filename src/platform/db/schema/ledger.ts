import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** What was paid, granted and given back. Triggers forbid changing a row. */

export const ledgerEvents = sqliteTable(
  "ledger_events",
  {
    eventId: integer("event_id").primaryKey({ autoIncrement: true }),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    type: text("type", { enum: ["grant", "consumption", "refund", "expiry", "adjustment"] }).notNull(),
    /** Signed credits: negative takes, positive gives. */
    amount: integer("amount").notNull(),
    source: text("source", { enum: ["credits", "subscription", "unlimited"] }).notNull(),
    /** Balance of the source after the event; null where the source has none (unlimited). */
    balanceAfter: integer("balance_after"),
    jobId: text("job_id"),
    /** Which subscription was charged, and in which period: a late refund must not enter a new period. */
    subscriptionId: text("subscription_id"),
    subscriptionPeriodStart: integer("subscription_period_start"),
    /** Says what the event is for; unique, so that one cause has one event. */
    reference: text("reference").notNull(),
    description: text("description").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("ledger_events_reference").on(table.reference),
    index("ledger_events_by_workspace").on(table.workspaceId, table.eventId),
    // What the audit log reads.
    index("ledger_events_money")
      .on(table.workspaceId, table.createdAt)
      .where(sql`type IN ('grant', 'expiry', 'adjustment')`),
    index("ledger_events_by_job").on(table.jobId).where(sql`job_id IS NOT NULL`),
  ],
);
