import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { refuse } from "../contract/errors.ts";
import { webOriginOf } from "../platform/web-origin.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";
import { requireCapability } from "./require-capability.ts";

/** Origin of absolute links: PUBLIC_ORIGIN where it is set to one, else the origin of the request. */
export const publicOrigin = (c: Context<AppEnv>): string =>
  webOriginOf(c.env.PUBLIC_ORIGIN ?? "") ?? new URL(c.req.url).origin;

const SAFE_METHODS = ["GET", "HEAD"];

/**
 * Refuses a change that another site's page asks for with the person's cookie: browsers name the page's origin in
 * every such request (Fetch §3.1), and a request that names none is refused as well. ORIGIN_NOT_ALLOWED.
 */
export const requireOwnOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const { trustedOrigins } = requireCapability(c, "accounts");
  const origin = c.req.header("Origin");
  const isAllowed =
    SAFE_METHODS.includes(c.req.method) ||
    (origin !== undefined && [publicOrigin(c), ...trustedOrigins].includes(origin));
  if (!isAllowed) {
    throw new RefusedRequest(
      refuse(
        "ORIGIN_NOT_ALLOWED",
        origin === undefined
          ? "The request names no origin; send an Origin header with this service's own."
          : "The request comes from a page of another origin.",
      ),
    );
  }
  await next();
});
