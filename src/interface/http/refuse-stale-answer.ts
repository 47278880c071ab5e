import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./context.ts";
import { discardResponse } from "./discard-response.ts";
import { RefusedRequest } from "./envelope.ts";
import { hasBeenLeft } from "./workspace-database.ts";
import { workspaceMoving } from "./workspace-moving.ts";

/**
 * 429 SERVICE_BUSY instead of an answer that may have been read from a database which the workspace has left, where nothing is
 * found any more. A write that succeeded did so before, and its answer stands; the database refuses a later one.
 */
export const answerFromHome = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isWritten = c.res.ok && c.req.method !== "GET" && c.req.method !== "HEAD";
  if (isWritten || !(await hasBeenLeft(c))) return;
  await c.res.body?.cancel();
  discardResponse(c);
  throw new RefusedRequest(workspaceMoving(c));
});
