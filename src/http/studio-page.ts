import type { Context } from "hono";
import { fetchStaticPage } from "../platform/static-page.ts";
import type { AppEnv } from "./context.ts";

/** Addresses that are no page of the Studio. */
const OTHERS = /^\/(api|docs|mcp)(\/|$)/;

/** Whether a person's browser goes to the address (Fetch Metadata, Sec-Fetch-Mode); programs do not say so. */
export const isNavigation = ({ req }: Context<AppEnv>): boolean =>
  req.method === "GET" && req.header("Sec-Fetch-Mode") === "navigate";

/** The one page of the Studio, which reads the address itself; null where no static files were deployed. */
export async function studioPage(c: Context<AppEnv>): Promise<Response | null> {
  const page = await fetchStaticPage(new Request(new URL("/", c.req.url), c.req.raw));
  if (page === null) return null;
  const answer = new Response(page.body, page);
  // A finished answer takes none of the headers that were set before it.
  answer.headers.set("X-Request-ID", c.get("requestId"));
  answer.headers.append("Vary", "Accept, Sec-Fetch-Mode");
  return answer;
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
