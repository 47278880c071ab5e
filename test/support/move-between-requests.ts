import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { hashSecret } from "#domains/keys/service.ts";
import { isolateOf } from "#interface/http/isolate-state.ts";
import { clock } from "#platform/clock.ts";
import { anyDatabase, boundDatabases, isOnShards } from "./homes.ts";
import { ANNOUNCED_MS, beginMove, isMoveOpen, LEFT_MS, workOnMoves } from "./moves.ts";

/**
 * In a run with shards, workspaces move between the requests of any test: whoever asks must not notice. Without shards nothing
 * happens here.
 */

/** Before which of a workspace's requests it moves; all others find it where it is. */
const MOVES_BEFORE: ReadonlySet<number> = new Set([2, 5]);
/** A move whose time stands still, because a test has stopped the clock, is left as it is. */
const RUNS_MAX = 5;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const requests = new Map<string, number>();
let moves = 0;
let underWay = 0;
let moving: Promise<void> = Promise.resolve();

/** The workspace that a key's secret opens, and those that a path names. */
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

/** Whether a test watches or replaces calls to a database: a move would be taken for what it watches. */
const isWatched = (): boolean =>
  [env.DB, ...boundDatabases().shards.values()].some((db) =>
    [db.prepare, db.batch, db.withSession].some((method) => vi.isMockFunction(method)),
  );

/** Lets time pass for everybody: nothing else is under way. */
async function later(ms: number, work: () => Promise<unknown>): Promise<void> {
  const { now } = clock;
  clock.now = () => now() + ms;
  try {
    await work();
  } finally {
    clock.now = now;
  }
}

/** What an isolate forgets in the time that a move waits. */
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

/** Moves what a request is about, perhaps; then sends it. Requests that are under way at once hold a move up. */
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

/** Moves since this was called before. */
export function takeMoves(): number {
  const taken = moves;
  moves = 0;
  return taken;
}
