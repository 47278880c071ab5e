import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Refusal, refuse } from "#api/errors.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";
import { clock } from "#platform/clock.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { LEFT_MS_MIN } from "#platform/databases/leave-database.ts";
import { findHome, findPlace } from "#platform/databases/workspace-location-store.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import type { AppEnv, WorkspaceHome } from "./context.ts";
import { discardResponse } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";

/**
 * A request that was led to the old database of a workspace came before the new one was opened, and the rows on the old one
 * stay for a while after that. So an answer that is sooner than this was read from all of them; the rest of the time is for
 * clocks that differ.
 */
const UNMOVED_MS_MAX = LEFT_MS_MIN - 15_000;

/**
 * Leads the request to the database where its workspace lives: from here on its capabilities are those for the work there.
 * Throws where that database is not bound, which the keys and the directory of this origin speak of.
 */
export function enterHome(
  c: Context<AppEnv>,
  { home, workspaceId, livemode = true }: WorkspaceHome & { readonly livemode?: boolean },
): void {
  const ofOrigin = c.env.capabilities;
  const databases = databasesOf(c);
  const db = databases === null ? null : databaseOf(databases, home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  // A session needs no pepper of keys, without which there is no capability `database` at all.
  c.set("capabilities", capabilitiesAt(ofOrigin, home) ?? ofOrigin);
  c.set("workspace", { db, workspaceId, livemode });
  if (c.get("ledTo") === undefined) c.set("ledTo", { home, workspaceId });
}

/** `DB`, where the people are. */
export function directoryOf(c: Context<AppEnv>): D1Database {
  const databases = databasesOf(c);
  if (databases === null) throw new Error("a request in a workspace of no database");
  return databases.directory;
}

/** Every database of the origin; null where it has none. */
function databasesOf(c: Context<AppEnv>): Databases | null {
  const { database, accounts } = c.env.capabilities;
  return database?.databases ?? accounts?.databases ?? null;
}

/**
 * Whether the request was held up for so long that what its workspace left behind, where it was led to, may be deleted, and
 * the workspace has moved. Reads nothing for a request that was not.
 */
export async function hasBeenLeft(c: Context<AppEnv>): Promise<boolean> {
  const ledTo = c.get("ledTo");
  if (ledTo === undefined || clock.now() - c.get("nowMs") < UNMOVED_MS_MAX) return false;
  const databases = databasesOf(c);
  return databases !== null && (await findHome(databases, ledTo.home, ledTo.workspaceId)) !== ledTo.home;
}

/** A request waits this long for the end of a move, and looks this often. */
const WAIT_MS_MAX = 500;
const LOOK_MS = 100;

/**
 * 429 SERVICE_BUSY, or 503 PREVIEW_UNAVAILABLE on routes of previews: the workspace's rows are being copied to another
 * database, or this isolate remembers its key from where it was before. The key is read again next time.
 */
export function workspaceMoving(c: Context<AppEnv>): Refusal {
  const principal: AppEnv["Variables"]["principal"] | undefined = c.get("principal");
  if (principal !== undefined) c.env.recentKeys.delete(principal.apiKeyId);
  return refuse(c.get("busyCode") ?? "SERVICE_BUSY", "The workspace is being moved to another database.");
}

/** Waits until the request's workspace takes writes; refuses as `workspaceMoving` where it does not within `WAIT_MS_MAX`. */
export async function waitForMove(c: Context<AppEnv>): Promise<void> {
  const ledTo = c.get("ledTo");
  const databases = databasesOf(c);
  for (let waitedMs = 0; ledTo !== undefined && databases !== null && waitedMs < WAIT_MS_MAX; ) {
    await clock.wait(LOOK_MS);
    waitedMs += LOOK_MS;
    const place = await findPlace(databases, ledTo.home, ledTo.workspaceId);
    if (place !== null && !place.isMoving) return;
  }
  throw new RefusedRequest(workspaceMoving(c));
}

/**
 * Runs work whose writes a move may refuse, which leaves nothing behind. Then it waits for the move, lets `enter` lead the
 * request to the workspace's database, and runs the work once more.
 */
export async function repeatAfterMove<T>(
  c: Context<AppEnv>,
  enter: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!isMovingError(thrown)) throw thrown;
  }
  await waitForMove(c);
  await enter();
  return work();
}

/**
 * 429 SERVICE_BUSY instead of an answer that may have been read from a database which the workspace has left, where nothing is
 * found any more. A write that succeeded did so before, and its answer stands; the database refuses a later one.
 */
export const refuseStaleAnswer = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isWritten = c.res.ok && c.req.method !== "GET" && c.req.method !== "HEAD";
  if (isWritten || !(await hasBeenLeft(c))) return;
  await c.res.body?.cancel();
  discardResponse(c);
  throw new RefusedRequest(workspaceMoving(c));
});
