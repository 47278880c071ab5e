import { createMiddleware } from "hono/factory";
import { clock } from "../platform/clock.ts";
import { log } from "../platform/log.ts";
import type { AppEnv } from "./context.ts";

/** One line a request: who (by id), what, how it ended, how long. Never the path, which may carry a token. */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const principal: AppEnv["Variables"]["principal"] | undefined = c.var.principal;
  const session: AppEnv["Variables"]["session"] | undefined = c.var.session;
  log.line({
    event: "request",
    requestId: c.var.requestId,
    operation: c.var.operation ?? "unknown",
    status: c.res.status,
    durationMs: clock.now() - c.var.nowMs,
    ...(c.var.errorCode === undefined ? {} : { code: c.var.errorCode }),
    ...(session === undefined ? {} : { accountId: session.accountId }),
    ...(principal === undefined ? {} : { workspaceId: principal.workspaceId, apiKeyId: principal.apiKeyId }),
  });
});
