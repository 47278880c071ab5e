import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import { publicOrigin } from "../http/origin.ts";
import type { ProtocolRefusal } from "./message.ts";

/** The error object of JSON-RPC 2.0: of the server's own making. */
const SERVER_ERROR = -32_000;

/**
 * The names under which this origin may be called. A deployed worker gets requests for its own hosts alone: the platform
 * routes by name. On a developer's machine any name can point to it, so that there only the machine's own count.
 */
function ownHostnames(c: Context<AppEnv>): string[] {
  const { hostname } = new URL(publicOrigin(c));
  if (c.env.bindings.ENVIRONMENT === "local")
    return [...localhostAllowedHostnames(), ...configuredHostname(c)];
  return [hostname, new URL(c.req.url).hostname];
}

const configuredHostname = (c: Context<AppEnv>): string[] =>
  c.env.bindings.PUBLIC_ORIGIN === undefined ? [] : [new URL(publicOrigin(c)).hostname];

/**
 * Prevents DNS rebinding: refuses a request for another host, and one from a page of another origin. Null where the
 * request may pass. A request without a Host header comes from within the platform, and is for its address.
 */
export function findForeign(c: Context<AppEnv>): ProtocolRefusal | null {
  const own = ownHostnames(c);
  const host = validateHostHeader(c.req.header("Host") ?? new URL(c.req.url).host, own);
  const checked = host.ok ? validateOriginHeader(c.req.header("Origin"), own) : host;
  return checked.ok ? null : { status: 403, code: SERVER_ERROR, message: checked.message };
}
