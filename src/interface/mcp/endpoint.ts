import type { OpenAPIHono } from "@hono/zod-openapi";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { addPreflight, allowPages, MCP_PATH } from "../http/agent-challenge.ts";
import type { AppEnv } from "../http/context.ts";

const loadAnswers = loadOnce(() => import("./answer.ts"));

/**
 * The codecs of pictures set a `location` without an origin where there is none, as in workerd, and the protocol's
 * library takes any `location` for an address when it is loaded. This one is nobody's address to both.
 */
function hideLocation(): void {
  Object.assign(globalThis, { location: { href: "", origin: "null" } });
}

/**
 * Adds the endpoint of the Model Context Protocol: Streamable HTTP without sessions, so that POST is its one method
 * (API §17.1). Everything behind it is loaded at its first request: isolates that no agent asks never pay for it.
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
