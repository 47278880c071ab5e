import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What the sweeps measure for operators. `dead_letters` is in every database, the rest in `DB` alone. */

/** Of one database; see src/domains/monitoring/figures.ts. */
export interface DatabaseFigures {
  /** When the oldest open job was created; null where none is open. */
  readonly oldestOpenJobAt: number | null;
  /** Of the last half hour: jobs that ended, and those that failed by our fault. */
  readonly endedJobs: number;
  readonly failedJobs: number;
  readonly openJobs: number;
  /** Work that was due ten minutes ago. */
  readonly lateImports: number;
  readonly lateDeliveries: number;
  readonly lateMail: number;
  /** Of this hour and the one before. */
  readonly deadLetters: number;
  readonly bytes: number;
}

/** How far the check of a database's ledger has come. */
export interface LedgerCheck {
  /** Null before a pass begins. */
  readonly at: object | null;
  /** Differences that this pass has found, and that the one before found. */
  readonly found: number;
  readonly foundBefore: number;
}

export const databaseFigures = sqliteTable("database_figures", {
  home: text("home").primaryKey(),
  measuredAt: integer("measured_at").notNull(),
  figures: text("figures", { mode: "json" }).$type<DatabaseFigures>().notNull(),
  ledger: text("ledger", { mode: "json" }).$type<LedgerCheck>().notNull(),
});

/** Changes of a figure between `ok` and `alert`; the latest of a figure is its state. */
export const alertChanges = sqliteTable(
  "alert_changes",
  {
    /** Grows with time; also the `webhook-id` of its message. */
    changeId: text("change_id").primaryKey(),
    figure: text("figure").notNull(),
    state: text("state", { enum: ["ok", "alert"] }).notNull(),
    value: real("value").notNull(),
    threshold: real("threshold").notNull(),
    since: integer("since").notNull(),
    /** When the operator's webhook took it; null until then. */
    postedAt: integer("posted_at"),
  },
  (table) => [index("alert_changes_by_figure").on(table.figure, table.changeId)],
);

/** How many messages the queues gave up, by hours since 1970. */
export const deadLetters = sqliteTable("dead_letters", {
  hour: integer("hour").primaryKey(),
  count: integer("count").notNull(),
});
