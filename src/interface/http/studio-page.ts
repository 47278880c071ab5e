import { env } from "cloudflare:workers";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { refuse } from "#api/errors.ts";
import { livePreviewsOf } from "#platform/bindings/env.ts";
import type { AppEnv } from "./context.ts";
import { refuseWith } from "./envelope.ts";

/** Path prefixes that are never pages of the Studio. */
const NON_STUDIO_PATHS = /^\/(api|docs|i|mcp|oauth|\.well-known)(\/|$)/;

/** Whether a browser navigates to the address (Fetch Metadata, Sec-Fetch-Mode); programs do not send this header. */
export const isNavigation = ({ req }: Context<AppEnv>): boolean =>
  req.method === "GET" && req.header("Sec-Fetch-Mode") === "navigate";

/** A static file as browsers get it; null if none were deployed. */
async function staticFile(c: Context<AppEnv>, path: string): Promise<Response | null> {
  const file = await fetchStaticPage(new Request(new URL(path, c.req.url), c.req.raw));
  if (file === null) return null;
  const answer = new Response(file.body, file);
  // A new response lacks the headers that were set on `c`.
  answer.headers.set("X-Request-ID", c.get("requestId"));
  return answer;
}

/** The page of the Studio, a single-page application; null if no static files were deployed. */
export async function studioPage(c: Context<AppEnv>): Promise<Response | null> {
  const page = await staticFile(c, "/");
  page?.headers.append("Vary", "Accept, Sec-Fetch-Mode");
  return page;
}

/** Serves the Studio's files that draw previews in the browser; 404 if the operator has the service draw them. */
export function addEngineFiles(app: OpenAPIHono<AppEnv>): void {
  app.get("/studio/engine/:file", async (c) => {
    c.set("operation", "getEngineFile");
    const file = livePreviewsOf(c.env.bindings) === "on" ? await staticFile(c, c.req.path) : null;
    return (
      file ?? refuseWith(c, refuse("ROUTE_NOT_FOUND", "This origin draws previews itself (LIVE_PREVIEWS)."))
    );
  });
}

/**
 * The Studio's page for a browser that navigates to a URL without a route; otherwise null. `noindex`, because such a
 * page is for members or visitors of a share link, or does not exist.
 */
export async function studioPageOf(c: Context<AppEnv>): Promise<Response | null> {
  if (!isNavigation(c) || NON_STUDIO_PATHS.test(c.req.path)) return null;
  const page = await studioPage(c);
  page?.headers.set("X-Robots-Tag", "noindex");
  return page;
}

async function fetchStaticPage(request: Request): Promise<Response | null> {
  if (env.ASSETS === undefined) return null;
  return env.ASSETS.fetch(request);
}
