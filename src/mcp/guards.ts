import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import { publicOrigin } from "../http/origin.ts";

/**
 * The names under which this origin may be called. A deployed worker gets requests for its own hosts alone: the platform
 * routes by name. On a developer's machine any name can point to it, so that there only the machine's own count.
 */
function ownHostnames(c: Context<AppEnv>): string[] {
  const { hostname } = new URL(publicOrigin(c));
  if (c.env.ENVIRONMENT === "local") return [...localhostAllowedHostnames(), ...configuredHostname(c)];
  return [hostname, new URL(c.req.url).hostname];
}

const configuredHostname = (c: Context<AppEnv>): string[] =>
  c.env.PUBLIC_ORIGIN === undefined ? [] : [new URL(publicOrigin(c)).hostname];

/**
 * Prevents DNS rebinding: refuses a request for another host, and one from a page of another origin, with 403. Null
 * where the request may pass.
 */
export function refuseForeign(c: Context<AppEnv>): Response | null {
  const own = ownHostnames(c);
  const request = c.req.raw;
  return hostHeaderValidationResponse(request, own) ?? originValidationResponse(request, own) ?? null;
}
