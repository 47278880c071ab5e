import { createMiddleware } from "hono/factory";
import { refuse } from "../contract/errors.ts";
import type { Scope } from "../contract/scopes.ts";
import { authenticateSecret } from "../keys/service.ts";
import type { AppEnv } from "./context.ts";
import { acceptedValue, RefusedRequest } from "./envelope.ts";

/** The key a request presents in either header, or undefined. Two different keys are none. */
function presentedSecret(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("Authorization") ?? "")?.[1];
  const direct = headers.get("X-API-Key")?.trim();
  if (bearer && direct && bearer !== direct) return undefined;
  return bearer ?? (direct === "" ? undefined : direct);
}

/** Lets in a live key that holds the scope (contract §5): 401 without the one, 403 without the other. */
export const authenticate = (scope: Scope) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { database } = c.var.capabilities;
    if (!database)
      throw new RefusedRequest(refuse("SERVICE_NOT_CONFIGURED", "The database is not configured."));
    const secret = presentedSecret(c.req.raw.headers);
    if (secret === undefined) {
      throw new RefusedRequest(refuse("KEY_MISSING", "The request carries no usable API key."));
    }
    const defer = (work: Promise<void>) => c.executionCtx.waitUntil(work);
    const principal = acceptedValue(await authenticateSecret(database, secret, c.var.nowMs, defer));
    c.set("principal", principal);
    if (!principal.scopes.includes(scope)) {
      throw new RefusedRequest(
        refuse("SCOPE_MISSING", `The key lacks the scope ${scope}.`, { requiredScope: scope }),
      );
    }
    await next();
  });
