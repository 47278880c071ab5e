import type { AccountSession } from "../accounts/session.ts";
import type { Principal } from "../keys/principal.ts";
import type { Capabilities } from "../platform/capabilities.ts";
import type { Env } from "../platform/env.ts";

/** What a request carries on its way through the middleware. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Time the request came in; one request sees one time. */
    nowMs: number;
    capabilities: Capabilities;
    /** Set by authentication; routes without a scope never read it. */
    principal: Principal;
    /** Set on routes of account sessions, where there is no principal. */
    session: AccountSession;
    /** Names the operation in logs. */
    operation: string;
    errorCode: string | undefined;
  };
}
