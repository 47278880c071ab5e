import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { clock } from "#platform/clock.ts";
import { latestMove, placeOf } from "#platform/databases/move-store.ts";
import { askMove, runMoves } from "#platform/databases/run-moves.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import { shardedDatabases, withShards } from "../support/shards.ts";
import { countsOf, seedWorkspace, wholeWorkspace } from "../support/whole-workspace.ts";

/** Guarantee: a move leaves every row of a workspace on its new database as it was on the old one, and none there. */

beforeAll(withShards);

const MINUTE_MS = 60_000;
const databases = shardedDatabases();
let nowMs = Date.parse("2030-01-01T00:00:00.000Z");

beforeEach(() => {
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
});

async function ask(workspaceId: string, target: Home): Promise<void> {
  const asked = await askMove(databases, { workspaceId, target, nowMs });
  expect(asked).toMatchObject({ phase: "asked" });
}

/** What the sweeps of some minutes do. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await runMoves(databases, (workspaceId) => mirrorPeople(databases, workspaceId, nowMs));
    nowMs += MINUTE_MS;
  }
}

const phaseOf = async (workspaceId: string) => (await latestMove.first(env.DB, { workspaceId }))?.phase;

it("every table, to a shard, to another and back", async () => {
  const workspaceId = await seedWorkspace(env.DB, 5);
  const before = await wholeWorkspace(env.DB, workspaceId);
  expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true);
  const stays: readonly [Home, D1Database][] = [
    ["DB", env.DB],
    ["01", env.TEST_SHARD_01],
    ["02", env.TEST_SHARD_02],
    ["01", env.TEST_SHARD_01],
    ["DB", env.DB],
  ];
  for (const [at, [target, db]] of stays.entries()) {
    if (at === 0) continue;
    const left = stays[at - 1]?.[1] ?? env.DB;
    await ask(workspaceId, target);
    await minutes(4);
    expect(await phaseOf(workspaceId), `to ${target}`).toBe("done");
    expect(await wholeWorkspace(db, workspaceId), `at ${target}`).toEqual(before);
    expect(await placeOf.first(db, { workspaceId })).toEqual({
      home: null,
      movingTo: null,
      movingSince: null,
    });
    expect(await placeOf.first(left, { workspaceId })).toMatchObject({ home: target, movingTo: null });
    expect(await countsOf(left, workspaceId)).toEqual({ workspaces: 1, api_keys: 5 });
    expect(await placeOf.first(env.DB, { workspaceId })).toMatchObject({
      home: target === "DB" ? null : target,
    });
  }
});

it("what is written, changed and deleted while it is copied", async () => {
  const workspaceId = await seedWorkspace(env.DB, 4);
  await ask(workspaceId, "03");
  await minutes(1);
  expect(await phaseOf(workspaceId)).toBe("copying");
  const { results } = await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO ledger_events (workspace_id, type, amount, source, balance_after, reference, description, created_at)
       VALUES (?1, 'grant', 5, 'credits', 45, ?1 || ':later', 'later', 9)`,
    ).bind(workspaceId),
    env.DB.prepare("UPDATE jobs SET failure_message = 'changed' WHERE workspace_id = ?1").bind(workspaceId),
    env.DB.prepare("UPDATE destinations SET settings = 'changed' WHERE workspace_id = ?1").bind(workspaceId),
    env.DB.prepare("DELETE FROM asset_imports WHERE workspace_id = ?1").bind(workspaceId),
    env.DB.prepare("DELETE FROM idempotency_keys WHERE workspace_id = ?1 AND created_at > 1").bind(
      workspaceId,
    ),
    env.DB.prepare(
      "UPDATE deliveries SET finished_at = 9 WHERE workspace_id = ?1 AND delivery_number % 2 = 0",
    ).bind(workspaceId),
  ]).then((all) => ({ results: all.map(({ meta }) => meta.changes) }));
  expect(results.every((changes) => changes > 0)).toBe(true);
  const before = await wholeWorkspace(env.DB, workspaceId);
  await minutes(4);
  expect(await phaseOf(workspaceId)).toBe("done");
  expect(await wholeWorkspace(env.TEST_SHARD_03, workspaceId)).toEqual(before);
});
