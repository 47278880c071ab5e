import { LIMITS } from "#api/limits.ts";
import { deleteExpiredAccess } from "#domains/accounts/store.ts";
import { deleteOldEvents as deleteOldAuditEvents } from "#domains/audit/read-audit.ts";
import { deleteOldEvents } from "#domains/billing/events/event-store.ts";
import { collectOwed } from "#domains/billing/payments/collect-owed.ts";
import { deleteOldOrders } from "#domains/billing/payments/payment-store.ts";
import { attemptTopUps } from "#domains/billing/purchases/attempt-top-ups.ts";
import { deleteExpiredKeys } from "#domains/idempotency/store.ts";
import { deleteExpiredSessionKeys } from "#domains/keys/session-key-store.ts";
import { deleteDeadKeys } from "#domains/keys/store.ts";
import { sweepAlerts } from "#domains/monitoring/alerts.ts";
import { measureDatabase } from "#domains/monitoring/measure.ts";
import { deleteOldShares } from "#domains/shares/store.ts";
import { expireTrials } from "#domains/workspaces/store.ts";
import type { BillingService, Capabilities } from "#platform/bindings/capabilities.ts";
import { recordShard } from "#platform/databases/list-objects.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { fileSweeps } from "./file-sweeps.ts";
import { jobSweeps } from "./job-sweeps.ts";
import { sendingSweeps } from "./sending-sweeps.ts";
import { logSwept, ROWS_MAX, runAll, type SweepCounts, type Sweeps } from "./sweep.ts";

type DatabaseService = NonNullable<Capabilities["database"]>;

/** Measures a database for the directory, and sends alerts from `DB`. */
const stateSweeps = (
  { databases, home }: DatabaseService,
  { alerts }: Capabilities,
  nowMs: number,
): Sweeps => ({
  sweep_figures: () => measureDatabase(databases, home, nowMs),
  ...(home === DIRECTORY
    ? { sweep_alerts: () => sweepAlerts(databases.directory, alerts, nowMs) }
    : { sweep_shard_state: () => recordShard(databases, home, nowMs) }),
});

/** All sweeps of one database that the origin is configured for. */
const sweepsOf = (database: DatabaseService, capabilities: Capabilities, nowMs: number): Sweeps => ({
  ...jobSweeps(database, capabilities, nowMs),
  ...accessSweeps(database.db, nowMs),
  ...fileSweeps(database.db, capabilities.storage, nowMs),
  ...billingSweeps(database.db, capabilities.billing, nowMs),
  // After the sweeps that write mail and deliveries, to send them in the same run.
  ...sendingSweeps(database.db, capabilities, nowMs),
  ...stateSweeps(database, capabilities, nowMs),
});

/**
 * Sweeps the capabilities' database and logs the run together with the counts of `before`. Never throws; the next run
 * finds what this one missed.
 */
export async function sweepDatabase(
  capabilities: Capabilities,
  nowMs: number,
  before: SweepCounts = {},
): Promise<void> {
  const { database } = capabilities;
  if (database === null) return;
  const { home: code } = database;
  const counts = await runAll(sweepsOf(database, capabilities, nowMs));
  logSwept(code, { ...before, ...counts }, nowMs);
}

/** Each trial needs one statement; all are in one batch. */
const TRIALS_MAX = 500;

/** Deletes expired trials, keys, links, sessions and Idempotency-Keys. */
const accessSweeps = (db: D1Database, nowMs: number): Sweeps => ({
  sweep_trials: () => expireTrials(db, nowMs, TRIALS_MAX),
  sweep_dead_keys: () => deleteDeadKeys(db, nowMs, ROWS_MAX),
  sweep_audit: () => deleteOldAuditEvents(db, nowMs, ROWS_MAX),
  sweep_shares: () => deleteOldShares(db, nowMs, ROWS_MAX),
  sweep_session_keys: () => deleteExpiredSessionKeys.run(db, { nowMs, limit: ROWS_MAX }),
  sweep_sessions: () => deleteExpiredAccess(db, nowMs, ROWS_MAX),
  sweep_idempotency_keys: () => deleteExpiredKeys(db, nowMs, ROWS_MAX),
});

/** Each workspace needs one read and one batch. */
const OWING_MAX = 20;
/** Each top-up needs five requests to the provider, and as many to the database. */
const TOP_UPS_MAX = 20;

/** Collects owed credits, buys automatic top-ups, and deletes old orders and payment events. */
function billingSweeps(db: D1Database, billing: BillingService | null, nowMs: number): Sweeps {
  const unusedBeforeMs = nowMs - LIMITS.unusedOrderRetentionMs;
  return {
    sweep_owed_credits: () => collectOwed(db, nowMs, OWING_MAX),
    sweep_old_orders: () => deleteOldOrders.run(db, { createdBeforeMs: unusedBeforeMs, limit: ROWS_MAX }),
    sweep_old_billing_events: () =>
      deleteOldEvents.run(db, { receivedBeforeMs: unusedBeforeMs, limit: ROWS_MAX }),
    ...(billing && { sweep_top_ups: () => attemptTopUps(db, billing, nowMs, TOP_UPS_MAX) }),
  };
}
