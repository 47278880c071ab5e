import type { OpenAPIHono } from "@hono/zod-openapi";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { addPreflight, allowPages, MCP_PATH } from "../http/agent-challenge.ts";
import type { AppEnv } from "../http/context.ts";

const loadAnswers = loadOnce(() => import("./answer.ts"));

/**
 * Overwrites `location` before the protocol's library loads. In workerd the image codecs define it without an origin,
 * and the library would use it as an address. With this value, both ignore it.
 */
function hideLocation(): void {
  Object.assign(globalThis, { location: { href: "", origin: "null" } });
}

/**
 * Adds the endpoint of the Model Context Protocol (API §17.1): Streamable HTTP without sessions, so POST is its only
 * method. Its code loads at the first request, so that other isolates do not pay for it.
 */
export function addMcp(app: OpenAPIHono<AppEnv>): void {
  addPreflight(app, MCP_PATH, "POST");
  app.post(MCP_PATH, async (c) => {
    c.set("operation", "mcp");
    allowPages(c);
    hideLocation();
    const { answerMessage } = await loadAnswers();
    return answerMessage(c);
  });
}
