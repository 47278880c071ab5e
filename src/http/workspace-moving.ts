import type { Context } from "hono";
import { type Refusal, refuse } from "../api/errors.ts";
import type { AppEnv } from "./context.ts";
import { recentKeysOf } from "./key-cache.ts";

/**
 * 503 WORKSPACE_MOVING: the workspace's rows are being copied to another database, or this isolate has remembered its key
 * from where it was before. The key is read anew next time.
 */
export function workspaceMoving(c: Context<AppEnv>): Refusal {
  const principal: AppEnv["Variables"]["principal"] | undefined = c.get("principal");
  if (principal !== undefined) recentKeysOf(c.get("capabilities")).delete(principal.apiKeyId);
  return refuse("WORKSPACE_MOVING", "The workspace is being moved to another database.");
}
