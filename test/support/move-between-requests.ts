import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { hashSecret } from "#domains/keys/service.ts";
import { isolateOf } from "#interface/http/isolate-state.ts";
import { clock } from "#platform/clock.ts";
import { anyDatabase, boundDatabases, isOnShards } from "./homes.ts";
import { ANNOUNCED_MS, beginMove, isMoveOpen, LEFT_MS, workOnMoves } from "./moves.ts";

/** In a run with shards, workspaces move between any test's requests, without any effect on the answers. */

/** A workspace moves before its second and before its fifth request. */
const MOVES_BEFORE: ReadonlySet<number> = new Set([2, 5]);
/** Maximum runs of the sweep per move. If a test has stopped the clock, the move stays unfinished. */
const RUNS_MAX = 5;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const requests = new Map<string, number>();
let moves = 0;
let underWay = 0;
let moving: Promise<void> = Promise.resolve();

/** The id of the key's workspace, and all UUIDs in the path. */
async function workspacesOf(secret: string | undefined, path: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>(path.match(UUID) ?? []);
  if (secret !== undefined) {
    const workspaceId = await anyDatabase()
      .prepare("SELECT workspace_id FROM api_keys WHERE secret_hash = ?1")
      .bind(await hashSecret(env.KEY_PEPPER ?? "", secret))
      .first<string>("workspace_id");
    if (workspaceId !== null) found.add(workspaceId);
  }
  return found;
}

/** Whether a test spies on database calls: a move would add calls. */
const isWatched = (): boolean =>
  [env.DB, ...boundDatabases().shards.values()].some((db) =>
    [db.prepare, db.batch, db.withSession].some((method) => vi.isMockFunction(method)),
  );

/** Runs `work` with the clock `ms` ahead. Nothing else may run meanwhile. */
async function later(ms: number, work: () => Promise<unknown>): Promise<void> {
  const { now } = clock;
  clock.now = () => now() + ms;
  try {
    await work();
  } finally {
    clock.now = now;
  }
}

/** Removes the workspace's keys from the key cache. In production they would expire while the move waits. */
async function forgetKeys(workspaceId: string): Promise<void> {
  for (const apiKeyId of await keysOf(workspaceId)) isolateOf(env).recentKeys.delete(apiKeyId);
}

async function keysOf(workspaceId: string): Promise<readonly string[]> {
  const { results } = await anyDatabase()
    .prepare("SELECT api_key_id AS apiKeyId FROM api_keys WHERE workspace_id = ?1")
    .bind(workspaceId)
    .all<{ apiKeyId: string }>();
  return results.map(({ apiKeyId }) => apiKeyId);
}

async function moveNow(workspaceId: string): Promise<void> {
  if (!(await beginMove(workspaceId))) return;
  await workOnMoves();
  await forgetKeys(workspaceId);
  let passed = 0;
  for (let run = 0; run < RUNS_MAX && (await isMoveOpen(workspaceId)); run += 1) {
    passed += run === 0 ? ANNOUNCED_MS : LEFT_MS;
    await later(passed, workOnMoves);
  }
  if (!(await isMoveOpen(workspaceId))) moves += 1;
}

/** Possibly moves the request's workspaces, then sends it. Concurrent requests delay a move. */
export async function afterMoves<T>(
  { secret, path }: { readonly secret: string | undefined; readonly path: string },
  send: () => Promise<T>,
): Promise<T> {
  if (!isOnShards()) return send();
  const turn = moving.then(() => moveSome(secret, path));
  moving = turn;
  await turn;
  underWay += 1;
  try {
    return await send();
  } finally {
    underWay -= 1;
  }
}

async function moveSome(secret: string | undefined, path: string): Promise<void> {
  if (underWay > 0 || isWatched()) return;
  for (const workspaceId of await workspacesOf(secret, path)) {
    const count = (requests.get(workspaceId) ?? 0) + 1;
    requests.set(workspaceId, count);
    if (MOVES_BEFORE.has(count)) await moveNow(workspaceId);
  }
}

/** Number of moves since the last call. */
export function takeMoves(): number {
  const taken = moves;
  moves = 0;
  return taken;
}
