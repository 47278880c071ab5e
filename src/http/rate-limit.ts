import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { refuse } from "../contract/errors.ts";
import { LIMITS, ROUTE_FAMILIES, type RouteFamily } from "../contract/limits.ts";
import { toTimestamp } from "../platform/clock.ts";
import type { Env } from "../platform/env.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";

/** Requests a window for a family: its default, or the variable RATE_LIMIT_<FAMILY> when it is a whole number. */
export function limitOf(env: Env, family: RouteFamily): number {
  const override = Number(env[`RATE_LIMIT_${family.toUpperCase().replaceAll("-", "_")}`]);
  return Number.isSafeInteger(override) && override > 0 ? override : ROUTE_FAMILIES[family];
}

/** The families whose windows are of guesses; see contract/limits.ts. */
const GUESSED: readonly RouteFamily[] = ["sign-up", "sign-in", "sign-in-email"];

const windowMsOf = (family: RouteFamily): number =>
  GUESSED.includes(family) ? LIMITS.signInWindowMs : LIMITS.rateLimitWindowMs;

/**
 * Counts the request for `subject` (a key, an account, or a hashed client or address) and writes the window's
 * headers; 429 when it is full. Of two windows that count one request, the second is shown only when it is full.
 */
export async function countRequest(
  c: Context<AppEnv>,
  family: RouteFamily,
  subject: string,
  isShown = true,
): Promise<void> {
  const windows = c.var.capabilities.rateLimit;
  if (!windows)
    throw new RefusedRequest(refuse("SERVICE_NOT_CONFIGURED", "Rate limiting is not configured."));
  const limit = limitOf(c.env, family);
  const object = windows.get(windows.idFromName(`${family}:${subject}`));
  const count = await object.count(limit, windowMsOf(family), c.var.nowMs);
  if (isShown || !count.isAllowed) {
    c.header("X-RateLimit-Limit", String(limit));
    c.header("X-RateLimit-Remaining", String(count.remaining));
    c.header("X-RateLimit-Reset", toTimestamp(count.resetsAtMs));
  }
  if (count.isAllowed) return;
  throw new RefusedRequest({
    ...refuse("RATE_LIMITED", `More than ${limit} requests in this window.`, { family, limit }),
    retryAfterSeconds: (count.resetsAtMs - c.var.nowMs) / 1_000,
  });
}

/** Counts each request of an authenticated key in its route family. */
export const rateLimit = (family: RouteFamily) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await countRequest(c, family, c.var.principal.apiKeyId);
    await next();
  });
