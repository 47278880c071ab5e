import type { Context } from "hono";
import { type Refusal, refuse } from "#api/errors.ts";
import { clock } from "#platform/clock.ts";
import { findPlace } from "#platform/databases/workspace-location-store.ts";
import { isMovingError } from "#platform/db/guard.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";
import { recentKeysOf } from "./key-cache.ts";
import { databasesOf } from "./workspace-database.ts";

/** A request waits this long for the end of a move, and looks this often. */
const WAIT_MS_MAX = 500;
const LOOK_MS = 100;

/**
 * 429 SERVICE_BUSY, or 503 PREVIEW_UNAVAILABLE on routes of previews: the workspace's rows are being copied to another
 * database, or this isolate remembers its key from where it was before. The key is read anew next time.
 */
export function workspaceMoving(c: Context<AppEnv>): Refusal {
  const principal: AppEnv["Variables"]["principal"] | undefined = c.get("principal");
  if (principal !== undefined) recentKeysOf(c.get("capabilities")).delete(principal.apiKeyId);
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
