import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Measurements of the sweeps for operators. `dead_letters` is in every database, the rest only in `DB`. */

/** Figures of one database; see src/domains/monitoring/figures.ts. */
export interface DatabaseFigures {
  /** Creation time of the oldest open job; null without open jobs. */
  readonly oldestOpenJobAt: number | null;
  /** Number of jobs that ended in the last half hour, and how many of them failed because of a fault of ours. */
  readonly endedJobs: number;
  readonly failedJobs: number;
  readonly openJobs: number;
  /** Work that was due more than ten minutes ago. */
  readonly lateImports: number;
  readonly lateDeliveries: number;
  readonly lateMail: number;
  /** Dead letters of this hour and the previous one. */
  readonly deadLetters: number;
  readonly bytes: number;
}

/** Progress of the check of a database's ledger. */
export interface LedgerCheck {
  /** Null before a pass begins. */
  readonly at: object | null;
  /** Differences found by this pass, and by the previous one. */
  readonly found: number;
  readonly foundBefore: number;
}

export const databaseFigures = sqliteTable("database_figures", {
  home: text("home").primaryKey(),
  measuredAt: integer("measured_at").notNull(),
  figures: text("figures", { mode: "json" }).$type<DatabaseFigures>().notNull(),
  ledger: text("ledger", { mode: "json" }).$type<LedgerCheck>().notNull(),
});

/** Changes of a figure between `ok` and `alert`; a figure's latest change is its state. */
export const alertChanges = sqliteTable(
  "alert_changes",
  {
    /** Ordered by time; also the `webhook-id` of its message. */
    changeId: text("change_id").primaryKey(),
    figure: text("figure").notNull(),
    state: text("state", { enum: ["ok", "alert"] }).notNull(),
    value: real("value").notNull(),
    threshold: real("threshold").notNull(),
    since: integer("since").notNull(),
    /** When the operator's webhook accepted it; null before that. */
    postedAt: integer("posted_at"),
  },
  (table) => [index("alert_changes_by_figure").on(table.figure, table.changeId)],
);

/** Number of dead letters by hour since 1970. */
export const deadLetters = sqliteTable("dead_letters", {
  hour: integer("hour").primaryKey(),
  count: integer("count").notNull(),
});
