import { sweepAlerts } from "#domains/monitoring/alerts.ts";
import { measureDatabase } from "#domains/monitoring/measure.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { recordShard } from "#platform/databases/list-objects.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { accessSweeps } from "./access-sweeps.ts";
import { billingSweeps } from "./billing-sweeps.ts";
import { fileSweeps } from "./file-sweeps.ts";
import { jobSweeps } from "./job-sweeps.ts";
import { sendingSweeps } from "./sending-sweeps.ts";
import { logSwept, runAll, type Sweep, type SweepCounts } from "./sweep.ts";

type DatabaseService = NonNullable<Capabilities["database"]>;

/** What the directory is to know of a database, and the alerts that follow from all of that. */
const stateSweeps = (
  { databases, home }: DatabaseService,
  { alerts }: Capabilities,
  nowMs: number,
): readonly Sweep[] => [
  { event: "sweep_figures", run: () => measureDatabase(databases, home, nowMs) },
  home === DIRECTORY
    ? { event: "sweep_alerts", run: () => sweepAlerts(databases.directory, alerts, nowMs) }
    : { event: "sweep_shard_state", run: () => recordShard(databases, home, nowMs) },
];

/** All sweeps of one database, as far as the origin is configured for them. */
const sweepsOf = (database: DatabaseService, capabilities: Capabilities, nowMs: number): readonly Sweep[] => [
  ...jobSweeps(database, capabilities, nowMs),
  ...accessSweeps(database.db, nowMs),
  ...fileSweeps(database.db, capabilities.storage, nowMs),
  ...billingSweeps(database.db, capabilities.billing, nowMs),
  // After all others, so that they also send what the sweeps before have written.
  ...sendingSweeps(database.db, capabilities, nowMs),
  ...stateSweeps(database, capabilities, nowMs),
];

/**
 * Sweeps the database that the capabilities are of, and logs the run with what was swept `before`. Never throws: what could
 * not be done now is found by the next run.
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
