import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { refuse } from "../contract/errors.ts";
import type { Scope } from "../contract/scopes.ts";
import { createRecentKeys, type RecentKeys } from "../keys/recent-keys.ts";
import { authenticateSecret } from "../keys/service.ts";
import type { Capabilities } from "../platform/capabilities.ts";
import type { AppEnv } from "./context.ts";
import { acceptedValue, RefusedRequest } from "./envelope.ts";
import { requireCapability } from "./require-capability.ts";

/** The key a request presents in either header, or undefined. Two different keys are none. */
function presentedSecret(headers: Headers): string | undefined {
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

const recentKeysByOrigin = new WeakMap<Capabilities, RecentKeys>();

/** The keys that this isolate has read lately from the origin's database. */
export function recentKeysOf(capabilities: Capabilities): RecentKeys {
  const known = recentKeysByOrigin.get(capabilities);
  if (known !== undefined) return known;
  const made = createRecentKeys();
  recentKeysByOrigin.set(capabilities, made);
  return made;
}

/**
 * What a key that the isolate read within the last seconds (see RecentKeys) is good for without being read again:
 * nothing, whatever a read answers, or a new effect, whose own batch fails for a key that has ended meanwhile.
 */
export type KeyMemoryUse = "never" | "for-reads" | "for-new-effects";

/**
 * Lets in a live key that holds the scope (API §5.2, §5.3): 401 without the one, 403 without the other. What writes
 * answers a replay only after a second look at the key, and so it does a refusal where the first look was into memory:
 * a key that has ended is told nothing else.
 */
export const authenticate = (scope: Scope, memoryUse: KeyMemoryUse) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const capabilities = c.get("capabilities");
    const nowMs = c.get("nowMs");
    const database = requireCapability(c, "database");
    const secret = presentedSecret(c.req.raw.headers);
    if (secret === undefined) {
      throw new RefusedRequest(refuse("KEY_MISSING", missingWords(c.req.raw.headers)));
    }
    const defer = (work: Promise<void>) => c.executionCtx.waitUntil(work);
    const recentKeys = recentKeysOf(capabilities);
    const look = async (mayAnswer: boolean) =>
      acceptedValue(await authenticateSecret(database, secret, nowMs, defer, { recentKeys, mayAnswer }));
    const principal = await look(memoryUse !== "never");
    c.set("principal", principal);
    c.set("workspace", { db: database.db, workspaceId: principal.workspaceId });
    if (!principal.scopes.includes(scope)) {
      if (memoryUse === "for-new-effects") await look(false);
      throw new RefusedRequest(
        refuse("SCOPE_MISSING", `The key lacks the scope ${scope}.`, { requiredScope: scope }),
      );
    }
    await next();
    if (memoryUse === "for-reads" || !tellsOfEarlier(c.res, memoryUse)) return;
    try {
      await look(false);
    } catch (thrown) {
      forgetAnswer(c);
      throw thrown;
    }
  });

/** Whether an answer of a route that writes is none that its own effect has looked at the key for. */
function tellsOfEarlier({ status, headers }: Response, memoryUse: KeyMemoryUse): boolean {
  if (headers.has("Idempotent-Replayed")) return true;
  // The effect says of a key that ended under it that it was revoked; the key itself says why.
  return status === 401 || (memoryUse === "for-new-effects" && status >= 400 && status < 500);
}

/** Takes an answer and its headers back, so that another can be given. */
function forgetAnswer(c: Context<AppEnv>): void {
  const kept = c.res.headers.get("X-Request-ID");
  const names = [...c.res.headers.keys()];
  c.res = undefined;
  for (const name of names) c.res.headers.delete(name);
  if (kept !== null) c.res.headers.set("X-Request-ID", kept);
}
