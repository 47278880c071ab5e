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
 * Lets in a live key that holds the scope (contract §5): 401 without the one, 403 without the other.
 * `mayRemember`: a key that the isolate read within the last seconds need not be read again (see RecentKeys).
 */
export const authenticate = (scope: Scope, mayRemember: boolean) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const capabilities = c.get("capabilities");
    const nowMs = c.get("nowMs");
    const database = requireCapability(c, "database");
    const secret = presentedSecret(c.req.raw.headers);
    if (secret === undefined) {
      throw new RefusedRequest(refuse("KEY_MISSING", missingWords(c.req.raw.headers)));
    }
    const defer = (work: Promise<void>) => c.executionCtx.waitUntil(work);
    const memory = { recentKeys: recentKeysOf(capabilities), mayAnswer: mayRemember };
    const principal = acceptedValue(await authenticateSecret(database, secret, nowMs, defer, memory));
    c.set("principal", principal);
    if (!principal.scopes.includes(scope)) {
      throw new RefusedRequest(
        refuse("SCOPE_MISSING", `The key lacks the scope ${scope}.`, { requiredScope: scope }),
      );
    }
    await next();
  });
