import { mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { clock } from "#platform/clock.ts";
import { type Databases, everyDatabase } from "#platform/databases/databases.ts";
import { latestMove, placeOf } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import { Gate, InjectedFault } from "../fault/gate.ts";
import { gatedDatabase } from "../fault/gated-env.ts";
import { boundDatabase, boundDatabases, homeOf, isOnShards } from "./homes.ts";

/** Moves of workspaces between the databases of a run with shards. */

/**
 * Slightly longer than a move waits for key caches to expire (`ANNOUNCED_MS`), and for readers of the old rows
 * (`LEFT_MS`), in milliseconds.
 */
export const ANNOUNCED_MS = 16_000;
export const LEFT_MS = 61_000;

/** More runs of the sweep than any move needs, even after some interruptions. */
const RUNS_MAX = 40;

/**
 * Requests a move of a workspace. With `at` 0 the target is the database after the workspace's own, with 1 the next but
 * one, and so on. Returns false without shards, for an unknown workspace, or during a move.
 */
export async function beginMove(workspaceId: string, at = 0): Promise<boolean> {
  if (!isOnShards()) return false;
  const homes = everyDatabase(boundDatabases()).map(({ home }) => home);
  const here = homes.indexOf(await homeOf(workspaceId));
  const target = homes[(here + 1 + (at % (homes.length - 1))) % homes.length];
  if (target === undefined) return false;
  const asked = await requestMove(boundDatabases(), { workspaceId, target, nowMs: clock.now() });
  return typeof asked !== "string";
}

/** Runs moves on these databases, like the sweep. */
export const workOnMoves = (databases: Databases = boundDatabases()): Promise<number> =>
  runMoves(databases, (workspaceId) => mirrorPeople(databases, workspaceId, clock.now()));

/** Whether a move of the workspace is unfinished. */
export async function isMoveOpen(workspaceId: string): Promise<boolean> {
  if (!isOnShards()) return false;
  const move = await latestMove.first(boundDatabases().directory, { workspaceId });
  return move !== null && move.finishedAt === null;
}

/** Wraps the databases so that every call passes through the gate, which can stop it. */
export const gatedDatabases = ({ directory, shards }: Databases, gate: Gate): Databases => ({
  directory: gatedDatabase(directory, gate),
  shards: new Map([...shards].map(([name, db]) => [name, gatedDatabase(db, gate)])),
});

/** Runs moves until the workspace has just begun to refuse writes, and then stops as if the process had died. */
export async function closeMove(workspaceId: string, wait: (ms: number) => void): Promise<void> {
  await workOnMoves();
  wait(ANNOUNCED_MS);
  for (let step = 1; (await isMoveOpen(workspaceId)) && !(await isClosed(workspaceId)); step += 1) {
    if (step === RUNS_MAX) throw new Error("a move does not come to its end");
    const gate = new Gate({ step, kind: "kill-before" });
    await workOnMoves(gatedDatabases(boundDatabases(), gate)).catch((thrown: unknown) => {
      if (!(thrown instanceof InjectedFault)) throw thrown;
    });
  }
}

/** Runs moves until the workspace's move is finished; `wait` advances the time. */
export async function finishMove(workspaceId: string, wait: (ms: number) => void): Promise<void> {
  for (let run = 0; await isMoveOpen(workspaceId); run += 1) {
    if (run === RUNS_MAX) throw new Error("a move does not end");
    await workOnMoves();
    wait(run % 2 === 0 ? ANNOUNCED_MS : LEFT_MS);
  }
}

/** Moves a workspace to this database and waits until its old rows are deleted; `wait` advances the time. */
export async function moveTo(
  databases: Databases,
  workspaceId: string,
  target: Home,
  wait: (ms: number) => void,
): Promise<void> {
  const asked = await requestMove(databases, { workspaceId, target, nowMs: clock.now() });
  if (typeof asked === "string") throw new Error(asked);
  const isDone = async () => (await latestMove.first(databases.directory, { workspaceId }))?.phase === "done";
  for (let run = 0; !(await isDone()); run += 1) {
    if (run === RUNS_MAX) throw new Error("a move does not end");
    await workOnMoves(databases);
    wait(run % 2 === 0 ? ANNOUNCED_MS : LEFT_MS);
  }
}

/** Moves a workspace completely. Returns the number of moves: 0 without shards. */
export async function moveWhole(workspaceId: string, wait: (ms: number) => void): Promise<number> {
  if (!(await beginMove(workspaceId))) return 0;
  await finishMove(workspaceId, wait);
  return 1;
}

/** Whether the workspace refuses writes because it moves. */
export async function isClosed(workspaceId: string): Promise<boolean> {
  if (!isOnShards()) return false;
  const place = await placeOf.first(boundDatabase(await homeOf(workspaceId)), { workspaceId });
  return place !== null && place.movingSince !== null;
}

/** Number of finished moves of these workspaces. */
export async function countMoves(workspaceIds: readonly string[]): Promise<number> {
  if (!isOnShards()) return 0;
  const count = await boundDatabases()
    .directory.prepare(
      `SELECT COUNT(*) AS count FROM workspace_moves
       WHERE phase = 'done' AND workspace_id IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(workspaceIds))
    .first<number>("count");
  return count ?? 0;
}
