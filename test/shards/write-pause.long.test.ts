import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { clock } from "#platform/clock.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { latestMove } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { newId } from "#platform/ids.ts";
import { Gate } from "../fault/gate.ts";
import { gatedDatabase } from "../fault/gated-env.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { shardedDatabases, withShards } from "../support/shards.ts";
import { countsOf, seedRows } from "../support/whole-workspace.ts";

/**
 * The time for which a move refuses writes depends on how many rows were written since they were copied, not on the
 * total number of rows. Measured in round trips.
 */

beforeAll(withShards);

/** Simulated duration of a round trip, in ms. */
const TRIP_MS = 25;
const MINUTE_MS = 60_000;
const MINUTES_MAX = 30;
const FAR_MS = 400 * 86_400_000;

/** Writes a row of the workspace before every call, while writes are accepted. */
class BusyGate extends Gate {
  readonly #workspaceId: string;

  constructor(workspaceId: string) {
    super();
    this.#workspaceId = workspaceId;
  }

  override async pass<T>(name: string, call: () => Promise<T>): Promise<T> {
    await env.TEST_SHARD_00.prepare("UPDATE api_keys SET name = name WHERE workspace_id = ?1")
      .bind(this.#workspaceId)
      .run()
      .catch((thrown: unknown) => {
        if (!isMovingError(thrown)) throw thrown;
      });
    return super.pass(name, call);
  }
}

/**
 * Moves a workspace with `count` rows in each table. Returns the number of its rows, and for how many ms it refused
 * writes.
 */
async function closedTime(count: number, isBusy = false): Promise<{ rows: number; closedMs: number }> {
  const real = shardedDatabases();
  const workspaceId = newId();
  const gate = isBusy ? new BusyGate(workspaceId) : new Gate();
  const databases: Databases = {
    directory: gatedDatabase(real.directory, gate),
    shards: new Map([...real.shards].map(([name, db]) => [name, gatedDatabase(db, gate)])),
  };
  let minutes = 0;
  const startedAt = Date.parse("2031-01-01T00:00:00.000Z");
  vi.spyOn(clock, "now").mockImplementation(
    () => startedAt + minutes * MINUTE_MS + gate.calls.length * TRIP_MS,
  );
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
  await requestMove(real, { workspaceId, target: "01", nowMs: startedAt });
  for (; minutes < MINUTES_MAX; minutes += 1) {
    const before = gate.statements;
    await runMoves(databases, async () => undefined);
    statements.push(gate.statements - before);
    const { frozenAt = null, openedAt = null } = (await latestMove.first(env.DB, { workspaceId })) ?? {};
    if (frozenAt !== null && openedAt !== null) return { rows, closedMs: openedAt - frozenAt };
  }
  throw new Error("the move does not end");
}

/** Number of statements of each run of the sweep. */
const statements: number[] = [];
/**
 * The platform allows a thousand queries per invocation, and may count each statement of a batch. Other sweeps need the
 * rest.
 */
const STATEMENTS_MAX = 400;

/** Sixteen round trips of the move, plus those that read, write and count the remaining changes. */
const TRIPS_MAX = 28;

it("a move refuses writes for as many round trips with few rows as with many", async () => {
  silenceLogs();
  const times = [];
  for (const count of [4, 80, 400, 600]) times.push(await closedTime(count));
  const busy = await closedTime(4, true);
  console.log(`statements: ${statements.join(", ")}`);
  console.log([...times, busy].map(({ rows, closedMs }) => `${rows} rows: ${closedMs} ms`).join("\n"));
  expect(new Set(times.map(({ closedMs }) => closedMs)).size).toBe(1);
  expect(Math.max(...statements), `statements a run: ${statements.join(", ")}`).toBeLessThan(STATEMENTS_MAX);
  for (const { closedMs } of [...times, busy]) expect(closedMs).toBeLessThanOrEqual(TRIPS_MAX * TRIP_MS);
});
