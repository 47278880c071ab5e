import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";
import { succeed } from "./envelope.ts";
import { studioPage } from "./studio-page.ts";

const LINKS = {
  documentation: "/docs",
  description: "/openapi.json",
  contracts: "/api/v1/contracts",
  health: "/health",
} as const;

/** A program asks for `application/json`. A browser, or curl without Accept, gets the page. */
const wantsJson = (accept: string): boolean =>
  accept.includes("application/json") && !accept.includes("text/html");

/** `/`: the Studio for browsers, a JSON index for programs. */
export function addFrontPage(app: OpenAPIHono<AppEnv>): void {
  app.get("/", async (c) => {
    c.set("operation", "getHome");
    const page = wantsJson(c.req.header("Accept") ?? "") ? null : await studioPage(c);
    if (page !== null) return page;
    c.header("Vary", "Accept");
    c.header("Cache-Control", "public, max-age=300");
    return succeed(c, 200, { name: "Creative Packs", ...LINKS });
  });
}
