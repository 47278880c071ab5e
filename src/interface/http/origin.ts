import type { Context } from "hono";
import { webOriginOf } from "#platform/outbound/web-origin.ts";
import type { AppEnv } from "./context.ts";

/** Origin of absolute links: PUBLIC_ORIGIN if it is valid, otherwise the request's origin. */
export const publicOrigin = (c: Context<AppEnv>): string =>
  webOriginOf(c.env.bindings.PUBLIC_ORIGIN ?? "") ?? new URL(c.req.url).origin;
