import type { Context } from "hono";
import { webOriginOf } from "../platform/web-origin.ts";
import type { AppEnv } from "./context.ts";

/** Origin of absolute links: PUBLIC_ORIGIN where it is set to one, else the origin that was asked. */
export const publicOrigin = (c: Context<AppEnv>): string =>
  webOriginOf(c.env.PUBLIC_ORIGIN ?? "") ?? new URL(c.req.url).origin;
