import type { Capabilities } from "../../bindings/capabilities.ts";
import { recordShard } from "../../databases/list-objects.ts";
import { heldForMove } from "../../databases/move-store.ts";
import { DIRECTORY } from "../../databases/shard-name.ts";
import { log } from "../../platform/log.ts";
import { accessSweeps } from "./access-sweeps.ts";
import { billingSweeps } from "./billing-sweeps.ts";
import { fileSweeps } from "./file-sweeps.ts";
import { jobSweeps } from "./job-sweeps.ts";
import { sendingSweeps } from "./sending-sweeps.ts";
import { logSwept, runAll, type Sweep, type SweepCounts } from "./sweep.ts";

type DatabaseService = NonNullable<Capabilities["database"]>;

/** What the directory is to know of a shard. */
const stateSweeps = ({ databases, home }: DatabaseService, nowMs: number): readonly Sweep[] =>
  home === DIRECTORY ? [] : [{ event: "sweep_shard_state", run: () => recordShard(databases, home, nowMs) }];

/** All sweeps of one database, as far as the origin is configured for them. */
const sweepsOf = (database: DatabaseService, capabilities: Capabilities, nowMs: number): readonly Sweep[] => [
  ...jobSweeps(database, capabilities, nowMs),
  ...accessSweeps(database.db, nowMs),
  ...fileSweeps(database.db, capabilities.storage, nowMs),
  ...billingSweeps(database.db, capabilities.billing, nowMs),
  // After all others, so that they also send what the sweeps before have written.
  ...sendingSweeps(database.db, capabilities, nowMs),
  ...stateSweeps(database, nowMs),
];

/**
 * Whether rows lie in the database that nothing may change, because their workspace moves: each sweep would stop at them.
 * All wait for as long as rows are copied to it, or deleted from it: minutes, or more where there are very many. What they do
 * comes late by that and never twice, since only the database where the workspace lives is swept of its rows.
 */
const isHeld = async ({ db, databases }: DatabaseService): Promise<boolean> =>
  databases.shards.size > 0 && (await heldForMove.first(db, {})) !== null;

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
  try {
    if (await isHeld(database)) return log.line({ event: "sweeps_held", code });
  } catch (thrown) {
    return log.failure({ event: "sweeps_failed", code }, thrown);
  }
  const counts = await runAll(sweepsOf(database, capabilities, nowMs));
  logSwept(code, { ...before, ...counts }, nowMs);
}
