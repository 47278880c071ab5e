import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Refusal, refuse } from "#api/errors.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";
import { clock } from "#platform/clock.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { OLD_ROWS_KEPT_MS } from "#platform/databases/leave-database.ts";
import { findHome, findPlace } from "#platform/databases/workspace-location-store.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import type { AppEnv, WorkspaceHome } from "./context.ts";
import { discardResponse } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";

/**
 * A request that ends within this time has read all rows of its workspace: if it was routed to the old database, it
 * arrived before the new one opened, and the old rows stay for `OLD_ROWS_KEPT_MS` after that. The 15 s allow for clock
 * skew.
 */
const UNMOVED_MS_MAX = OLD_ROWS_KEPT_MS - 15_000;

/**
 * Routes the request to its workspace's database: from here on its capabilities are those of that database. Throws if
 * the database is not bound, though keys or the directory refer to it.
 */
export function routeToDatabase(
  c: Context<AppEnv>,
  { home, workspaceId, livemode = true }: WorkspaceHome & { readonly livemode?: boolean },
): void {
  const ofOrigin = c.env.capabilities;
  const databases = databasesOf(c);
  const db = databases === null ? null : databaseOf(databases, home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  // `capabilitiesAt` returns null if KEY_PEPPER is missing, but a session does not need it.
  c.set("capabilities", capabilitiesAt(ofOrigin, home) ?? ofOrigin);
  c.set("workspace", { db, workspaceId, livemode });
  if (c.get("routedTo") === undefined) c.set("routedTo", { home, workspaceId });
}

/** `DB`, which has the accounts. */
export function directoryOf(c: Context<AppEnv>): D1Database {
  const databases = databasesOf(c);
  if (databases === null) throw new Error("a request without databases");
  return databases.directory;
}

/** Every database of the origin; null if it has none. */
function databasesOf(c: Context<AppEnv>): Databases | null {
  const { database, accounts } = c.env.capabilities;
  return database?.databases ?? accounts?.databases ?? null;
}

/**
 * Whether the request took so long that its workspace has moved and the old rows may be gone. Reads nothing for a
 * faster request.
 */
export async function hasWorkspaceMoved(c: Context<AppEnv>): Promise<boolean> {
  const routedTo = c.get("routedTo");
  if (routedTo === undefined || clock.now() - c.get("nowMs") < UNMOVED_MS_MAX) return false;
  const databases = databasesOf(c);
  return (
    databases !== null && (await findHome(databases, routedTo.home, routedTo.workspaceId)) !== routedTo.home
  );
}

/** A request waits this long for the end of a move, and polls at this interval. */
const WAIT_MS_MAX = 500;
const POLL_MS = 100;

/**
 * 429 SERVICE_BUSY, or 503 PREVIEW_UNAVAILABLE on routes of previews: the workspace's rows are being copied, or this
 * isolate cached its key before the move. Drops the cached key.
 */
export function workspaceMoving(c: Context<AppEnv>): Refusal {
  const principal: AppEnv["Variables"]["principal"] | undefined = c.get("principal");
  if (principal !== undefined) c.env.recentKeys.delete(principal.apiKeyId);
  return refuse(c.get("busyCode") ?? "SERVICE_BUSY", "The workspace is being moved to another database.");
}

/** Waits until the request's workspace accepts writes; throws `workspaceMoving` after `WAIT_MS_MAX`. */
export async function waitForMove(c: Context<AppEnv>): Promise<void> {
  const routedTo = c.get("routedTo");
  const databases = databasesOf(c);
  for (let waitedMs = 0; routedTo !== undefined && databases !== null && waitedMs < WAIT_MS_MAX; ) {
    await clock.wait(POLL_MS);
    waitedMs += POLL_MS;
    const place = await findPlace(databases, routedTo.home, routedTo.workspaceId);
    if (place !== null && !place.isMoving) return;
  }
  throw new RefusedRequest(workspaceMoving(c));
}

/**
 * Runs work. If its writes are refused because the workspace is moving, waits for the end of the move, routes the
 * request again with `enter`, and runs the work once more.
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
 * 429 SERVICE_BUSY instead of an answer that may come from a database which the workspace has left. Does not
 * replace the answer to a successful write, because the old database accepts no writes during or after the move.
 */
export const refuseStaleAnswer = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isWritten = c.res.ok && c.req.method !== "GET" && c.req.method !== "HEAD";
  if (isWritten || !(await hasWorkspaceMoved(c))) return;
  await c.res.body?.cancel();
  discardResponse(c);
  throw new RefusedRequest(workspaceMoving(c));
});
