import type { Context } from "hono";
import type { AppEnv } from "./context.ts";

/** Origin of absolute links: PUBLIC_ORIGIN where it is set to one, else the origin that was asked. */
export function publicOrigin(c: Context<AppEnv>): string {
  const configured = c.env.PUBLIC_ORIGIN;
  return new URL(configured !== undefined && URL.canParse(configured) ? configured : c.req.url).origin;
}
