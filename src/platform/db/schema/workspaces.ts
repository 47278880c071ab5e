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
    /**
     * The database where the workspace lives, where that is another one: `DB`, or the name of a shard. In `DB` such a row is
     * the directory's entry, on a shard it forwards to where the workspace has moved. Null: its rows are here.
     */
    home: text("home"),
    /** Set while it moves: the id of the move, and on the target its own name. From then on no isolate remembers its keys. */
    movingTo: text("moving_to"),
    /** Since when its rows are being copied and triggers refuse writes; null while it may be written. */
    movingSince: integer("moving_since"),
    /** In the directory's entry: how often its people have changed, and which change is the last that its shard has. */
    peopleRevision: integer("people_revision").notNull().default(0),
    peopleMirrored: integer("people_mirrored").notNull().default(0),
  },
  (table) => [
    check("credits_never_negative", sql`${table.credits} >= 0`),
    index("workspaces_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
    // The sweep of ended trials looks here every minute: it must not meet those that are swept already.
    index("workspaces_expiring_credits")
      .on(table.expiresAt)
      .where(sql`expires_at IS NOT NULL AND credits > 0`),
    // Entries of the directory whose shard does not have the latest people, or not even the workspace.
    index("workspaces_people_changed")
      .on(table.workspaceId)
      .where(sql`home IS NOT NULL AND people_revision > people_mirrored`),
    // Of which a move may have been broken off.
    index("workspaces_moving").on(table.workspaceId).where(sql`moving_to IS NOT NULL`),
  ],
);

/**
 * Always empty between batches. A batch that copies or removes the rows of a workspace as they are puts one in first and
 * takes it out last: while it is there, no trigger acts, neither those that move money and write mail nor those that refuse
 * writes. Nobody else ever sees it, since a batch is a transaction.
 */
export const workspaceCopies = sqliteTable("workspace_copies", {
  workspaceId: text("workspace_id").primaryKey(),
});

/**
 * Rows that were written while their workspace is copied, by triggers (migrations/0030 and 0031) and in the batch that wrote them: what the copy
 * has to look at again. Empty of workspaces that do not move.
 */
export const workspaceChanges = sqliteTable("workspace_changes", {
  /** Never given twice, so that whoever removes what was read removes nothing newer. */
  sequence: integer("sequence").primaryKey({ autoIncrement: true }),
  workspaceId: text("workspace_id").notNull(),
  /** The root's table and key (databases/move-tables.ts), also of a row that hangs on it. */
  tableName: text("table_name").notNull(),
  rootKey: text("root_key").notNull(),
});

/** Moves of workspaces from one database to another, in `DB` alone; see databases/run-moves.ts. */
export const workspaceMoves = sqliteTable(
  "workspace_moves",
  {
    moveId: text("move_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    /** Names of databases: `DB`, or a shard. */
    source: text("source").notNull(),
    target: text("target").notNull(),
    phase: text("phase", {
      enum: ["asked", "copying", "comparing", "opening", "emptying", "undoing", "done", "undone"],
    }).notNull(),
    /** Where the phase has come to; null at its beginning. */
    position: text("position", { mode: "json" }).$type<object>(),
    /** Grows with each change: of two runs that work on a move at once, one stops. */
    revision: integer("revision").notNull().default(0),
    /** Since when writes are refused, and when they were accepted again. Tells one attempt at a copy from the next. */
    frozenAt: integer("frozen_at"),
    openedAt: integer("opened_at"),
    /** Rows that were written to the target, some more than once. */
    rowsWritten: integer("rows_written").notNull().default(0),
    /** Runs that failed, in a row. */
    failures: integer("failures").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    // One open move of a workspace at a time.
    uniqueIndex("workspace_moves_one_open").on(table.workspaceId).where(sql`finished_at IS NULL`),
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
