import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import type { Databases } from "../../src/databases/databases.ts";
import { latestMove } from "../../src/databases/move-store.ts";
import { askMove, runMoves } from "../../src/databases/run-moves.ts";
import { clock } from "../../src/platform/clock.ts";
import { newId } from "../../src/platform/ids.ts";
import { Gate } from "../fault/gate.ts";
import { gatedDatabase } from "../fault/gated-env.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { shardedDatabases, withShards } from "../support/shards.ts";
import { countsOf, seedRows } from "../support/whole-workspace.ts";

/**
 * Guarantee: a move refuses writes of a workspace with a few thousand rows for seconds, counted in trips to the databases. The
 * last comparison reads every row, so the time grows with them (docs/scaling.md).
 */

beforeAll(withShards);

/** A trip to a database, by the clock of these moves. */
const TRIP_MS = 25;
const MINUTE_MS = 60_000;
const MINUTES_MAX = 30;
const FAR_MS = 400 * 86_400_000;

/** Moves a workspace with so many rows in each table; gives all its rows, and for how long it took no writes. */
async function closedTime(count: number): Promise<{ rows: number; closedMs: number }> {
  const real = shardedDatabases();
  const gate = new Gate();
  const databases: Databases = {
    directory: gatedDatabase(real.directory, gate),
    shards: new Map([...real.shards].map(([name, db]) => [name, gatedDatabase(db, gate)])),
  };
  let minutes = 0;
  const startedAt = Date.parse("2031-01-01T00:00:00.000Z");
  vi.spyOn(clock, "now").mockImplementation(
    () => startedAt + minutes * MINUTE_MS + gate.calls.length * TRIP_MS,
  );
  const workspaceId = newId();
  const create = (db: D1Database, home: string | null) =>
    db
      .prepare(
        "INSERT INTO workspaces (workspace_id, name, kind, created_at, home) VALUES (?1, 'x', 'standard', 7, ?2)",
      )
      .bind(workspaceId, home)
      .run();
  await create(env.DB, "00");
  await create(env.TEST_SHARD_00, null);
  await seedRows(env.TEST_SHARD_00, { workspaceId, count, dueAt: startedAt + FAR_MS });
  const rows = Object.values(await countsOf(env.TEST_SHARD_00, workspaceId)).reduce((sum, one) => sum + one);
  await askMove(real, { workspaceId, target: "01", nowMs: startedAt });
  for (; minutes < MINUTES_MAX; minutes += 1) {
    await runMoves(databases, async () => undefined);
    const { frozenAt = null, openedAt = null } = (await latestMove.first(env.DB, { workspaceId })) ?? {};
    if (frozenAt !== null && openedAt !== null) return { rows, closedMs: openedAt - frozenAt };
  }
  throw new Error("the move does not end");
}

it("a move takes no writes for about a second, and for half of one more with each thousand rows", async () => {
  silenceLogs();
  const times = [];
  for (const count of [4, 80, 400]) times.push(await closedTime(count));
  console.log(times.map(({ rows, closedMs }) => `${rows} rows: ${closedMs} ms`).join("\n"));
  for (const { rows, closedMs } of times) expect(closedMs).toBeLessThanOrEqual(1_500 + 0.5 * rows);
});
