import { mirrorChangedPeople, mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { isReconcileDue, logDifferences } from "#domains/billing/reconcile.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { runMoves } from "#platform/databases/run-moves.ts";
import { budgetedDatabases } from "#platform/databases/statement-budget.ts";
import type { Sweeps } from "./sweep.ts";

/** Tasks that concern all databases. With shards, each runs in its own invocation, which may send 1,000 statements. */
export const CROSS_DATABASE_TASKS = ["moves", "reconcile"] as const;
export type CrossDatabaseTask = (typeof CROSS_DATABASE_TASKS)[number];

/** Maximum number of workspaces per run whose account changes are copied to their shards. */
const MIRRORED_MAX = 20;
/**
 * After this many statements, the run copies no further workspace. A full workspace whose members left needs a
 * few hundred.
 */
const STATEMENTS_MAX = 600;

/** Tasks due this minute. */
export const dueTasks = (
  { database, billing }: Capabilities,
  nowMs: number,
): readonly CrossDatabaseTask[] => [
  ...((database?.databases.shards.size ?? 0) > 0 ? (["moves"] as const) : []),
  ...(billing !== null && isReconcileDue(nowMs) ? (["reconcile"] as const) : []),
];

/** Sweeps of a task; empty if the origin is not configured for it. */
export function sweepsOfTask(
  task: CrossDatabaseTask,
  { database, billing }: Capabilities,
  nowMs: number,
): Sweeps {
  if (database === null) return {};
  if (task === "reconcile") {
    return billing === null
      ? {}
      : { sweep_reconcile: () => logDifferences(database.databases, billing, nowMs) };
  }
  const budget = { left: STATEMENTS_MAX };
  const databases = budgetedDatabases(database.databases, budget);
  return {
    sweep_moves: () => runMoves(databases, (workspaceId, of) => mirrorPeople(of, workspaceId, nowMs)),
    sweep_people: () =>
      mirrorChangedPeople(databases, nowMs, MIRRORED_MAX, { mayContinue: () => budget.left > 0 }),
  };
}
