import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";

/** Workspaces and subscriptions. */

export const workspaces = sqliteTable(
  "workspaces",
  {
    workspaceId: text("workspace_id").primaryKey(),
    name: text("name").notNull(),
    kind: text("kind", { enum: ["standard", "trial"] }).notNull(),
    /** Σ of the ledger's amounts with the source `credits`; only the ledger's trigger changes it. */
    credits: integer("credits").notNull().default(0),
    hasUnlimitedAccess: integer("has_unlimited_access", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
    /** Only trial workspaces expire. */
    expiresAt: integer("expires_at"),
    /** When an operator or a dispute suspended it; null while active. */
    suspendedAt: integer("suspended_at"),
    /** `dispute`: suspended for credits owed for a disputed payment, until none are owed. */
    suspendedFor: text("suspended_for", { enum: ["dispute"] }),
    /**
     * The workspace's database if it is another one: `DB` or a shard's name. In `DB` such a row is the directory's
     * entry; on a shard it is a forwarder. Null: its rows are here.
     */
    home: text("home"),
    /**
     * Set during a move: on the source to the move's id, on the target to the target's name. Isolates then stop caching
     * the workspace's keys.
     */
    movingTo: text("moving_to"),
    /**
     * Time since which triggers refuse writes because rows are being copied; null while the workspace accepts writes.
     */
    movingSince: integer("moving_since"),
    /**
     * Only in the directory's entry: the revision of the workspace's accounts (a count of changes), and the latest
     * revision mirrored to its shard.
     */
    peopleRevision: integer("people_revision").notNull().default(0),
    peopleMirrored: integer("people_mirrored").notNull().default(0),
  },
  (table) => [
    check("credits_never_negative", sql`${table.credits} >= 0`),
    index("workspaces_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
    // The sweep of expired trials reads this index every minute; it must not contain swept workspaces.
    index("workspaces_expiring_credits")
      .on(table.expiresAt)
      .where(sql`expires_at IS NOT NULL AND credits > 0`),
    // Directory entries whose shard lacks the latest accounts, or the workspace itself.
    index("workspaces_people_changed")
      .on(table.workspaceId)
      .where(sql`home IS NOT NULL AND people_revision > people_mirrored`),
    // To find moves that may have been interrupted.
    index("workspaces_moving").on(table.workspaceId).where(sql`moving_to IS NOT NULL`),
  ],
);

/**
 * Always empty between batches. A batch that copies or deletes a workspace's rows first inserts a row here, and deletes
 * it last. While the row exists, no trigger acts except those that forbid changing ledger events. Other batches never
 * see the row, because a batch is a transaction.
 */
export const workspaceCopies = sqliteTable("workspace_copies", {
  workspaceId: text("workspace_id").primaryKey(),
});

/**
 * The change log of a workspace that is being copied: triggers (migrations/0030 and 0031) record each written row in
 * the same batch, for the copy to read again. Empty for other workspaces.
 */
export const workspaceChanges = sqliteTable("workspace_changes", {
  /** Never reused, so deleting the entries up to a number that was read deletes no newer ones. */
  sequence: integer("sequence").primaryKey({ autoIncrement: true }),
  workspaceId: text("workspace_id").notNull(),
  /** The root's table and key (databases/move-tables.ts), also for a child row. */
  tableName: text("table_name").notNull(),
  rootKey: text("root_key").notNull(),
});

/** Moves of workspaces between databases, only in `DB`; see databases/run-moves.ts. */
export const workspaceMoves = sqliteTable(
  "workspace_moves",
  {
    moveId: text("move_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    /** Database names: `DB`, or a shard. */
    source: text("source").notNull(),
    target: text("target").notNull(),
    phase: text("phase", {
      enum: ["asked", "copying", "comparing", "opening", "emptying", "undoing", "done", "undone"],
    }).notNull(),
    /** Progress within the phase; null at its start. */
    position: text("position", { mode: "json" }).$type<object>(),
    /** Grows with each change, so that the second of two concurrent runs cannot save, and stops. */
    revision: integer("revision").notNull().default(0),
    /** When writes were refused (from then on also the fencing token), and when they were accepted again. */
    frozenAt: integer("frozen_at"),
    openedAt: integer("opened_at"),
    /** Rows written to the target, including repetitions. */
    rowsWritten: integer("rows_written").notNull().default(0),
    /** Consecutive failed runs. */
    failures: integer("failures").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    // One unfinished move per workspace.
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
    /** Used in the period beginning at `periodStart`; only the ledger's trigger and the roll-over change it. */
    quotaUsed: integer("quota_used").notNull().default(0),
    periodStart: integer("period_start").notNull(),
    periodEnd: integer("period_end").notNull(),
    createdAt: integer("created_at").notNull(),
    /**
     * For a bought plan: the provider's subscription. Its periods open when they are paid, not by the clock. Null for a
     * plan granted by an operator, whose periods open by the clock.
     */
    providerSubscriptionId: text("provider_subscription_id"),
    planId: text("plan_id"),
    /** When it ends, if its owner has canceled it. */
    cancelAt: integer("cancel_at"),
    /** The latest applied event of the provider, as `<seconds>:<event id>`; older ones change nothing. */
    providerEvent: text("provider_event"),
    /** When it ended at the provider for good; paid access continues until `paysUntil`. */
    endedAt: integer("ended_at"),
    /** When a bought plan's paid access ends without another payment; null if the clock opens periods. */
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
