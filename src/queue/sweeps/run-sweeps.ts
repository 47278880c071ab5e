import { mirrorChangedPeople, mirrorPeople } from "../../accounts/mirror-people.ts";
import { isReconcileDue, logDifferences } from "../../billing/reconcile.ts";
import type { BillingService, Capabilities } from "../../bindings/capabilities.ts";
import type { Databases } from "../../databases/databases.ts";
import { runMoves } from "../../databases/run-moves.ts";
import { runAll, type Sweep } from "./sweep.ts";
import { sweepDatabase } from "./sweep-database.ts";
import { sendSweeps } from "./sweep-messages.ts";

/** Entries of the directory whose shards are brought up to their people: four requests each. */
const MIRRORED_MAX = 20;

/** What is done once for all shards: first each is asked to be swept, which then happens beside the rest of the run. */
function sweepsOfShards(databases: Databases, queue: Queue | null, nowMs: number): readonly Sweep[] {
  const { shards } = databases;
  if (shards.size === 0) return [];
  const mirror = (workspaceId: string) => mirrorPeople(databases, workspaceId, nowMs);
  return [
    {
      event: "sweep_shards",
      run: async () => {
        if (queue === null) throw new Error("shards without SWEEP_QUEUE");
        await sendSweeps(queue, shards.keys(), nowMs);
        // Each shard's own run has its line.
        return 0;
      },
    },
    { event: "sweep_moves", run: () => runMoves(databases, mirror) },
    { event: "sweep_people", run: () => mirrorChangedPeople(databases, nowMs, MIRRORED_MAX) },
  ];
}

/** What is done once for all databases, wherever workspaces live. */
const sweepsOfOrigin = (
  databases: Databases,
  billing: BillingService | null,
  nowMs: number,
): readonly Sweep[] =>
  billing !== null && isReconcileDue(nowMs)
    ? [{ event: "sweep_reconcile", run: () => logDifferences(databases, billing, nowMs) }]
    : [];

/**
 * The work of every minute: asks for the sweeps of each shard by a message, does what concerns all databases, and sweeps
 * `DB` itself. Takes the capabilities of the origin. Never throws.
 */
export async function runSweeps(capabilities: Capabilities, nowMs: number): Promise<void> {
  const { database, sweeps: queue, billing } = capabilities;
  if (database === null) return;
  const { databases } = database;
  const counts = await runAll([
    ...sweepsOfShards(databases, queue, nowMs),
    ...sweepsOfOrigin(databases, billing, nowMs),
  ]);
  await sweepDatabase(capabilities, nowMs, counts);
}
