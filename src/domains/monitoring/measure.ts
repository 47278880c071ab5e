import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import type { LedgerCheck } from "#platform/db/schema/index.ts";
import { log } from "#platform/log/log.ts";
import { checkLedgerPage, readLedgerPosition } from "../ledger/check-ledger.ts";
import {
  countDeadLetters,
  deleteOldDeadLetters,
  figuresOfDatabase,
  measurement,
  saveFigures,
} from "./figure-store.ts";

/** The sweep's measurement of one database. */

const HALF_HOUR_MS = 30 * 60_000;
/** Work due longer ago than this is late. */
const LATE_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/** Number of workspaces, events or jobs that a run checks: a few reads per database and minute. */
const LEDGER_ROWS = 500;

const NOT_BEGUN: LedgerCheck = { at: null, found: 0, foundBefore: 0 };

/** Checks the next page of a database's ledger, and logs each difference. */
async function continueLedgerCheck(db: D1Database, home: Home, before: LedgerCheck): Promise<LedgerCheck> {
  const { next, faults } = await checkLedgerPage(db, readLedgerPosition(before.at), LEDGER_ROWS);
  for (const { kind, workspaceId, jobId } of faults) {
    log.failure({
      event: "ledger_difference",
      code: home,
      reason: kind,
      workspaceId,
      ...(jobId !== null && { jobId }),
    });
  }
  const found = before.found + faults.length;
  return next === null ? { at: null, found: 0, foundBefore: found } : { ...before, at: next, found };
}

/**
 * Measures a database, checks a page of its ledger, and stores both in the directory. Returns 0, because a sweep
 * returns how many rows it handled.
 */
export async function measureDatabase(databases: Databases, home: Home, nowMs: number): Promise<number> {
  const { directory } = databases;
  const db = databaseOf(databases, home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  const before = await figuresOfDatabase.first(directory, { home });
  const times = {
    nowMs,
    madeAfterMs: nowMs - HALF_HOUR_MS,
    lateMs: nowMs - LATE_MS,
    hour: Math.floor(nowMs / HOUR_MS),
  };
  const measured = await measurement.bind(db, times).all();
  const figures = measurement.row(measured);
  if (figures === null) throw new Error("a measurement without a row");
  const ledger = await continueLedgerCheck(db, home, before?.ledger ?? NOT_BEGUN);
  // developers.cloudflare.com/d1/worker-api/return-object: each query returns the size of the database.
  const all = { ...figures, bytes: measured.meta.size_after };
  await saveFigures.run(directory, { home, measuredAt: nowMs, figures: all, ledger });
  return 0;
}

/** Counts a queue's dead letters. Never throws. */
export async function noteDeadLetters(db: D1Database, count: number, nowMs: number): Promise<void> {
  const hour = Math.floor(nowMs / HOUR_MS);
  try {
    await db.batch([countDeadLetters.bind(db, { hour, count }), deleteOldDeadLetters.bind(db, { hour })]);
  } catch (thrown) {
    log.failure({ event: "dead_letters_not_counted", count }, thrown);
  }
}
