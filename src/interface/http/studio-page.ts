import { env } from "cloudflare:workers";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { refuse } from "#api/errors.ts";
import { livePreviewsOf } from "#platform/bindings/env.ts";
import type { AppEnv } from "./context.ts";
import { refuseWith } from "./envelope.ts";

/** Addresses that are no page of the Studio. */
const OTHERS = /^\/(api|docs|i|mcp|oauth|\.well-known)(\/|$)/;

/** Whether a person's browser goes to the address (Fetch Metadata, Sec-Fetch-Mode); programs do not say so. */
export const isNavigation = ({ req }: Context<AppEnv>): boolean =>
  req.method === "GET" && req.header("Sec-Fetch-Mode") === "navigate";

/** A static file as it is served to browsers; null where none were deployed. */
async function staticFile(c: Context<AppEnv>, path: string): Promise<Response | null> {
  const file = await fetchStaticPage(new Request(new URL(path, c.req.url), c.req.raw));
  if (file === null) return null;
  const answer = new Response(file.body, file);
  // A finished answer takes none of the headers that were set before it.
  answer.headers.set("X-Request-ID", c.get("requestId"));
  return answer;
}

/** The one page of the Studio, which reads the address itself; null where no static files were deployed. */
export async function studioPage(c: Context<AppEnv>): Promise<Response | null> {
  const page = await staticFile(c, "/");
  page?.headers.append("Vary", "Accept, Sec-Fetch-Mode");
  return page;
}

/** The files of the Studio that draw previews in the browser: 404 where the operator has the service draw them. */
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
 * The Studio's page for an address that no route has, where a browser goes there; null for all else. No search engine lists
 * it: such an address is a person's, a visitor's link, or leads nowhere.
 */
export async function studioPageOf(c: Context<AppEnv>): Promise<Response | null> {
  if (!isNavigation(c) || OTHERS.test(c.req.path)) return null;
  const page = await studioPage(c);
  page?.headers.set("X-Robots-Tag", "noindex");
  return page;
}

/** A page of the static files beside the worker, as they are served to browsers; null where none were deployed. */
async function fetchStaticPage(request: Request): Promise<Response | null> {
  if (env.ASSETS === undefined) return null;
  return env.ASSETS.fetch(request);
}
