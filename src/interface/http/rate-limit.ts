import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Refusal, refuse } from "#api/errors.ts";
import {
  CLIENT_WINDOWS,
  type ClientWindow,
  familyWindowMs,
  JOB_WINDOWS,
  type JobWindow,
  LIMITS,
  ROUTE_FAMILIES,
  type RouteFamily,
  type WindowName,
  windowVariable,
} from "#api/limits.ts";
import type { Env } from "#platform/bindings/env.ts";
import type { WindowCount } from "#platform/durable-objects/rate-limit-window.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest, writeWindow } from "./envelope.ts";
import { requireCapability } from "./require-capability.ts";

/** The limit of a window: its environment variable if that is a positive whole number, otherwise its default. */
export function limitOf(env: Env, name: WindowName): number {
  const override = Number(env[windowVariable(name)]);
  if (Number.isSafeInteger(override) && override > 0) return override;
  if (isClientWindow(name)) return CLIENT_WINDOWS[name].limit;
  return isJobWindow(name) ? JOB_WINDOWS[name].limit : ROUTE_FAMILIES[name];
}

const isJobWindow = (name: WindowName): name is JobWindow => name in JOB_WINDOWS;

const isClientWindow = (name: WindowName): name is ClientWindow => name in CLIENT_WINDOWS;

/** Whether a window must never lose a count: password guesses, emails, sign-ups and trials. */
const isExact = (name: WindowName): boolean =>
  !isJobWindow(name) && windowMsOf(name) > LIMITS.rateLimitWindowMs;

function windowMsOf(name: WindowName): number {
  if (isClientWindow(name)) return CLIENT_WINDOWS[name].windowMs;
  if (isJobWindow(name)) return JOB_WINDOWS[name].windowMs;
  return familyWindowMs(name);
}

/** Counts this request for `subject` in the window's Durable Object. */
async function countInWindow(c: Context<AppEnv>, family: WindowName, subject: string): Promise<WindowCount> {
  const windows = requireCapability(c, "rateLimit");
  const name = `${family}:${subject}`;
  const object = windows.get(windows.idFromName(name));
  const count = await object.count(
    limitOf(c.env.bindings, family),
    windowMsOf(family),
    c.get("nowMs"),
    isExact(family),
  );
  if (!count.isAllowed) c.env.exhaustedWindows.add(name, count.resetsAtMs);
  return count;
}

/** 429 with the headers of a full window. */
const windowFull = (family: string, limit: number, resetsAtMs: number, nowMs: number): Refusal => ({
  ...refuse("RATE_LIMITED", `More than ${limit} requests in this window.`, { family, limit }),
  retryAfterSeconds: (resetsAtMs - nowMs) / 1_000,
  fullWindow: { limit, resetsAtMs },
});

/** The refusal of a window that this isolate knows to be exhausted; null otherwise. */
export function exhaustedWindow(c: Context<AppEnv>, family: WindowName, subject: string): Refusal | null {
  const nowMs = c.get("nowMs");
  const endsAtMs = c.env.exhaustedWindows.endOf(`${family}:${subject}`, nowMs);
  return endsAtMs === undefined ? null : windowFull(family, limitOf(c.env.bindings, family), endsAtMs, nowMs);
}

/** Throws 429 for a window that this isolate knows to be exhausted. */
export function refuseExhaustedWindow(c: Context<AppEnv>, family: WindowName, subject: string): void {
  const refusal = exhaustedWindow(c, family, subject);
  if (refusal !== null) throw new RefusedRequest(refusal);
}

/** Writes the window's headers; throws 429 when it is full. */
function showCount(c: Context<AppEnv>, family: WindowName, count: WindowCount, isShown = true): void {
  const limit = limitOf(c.env.bindings, family);
  if (!count.isAllowed) {
    throw new RefusedRequest(windowFull(family, limit, count.resetsAtMs, c.get("nowMs")));
  }
  if (isShown) writeWindow(c, { limit, ...count });
}

/** Counts the request in memory, in a window of this isolate alone; 429 beyond the limit. */
export function countInIsolate(c: Context<AppEnv>, family: string, subject: string, limit: number): void {
  const nowMs = c.get("nowMs");
  const { counts } = c.env;
  const windowMs = LIMITS.rateLimitWindowMs;
  const resetsAtMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
  const known = counts.get(`${family}:${subject}`);
  const used = known?.resetsAtMs === resetsAtMs ? known.used + 1 : 1;
  counts.set(`${family}:${subject}`, { used, resetsAtMs });
  if (used > limit) throw new RefusedRequest(windowFull(family, limit, resetsAtMs, nowMs));
}

/**
 * Counts the request for `subject` (a key, an account, a hashed client or address) and writes the window's headers; 429
 * when it is full. `isShown` is false for further windows, whose headers are written only when they are full.
 */
export async function countRequest(
  c: Context<AppEnv>,
  family: WindowName,
  subject: string,
  isShown = true,
): Promise<void> {
  refuseExhaustedWindow(c, family, subject);
  showCount(c, family, await countInWindow(c, family, subject), isShown);
}

/** Counts each request of an authenticated key in its route family. */
export const rateLimit = (family: RouteFamily) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await countRequest(c, family, c.get("principal").countedAs);
    await next();
  });

/**
 * Like `rateLimit`, for routes that only read: counts and reads in parallel, and discards the read if the window is
 * full. Later requests in that window are refused without a read.
 */
export const rateLimitBesideRead = (family: RouteFamily) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { countedAs } = c.get("principal");
    refuseExhaustedWindow(c, family, countedAs);
    const [count, answered] = await Promise.allSettled([countInWindow(c, family, countedAs), next()]);
    if (count.status === "rejected") throw count.reason;
    showCount(c, family, count.value);
    if (answered.status === "rejected") throw answered.reason;
  });
