import { eq, type SQL, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import {
  alertChanges,
  artifacts,
  assetImports,
  type DatabaseFigures,
  databaseFigures,
  deadLetters,
  deliveries,
  jobs,
  type LedgerCheck,
  mailMessages,
} from "#platform/db/schema/index.ts";
import { excluded, type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { isOpenIn, openJobsByTime, openWorkspaceId, openWorkspaces } from "../jobs/open-jobs.ts";

/** SQL of figures and alerts. Counts stop at a bound, so that a measurement reads a bounded number of rows. */

const COUNTED_MAX = 10_000;

const countUpTo = (rows: SQL): SQL<number> =>
  sql<number>`(select count(*) from (select 1 from ${rows} limit ${COUNTED_MAX}))`;

type Times = {
  /**
   * Start of the half hour in which packs are counted. Failed jobs are counted until `deleteFilesAfter`, which is also
   * half an hour after the failure.
   */
  readonly madeAfterMs: number;
  readonly nowMs: number;
  readonly lateMs: number;
  readonly hour: number;
};

/** One database's part of the figures. The database's size is in the result's `meta`. */
export const measurement = statement((given: Given<Times>) => {
  const failed = sql`${jobs} where ${jobs.deleteFilesAfter} > ${given.nowMs}`;
  // Uses the index of the expiry: a pack of the half hour expires one of the retention periods after its creation.
  const expiring = Object.values(LIMITS.artifactRetentionMs).map(
    (keptMs) =>
      sql`${artifacts.expiresAt} between ${given.madeAfterMs} + ${sql.raw(String(keptMs))} and ${given.nowMs} + ${sql.raw(String(keptMs))}`,
  );
  const made = sql`${artifacts} where purged_at is null and ${artifacts.createdAt} > ${given.madeAfterMs}
    and (${sql.join(expiring, sql` or `)})`;
  return query
    .select({
      oldestOpenJobAt: sql<
        number | null
      >`(with ${openWorkspaces()} select min((select min(${jobs.createdAt}) from ${openJobsByTime}
      where ${isOpenIn(openWorkspaceId)})) from open_workspace)`,
      endedJobs: sql<number>`${countUpTo(made)} + ${countUpTo(failed)}`,
      failedJobs: countUpTo(sql`${failed} and ${jobs.failureCode} = 'RENDERING_FAILED'`),
      openJobs: countUpTo(sql`${jobs} indexed by jobs_open where finished_at is null`),
      lateImports: countUpTo(sql`${assetImports} where ${assetImports.nextAttemptAt} <= ${given.lateMs}`),
      lateDeliveries: countUpTo(
        sql`${deliveries} where next_attempt_at is not null and ${deliveries.nextAttemptAt} <= ${given.lateMs}`,
      ),
      lateMail: countUpTo(
        sql`${mailMessages} where next_attempt_at is not null and ${mailMessages.nextAttemptAt} <= ${given.lateMs}`,
      ),
      deadLetters: sql<number>`(select coalesce(sum(${deadLetters.count}), 0) from ${deadLetters}
      where ${deadLetters.hour} >= ${given.hour} - 1)`,
    })
    .from(sql`(select 1)`);
});

export const figuresOfDatabase = statement((given: Given<{ home: string }>) =>
  query.from(databaseFigures, "ledger").where(eq(databaseFigures.home, given.home)),
);

export const saveFigures = statement(
  (given: Given<{ home: string; measuredAt: number; figures: DatabaseFigures; ledger: LedgerCheck }>) =>
    query
      .insert(databaseFigures)
      .values(pick(given, "home", "measuredAt", "figures", "ledger"))
      .onConflictDoUpdate({
        target: databaseFigures.home,
        set: excluded(databaseFigures, "measuredAt", "figures", "ledger"),
      }),
);

export const allFigures = statement(() =>
  query.from(databaseFigures, "home", "measuredAt", "figures", "ledger"),
);

const isLatest = sql`${alertChanges.changeId} in (select max(newest.change_id) from alert_changes as newest group by newest.figure)`;

const CHANGE = ["changeId", "figure", "state", "value", "threshold", "since"] as const;
const shownChange = pick(alertChanges, ...CHANGE);

/** The current state of each figure that ever alerted. */
export const alertStates = statement(() => query.read(alertChanges, shownChange).where(isLatest));

type NewChange = Pick<typeof alertChanges.$inferSelect, (typeof CHANGE)[number]>;

/** Inserts a change, unless another run has done so. */
export const insertChange = statement((given: Given<NewChange>) =>
  query.insert(alertChanges).selecting(
    pick(given, ...CHANGE),
    sql`where ${given.state} <> coalesce((select a.state from alert_changes as a where a.figure = ${given.figure}
      order by a.change_id desc limit 1), 'ok')`,
  ),
);

/** Changes that the webhook has not accepted, oldest first. */
export const unpostedChanges = statement((given: Given<{ sinceMs: number; limit: number }>) =>
  query
    .read(alertChanges, shownChange)
    .where(sql`${alertChanges.postedAt} is null and ${alertChanges.since} > ${given.sinceMs}`)
    .orderBy(alertChanges.changeId)
    .limit(given.limit),
);

export const markPosted = statement((given: Given<{ changeId: string; nowMs: number }>) =>
  query.update(alertChanges).set({ postedAt: given.nowMs }).where(eq(alertChanges.changeId, given.changeId)),
);

/** Deletes old changes except the current states. */
export const deleteOldChanges = statement((given: Given<{ beforeMs: number }>) =>
  query.delete(alertChanges).where(sql`${alertChanges.since} < ${given.beforeMs} and not ${isLatest}`),
);

/** Counts dead letters, and deletes the counts of more than two days ago. */
export const countDeadLetters = statement(
  (given: Given<{ hour: number; count: number }>) =>
    sql`insert into ${deadLetters} (hour, count) values (${given.hour}, ${given.count})
      on conflict do update set count = count + excluded.count`,
);

export const deleteOldDeadLetters = statement((given: Given<{ hour: number }>) =>
  query.delete(deadLetters).where(sql`${deadLetters.hour} < ${given.hour} - 48`),
);
