import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Every grant, consumption, refund, expiry and adjustment of credits. Triggers forbid changing these rows. */

export const ledgerEvents = sqliteTable(
  "ledger_events",
  {
    eventId: integer("event_id").primaryKey({ autoIncrement: true }),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    type: text("type", { enum: ["grant", "consumption", "refund", "expiry", "adjustment"] }).notNull(),
    /** Signed credits: negative for spending. */
    amount: integer("amount").notNull(),
    source: text("source", { enum: ["credits", "subscription", "unlimited"] }).notNull(),
    /** The source's balance after the event; null for unlimited access. */
    balanceAfter: integer("balance_after"),
    jobId: text("job_id"),
    /** The charged subscription and its period, because a late refund must not count in a new period. */
    subscriptionId: text("subscription_id"),
    subscriptionPeriodStart: integer("subscription_period_start"),
    /** Identifies the cause; unique, so that a cause has one event. */
    reference: text("reference").notNull(),
    description: text("description").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("ledger_events_reference").on(table.reference),
    index("ledger_events_by_workspace").on(table.workspaceId, table.eventId),
    // For the audit log.
    index("ledger_events_money")
      .on(table.workspaceId, table.createdAt)
      .where(sql`type IN ('grant', 'expiry', 'adjustment')`),
    index("ledger_events_by_job").on(table.jobId).where(sql`job_id IS NOT NULL`),
  ],
);
