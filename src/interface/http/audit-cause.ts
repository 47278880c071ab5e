import type { Context } from "hono";
import type { Cause } from "#domains/audit/audit-store.ts";
import type { Principal } from "#domains/keys/principal.ts";
import type { AppEnv } from "./context.ts";

/** The actor for the audit log: an API key, or the account behind a session or a session's key. */
export function causeOf(c: Context<AppEnv>): Cause {
  const { requestId, nowMs } = c.var;
  const principal: Principal | undefined = c.get("principal");
  if (principal === undefined) {
    return { actor: { kind: "account", id: c.get("session").accountId }, requestId, nowMs };
  }
  const { isOfSession, countedAs, apiKeyId } = principal;
  const actor = isOfSession
    ? ({ kind: "account", id: countedAs } as const)
    : ({ kind: "key", id: apiKeyId } as const);
  return { actor, requestId, nowMs };
}
