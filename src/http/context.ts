import type { Scope } from "../contract/scopes.ts";
import type { Capabilities } from "../platform/capabilities.ts";
import type { Env } from "../platform/env.ts";

/** Whoever the API key speaks for. */
export interface Principal {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly workspaceKind: "standard" | "trial";
  readonly scopes: readonly Scope[];
}

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
    /** Names the operation in logs. */
    operation: string;
    errorCode: string | undefined;
  };
}
