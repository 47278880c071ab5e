import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ErrorCode } from "#api/errors.ts";
import { AGENT_SCOPES, type Scope } from "#api/scopes.ts";
import type { AppEnv } from "./context.ts";
import { publicOrigin } from "./origin.ts";

/** How a client without a token learns where to get one (RFC 6750, RFC 9728), also one that is a page of another origin. */

/** Where agents connect. */
export const MCP_PATH = "/mcp";

export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The scheme of an API key in `Authorization`. */
export const KEY_CHALLENGE = 'Bearer realm="Creative Packs"';

const agentChallenge = (c: Context<AppEnv>, scopes: readonly Scope[], error?: string): string =>
  [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${publicOrigin(c)}${RESOURCE_METADATA_PATH}${MCP_PATH}"`,
    `scope="${scopes.join(" ")}"`,
  ].join(", ");

/** The WWW-Authenticate header of a 401. */
export function challengeOf(c: Context<AppEnv>, code: ErrorCode): string {
  if (c.req.path !== MCP_PATH) return KEY_CHALLENGE;
  const error = code === "KEY_MISSING" ? undefined : "invalid_token";
  return `${KEY_CHALLENGE}, ${agentChallenge(c, AGENT_SCOPES, error)}`;
}

/** The WWW-Authenticate header of a 403 for a scope that an agent was not allowed. */
export const writeScopeChallenge = (c: Context<AppEnv>, scope: Scope): void =>
  c.header("WWW-Authenticate", `${KEY_CHALLENGE}, ${agentChallenge(c, [scope], "insufficient_scope")}`);

/** Lets pages of any origin read the answer. No cookie counts where this is called, so that no page acts for a person. */
export function allowPages(c: Context<AppEnv>): void {
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After, X-Request-ID");
}

/** Answers what browsers ask before they send a page's request (Fetch §3.3.6). */
export function addPreflight(app: OpenAPIHono<AppEnv>, path: string, methods: string): void {
  app.options(path, (c) => {
    allowPages(c);
    c.header("Access-Control-Allow-Methods", methods);
    c.header(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID",
    );
    c.header("Access-Control-Max-Age", "86400");
    return c.body(null, 204);
  });
}
