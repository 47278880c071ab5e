import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { clock } from "#platform/clock.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { latestMove } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import { shardedDatabases } from "../support/shards.ts";
import { seedWorkspace, wholeWorkspace } from "../support/whole-workspace.ts";

/** Helpers for moves: a workspace on one shard with a requested move to another, and the sweeps that perform it. */

const MINUTE_MS = 60_000;
const MINUTES_MAX = 12;

export const SOURCE = env.TEST_SHARD_00;
export const TARGET = env.TEST_SHARD_01;
export const real: Databases = shardedDatabases();

let nowMs = Date.parse("2032-01-01T00:00:00.000Z");

/** Stops the clock; only `passMinute` advances it. */
export const stopClock = () => vi.spyOn(clock, "now").mockImplementation(() => nowMs);

export const passMinute = (): void => {
  nowMs += MINUTE_MS;
};

/** Creates a workspace with `count` rows in each table on the source, and requests its move. */
export async function askForMove(count: number): Promise<string> {
  const workspaceId = await seedWorkspace(SOURCE, count);
  await env.DB.prepare(
    "INSERT INTO workspaces (workspace_id, name, kind, created_at, home) VALUES (?1, 'x', 'standard', 7, '00')",
  )
    .bind(workspaceId)
    .run();
  expect(await requestMove(real, { workspaceId, target: "01", nowMs })).toMatchObject({ phase: "asked" });
  return workspaceId;
}

export const phaseOf = async (workspaceId: string) =>
  (await latestMove.first(env.DB, { workspaceId }))?.phase;

/** Runs the sweep each minute until the move reaches a phase. */
export async function until(
  workspaceId: string,
  phase: string,
  databases: Databases = real,
  minutesMax = MINUTES_MAX,
): Promise<void> {
  for (let minute = 0; (await phaseOf(workspaceId)) !== phase; minute += 1) {
    if (minute === minutesMax) throw new Error(`the move is ${await phaseOf(workspaceId)}`);
    passMinute();
    await runMoves(databases, async () => undefined);
  }
}

/** Checks that both shards have the same rows of the workspace. */
export const expectSameRows = async (workspaceId: string) =>
  expect(await wholeWorkspace(TARGET, workspaceId)).toEqual(await wholeWorkspace(SOURCE, workspaceId));
