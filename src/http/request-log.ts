import { createMiddleware } from "hono/factory";
import { clock } from "../platform/clock.ts";
import { log } from "../platform/log.ts";
import type { AppEnv } from "./context.ts";

/** One line a request: who (by id), what, how it ended, how long. Never the path, which may carry a token. */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  // Not `c.var`, which copies all there is each time.
  const principal: AppEnv["Variables"]["principal"] | undefined = c.get("principal");
  const session: AppEnv["Variables"]["session"] | undefined = c.get("session");
  const errorCode = c.get("errorCode");
  log.line({
    event: "request",
    requestId: c.get("requestId"),
    operation: c.get("operation") ?? "unknown",
    status: c.res.status,
    durationMs: clock.now() - c.get("nowMs"),
    ...(errorCode === undefined ? {} : { code: errorCode }),
    ...(session === undefined ? {} : { accountId: session.accountId }),
    ...(principal === undefined ? {} : { workspaceId: principal.workspaceId, apiKeyId: principal.apiKeyId }),
  });
});
