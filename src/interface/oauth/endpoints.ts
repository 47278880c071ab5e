import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { addPreflight, allowPages, MCP_PATH, RESOURCE_METADATA_PATH } from "../http/agent-challenge.ts";
import type { AppEnv } from "../http/context.ts";

const loadAnswers = loadOnce(() => import("./answers.ts"));

type Answers = Awaited<ReturnType<typeof loadAnswers>>;

/**
 * Adds the endpoints with which an agent's client gets authorized (src/domains/oauth/README.md), except the
 * authorization endpoint, which is a page of the Studio. Their code loads at the first request.
 */
export function addOAuth(app: OpenAPIHono<AppEnv>): void {
  const add = (
    method: "get" | "post",
    path: string,
    operation: string,
    answer: (answers: Answers, c: Context<AppEnv>) => Response | Promise<Response>,
  ): void => {
    addPreflight(app, path, method.toUpperCase());
    app[method](path, async (c) => {
      c.set("operation", operation);
      allowPages(c);
      return answer(await loadAnswers(), c);
    });
  };
  for (const path of [RESOURCE_METADATA_PATH, `${RESOURCE_METADATA_PATH}${MCP_PATH}`]) {
    add("get", path, "oauth.resource", (answers, c) => answers.describeResource(c));
  }
  add("get", "/.well-known/oauth-authorization-server", "oauth.server", (answers, c) =>
    answers.describeServer(c),
  );
  add("post", "/oauth/register", "oauth.register", (answers, c) => answers.register(c));
  add("post", "/oauth/token", "oauth.token", (answers, c) => answers.issueTokens(c));
  add("post", "/oauth/revoke", "oauth.revoke", (answers, c) => answers.revoke(c));
}
