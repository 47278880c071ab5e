import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Refusal } from "#api/errors.ts";
import type { RouteFamily } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { findScopeRefusal, type Principal } from "#domains/keys/principal.ts";
import { isAgentToken } from "#domains/keys/secret.ts";
import { authenticateSecret, type ReadsBesideKey } from "#domains/keys/service.ts";
import { MCP_PATH } from "./agent-challenge.ts";
import { clientAddress, clientNetworks } from "./client-network.ts";
import type { AppEnv } from "./context.ts";
import { discardResponse } from "./context.ts";
import { acceptedValue, RefusedRequest, refused } from "./envelope.ts";
import { countRequest, exhaustedWindow } from "./rate-limit.ts";
import { requireCapability } from "./require-capability.ts";
import { routeToDatabase } from "./workspace-database.ts";

/** The key in `Authorization` or `X-API-Key`. Undefined without a key, and if both headers have different keys. */
export function presentedSecret(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("Authorization") ?? "")?.[1];
  const direct = headers.get("X-API-Key")?.trim();
  if (bearer && direct && bearer !== direct) return undefined;
  return bearer ?? (direct === "" ? undefined : direct);
}

const missingWords = (headers: Headers): string =>
  headers.has("Authorization") && headers.has("X-API-Key")
    ? "The headers Authorization and X-API-Key do not name the same API key."
    : headers.has("Authorization")
      ? "The Authorization header has no API key in the form `Bearer <key>`."
      : "The request carries no API key.";

/**
 * When a cached key (see RecentKeys) may be used without reading it again: never, for reads, or for a new effect whose
 * batch fails if the key is no longer valid.
 */
export type KeyMemoryUse = "never" | "for-reads" | "for-new-effects";

/**
 * Reads the request's key, from the isolate's cache where `memoryUse` allows. Sets it as the request's principal
 * and routes the request to its workspace. Throws 401 for a missing, unknown, expired or revoked key (API §5.2).
 */
export async function readKey(
  c: Context<AppEnv>,
  memoryUse: KeyMemoryUse,
  reads: ReadsBesideKey | null = null,
  refusal?: (principal: Principal) => Refusal | null,
): Promise<Principal> {
  const database = requireCapability(c, "database");
  const secret = presentedSecret(c.req.raw.headers);
  if (secret === undefined) {
    throw refused("KEY_MISSING", missingWords(c.req.raw.headers));
  }
  // The audience of an agent's token is `/mcp` (RFC 8707): elsewhere a leaked token must not work.
  if (isAgentToken(secret) && c.req.path !== MCP_PATH) {
    throw refused("KEY_INVALID", "An agent's access token is valid only at /mcp.");
  }
  const defer = (work: Promise<void>) => c.executionCtx.waitUntil(work);
  const memory = {
    recentKeys: c.env.recentKeys,
    refused: { keys: c.env.refusedKeys, network: clientNetworks(clientAddress(c)).network },
    mayUseCache: memoryUse !== "never",
    mayWrite: memoryUse === "for-new-effects",
    ...(refusal && { refusal }),
  };
  const found = await authenticateSecret(database, secret, c.get("nowMs"), defer, memory, reads);
  const { principal, beside } = acceptedValue(found);
  c.set("principal", principal);
  c.set("readWithKey", beside);
  routeToDatabase(c, principal);
  return principal;
}

/** Throws 403 SCOPE_MISSING for a key without the scope; see `findScopeRefusal`. */
export function requireScope(principal: Principal, scope: Scope, because?: string): void {
  const refusal = findScopeRefusal(principal, scope, because);
  if (refusal !== null) throw new RefusedRequest(refusal);
}

/**
 * Refuses a cached key without a database read: if its window is known to be full or, on a route without a window, if
 * it lacks the scope (a key's scopes never change).
 */
const refusalWithoutRead =
  (c: Context<AppEnv>, scope: Scope, window: RouteFamily | null) =>
  (principal: Principal): Refusal | null => {
    c.set("principal", principal);
    if (window !== null) return exhaustedWindow(c, window, principal.countedAs);
    return findScopeRefusal(principal, scope);
  };

/**
 * Requires a valid key with the scope (API §5.2, §5.3). Throws 401 without a key; 403 without the scope, after
 * counting the request in the window (`rateLimit`). Writing routes read the key again before a replay and, if the key was
 * cached, before a refusal, so that an expired or revoked key gets 401.
 */
export const authenticate = (scope: Scope, memoryUse: KeyMemoryUse, window: RouteFamily | null) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const refusal = refusalWithoutRead(c, scope, window);
    const principal = await readKey(c, memoryUse, c.get("orderReads") ?? null, refusal);
    if (!principal.scopes.includes(scope)) {
      if (memoryUse === "for-new-effects") await readKey(c, "never");
      if (window !== null) await countRequest(c, window, principal.countedAs);
    }
    requireScope(principal, scope);
    await next();
    if (memoryUse === "for-reads" || !isUncheckedAnswer(c.res, memoryUse)) return;
    try {
      await readKey(c, "never");
    } catch (thrown) {
      discardResponse(c);
      throw thrown;
    }
  });

/** Whether a writing route answered without a check of the key: a replay, or a refusal with a cached key. */
function isUncheckedAnswer({ status, headers }: Response, memoryUse: KeyMemoryUse): boolean {
  if (headers.has("Idempotent-Replayed")) return true;
  // The effect reports an expired key as revoked, too. Reading the key gives the exact reason.
  return status === 401 || (memoryUse === "for-new-effects" && status >= 400 && status < 500);
}
