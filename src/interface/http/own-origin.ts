import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./context.ts";
import { refused } from "./envelope.ts";
import { publicOrigin } from "./origin.ts";
import { requireCapability } from "./require-capability.ts";

const SAFE_METHODS = ["GET", "HEAD"];

/**
 * Prevents cross-site request forgery: refuses an unsafe method with ORIGIN_NOT_ALLOWED, unless the page's origin is
 * this one or a trusted one. Browsers send the Origin header with every such request (Fetch §3.1); a request without it
 * is refused too.
 */
export const requireOwnOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const { trustedOrigins } = requireCapability(c, "accounts");
  const origin = c.req.header("Origin");
  const isAllowed =
    SAFE_METHODS.includes(c.req.method) ||
    (origin !== undefined && [publicOrigin(c), ...trustedOrigins].includes(origin));
  if (!isAllowed) {
    throw refused(
      "ORIGIN_NOT_ALLOWED",
      origin === undefined
        ? "The request names no origin; send an Origin header with this service's own."
        : "The request comes from a page of another origin.",
    );
  }
  await next();
});
