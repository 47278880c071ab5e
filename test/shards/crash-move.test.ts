import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { clock } from "#platform/clock.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { latestMove, placeOf } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import { CRASH_KINDS, type Crash, Gate } from "../fault/gate.ts";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { gatedDatabases } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { shardedDatabases, withShards } from "../support/shards.ts";
import { countsOf, seedWorkspace, wholeWorkspace } from "../support/whole-workspace.ts";

/**
 * Crashes a move at every await. The move must continue where it was: no row is lost or duplicated, the ledger sum
 * stays the same, at most one database accepts writes, and a reader always finds the workspace.
 */

beforeAll(withShards);

const MINUTE_MS = 60_000;
/** Maximum duration of a move in minutes. A move with one crash takes less. */
const MINUTES_MAX = 12;

const real = shardedDatabases();
const SOURCE = env.TEST_SHARD_00;
const TARGET = env.TEST_SHARD_01;

const gated = (gate: Gate): Databases => gatedDatabases(real, gate);

const WRITE = "UPDATE jobs SET started_at = started_at WHERE workspace_id = ?1";

/** Whether the database accepts writes to the workspace's rows. Changes no row. */
async function acceptsWrites(db: D1Database, workspaceId: string): Promise<boolean> {
  const place = await placeOf.first(db, { workspaceId });
  const isRefused = await db
    .prepare(WRITE)
    .bind(workspaceId)
    .run()
    .then(
      () => false,
      () => true,
    );
  const isOpen = place !== null && place.home === null && place.movingSince === null;
  // The triggers must agree with the workspace's own row, if there are rows.
  if (isOpen) expect(isRefused).toBe(false);
  return isOpen;
}

/**
 * The database that reads of the workspace use, found by following forwarders from the directory. Throws if a row is
 * missing or the forwarders lead in a circle.
 */
async function homeOf(workspaceId: string): Promise<string> {
  let home = "DB";
  for (let hop = 0; hop < 4; hop += 1) {
    const db = home === "DB" ? env.DB : real.shards.get(home as "00");
    const place = db === undefined ? null : await placeOf.first(db, { workspaceId });
    if (place === null) throw new Error(`nothing at ${home}`);
    if (place.home === null) return home;
    home = place.home;
  }
  throw new Error("the forwarders lead in a circle");
}

/** A workspace on the source, with its directory entry. */
async function arrange(): Promise<string> {
  const workspaceId = await seedWorkspace(SOURCE, 2);
  const name = await SOURCE.prepare("SELECT name FROM workspaces WHERE workspace_id = ?1")
    .bind(workspaceId)
    .first("name");
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO workspaces (workspace_id, name, kind, created_at) VALUES (?1, ?2, 'standard', 7)",
    ).bind(workspaceId, name),
    env.DB.prepare("UPDATE workspaces SET home = '00' WHERE workspace_id = ?1").bind(workspaceId),
  ]);
  return workspaceId;
}

let nowMs = Date.parse("2030-01-01T00:00:00.000Z");

/** Moves a workspace, with one crash if given. Returns the database calls until the crash. */
async function moveWithCrash(crash: Crash | null): Promise<readonly string[]> {
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
  const workspaceId = await arrange();
  const before = await wholeWorkspace(SOURCE, workspaceId);
  const first = new Gate(crash);
  let databases = gated(first);
  await requestMove(real, { workspaceId, target: "01", nowMs });
  const isOver = async () => (await latestMove.first(env.DB, { workspaceId }))?.phase === "done";
  for (let minute = 0; !(await isOver()); minute += 1) {
    if (minute === MINUTES_MAX) throw new Error("the move does not end");
    await runMoves(databases, (workspaceId) => mirrorPeople(databases, workspaceId, nowMs)).catch(
      () => undefined,
    );
    if (first.isDead) databases = gated(new Gate());
    const writers = [await acceptsWrites(SOURCE, workspaceId), await acceptsWrites(TARGET, workspaceId)];
    expect(writers.filter(Boolean).length, "databases that take writes").toBeLessThanOrEqual(1);
    const home = await homeOf(workspaceId);
    expect(await wholeWorkspace(home === "00" ? SOURCE : TARGET, workspaceId), `read at ${home}`).toEqual(
      before,
    );
    nowMs += MINUTE_MS;
  }
  expect(await homeOf(workspaceId)).toBe("01");
  expect(await wholeWorkspace(TARGET, workspaceId)).toEqual(before);
  expect(await countsOf(SOURCE, workspaceId)).toEqual({ workspaces: 1, api_keys: 2 });
  expect(await acceptsWrites(TARGET, workspaceId)).toBe(true);
  return first.calls;
}

it("a move between two shards survives a crash at any step", async ({ task }) => {
  silenceLogs();
  const calls = await moveWithCrash(null);
  const { crashStride, shard } = stressScale();
  const crashes = calls
    .flatMap((_, step) => CRASH_KINDS.map((kind) => ({ step, kind })))
    .filter((_, at) => at % crashStride === 0)
    .filter((_, at) => at % shard.total === shard.index - 1);
  for (const crash of crashes) {
    await moveWithCrash(crash).catch((thrown: unknown) => {
      throw new Error(
        `${calls[crash.step]} (step ${crash.step} of ${calls.length}), ${crash.kind}: ${thrown}`,
        {
          cause: thrown,
        },
      );
    });
  }
  reportStress(task, { counts: { steps: calls.length, crashes: crashes.length } });
});
