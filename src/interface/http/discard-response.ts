import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/** Discards the response with its headers, so that another can take its place. */
export function discardResponse(c: Context<AppEnv>): void {
  const kept = c.res.headers.get("X-Request-ID");
  const names = [...c.res.headers.keys()];
  c.res = undefined;
  for (const name of names) c.res.headers.delete(name);
  if (kept !== null) c.res.headers.set("X-Request-ID", kept);
}
