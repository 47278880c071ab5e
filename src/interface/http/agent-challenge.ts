import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ErrorCode } from "#api/errors.ts";
import { AGENT_SCOPES, type Scope } from "#api/scopes.ts";
import type { AppEnv } from "./context.ts";
import { publicOrigin } from "./origin.ts";

/**
 * WWW-Authenticate challenges (RFC 6750, RFC 9728): they lead a client without a token to the authorization server.
 * CORS headers let pages of other origins read them.
 */

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

/** Value of WWW-Authenticate for a 401. */
export function challengeOf(c: Context<AppEnv>, code: ErrorCode): string {
  if (c.req.path !== MCP_PATH) return KEY_CHALLENGE;
  const error = code === "KEY_MISSING" ? undefined : "invalid_token";
  return `${KEY_CHALLENGE}, ${agentChallenge(c, AGENT_SCOPES, error)}`;
}

/** Sets WWW-Authenticate for a 403 of an agent whose token lacks a scope. */
export const writeScopeChallenge = (c: Context<AppEnv>, scope: Scope): void =>
  c.header("WWW-Authenticate", `${KEY_CHALLENGE}, ${agentChallenge(c, [scope], "insufficient_scope")}`);

/** Lets pages of any origin read the answer. Safe because these endpoints ignore cookies. */
export function allowPages(c: Context<AppEnv>): void {
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After, X-Request-ID");
}

/** Answers CORS preflight requests (Fetch §3.3.6). */
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
