import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./context.ts";
import { discardResponse } from "./discard-response.ts";
import { RefusedRequest } from "./envelope.ts";
import { hasBeenLeft } from "./home.ts";
import { workspaceMoving } from "./workspace-moving.ts";

/**
 * 503 WORKSPACE_MOVING instead of an answer that may have been read from what was left of a workspace on a database it has
 * moved away from: nothing is found there any more. A write that succeeded did so before, and its answer stands; one that
 * comes later is refused by the database.
 */
export const answerFromHome = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isWritten = c.res.ok && c.req.method !== "GET" && c.req.method !== "HEAD";
  if (isWritten || c.get("errorCode") === "WORKSPACE_MOVING" || !(await hasBeenLeft(c))) return;
  await c.res.body?.cancel();
  discardResponse(c);
  throw new RefusedRequest(workspaceMoving(c));
});
