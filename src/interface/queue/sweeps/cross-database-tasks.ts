import { mirrorChangedPeople, mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { isReconcileDue, logDifferences } from "#domains/billing/reconcile.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { runMoves } from "#platform/databases/run-moves.ts";
import { budgetedDatabases } from "#platform/databases/statement-budget.ts";
import type { Sweeps } from "./sweep.ts";

/** Work that concerns all databases. With shards, each task has an invocation of its own, and its thousand statements. */
export const CROSS_DATABASE_TASKS = ["moves", "reconcile"] as const;
export type CrossDatabaseTask = (typeof CROSS_DATABASE_TASKS)[number];

/** Entries of the directory whose shards are brought up to their people. */
const MIRRORED_MAX = 20;
/** Statements after which no other entry is mirrored: one with a full workspace of people who left takes some hundred. */
const STATEMENTS_MAX = 600;

/** The tasks of this minute. */
export const dueTasks = (
  { database, billing }: Capabilities,
  nowMs: number,
): readonly CrossDatabaseTask[] => [
  ...((database?.databases.shards.size ?? 0) > 0 ? (["moves"] as const) : []),
  ...(billing !== null && isReconcileDue(nowMs) ? (["reconcile"] as const) : []),
];

/** What a task does. None where the origin is not configured for it. */
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
      mirrorChangedPeople(databases, nowMs, MIRRORED_MAX, { mayGoOn: () => budget.left > 0 }),
  };
}
