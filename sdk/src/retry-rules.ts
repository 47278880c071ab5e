import { ApiError, ConnectionError } from "./errors.ts";
import type { Settings } from "./options.ts";

/** Which failures a call is sent again after, and how long it waits before that. */

/** Codes of calls that broke off before their effect, or that continue when they are repeated. */
const UNFINISHED_CODES: readonly string[] = [
  "BODY_INCOMPLETE",
  "IDEMPOTENCY_IN_PROGRESS",
  "ASSET_IMPORT_IN_PROGRESS",
];

/**
 * Whether sending the same again is right. `isRepeatable`: its effect comes once however often it is sent. Of anything
 * else only what was surely not looked at is sent again.
 */
export function mayRetry(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError)) return false;
  const { status, code, isRetryable } = error;
  if (status === 429) return true;
  if (UNFINISHED_CODES.includes(code)) return true;
  return isRepeatable && isRetryable && (status === 408 || status >= 500);
}

/** Milliseconds until the time that the service asks to wait for; null where it asks for none. */
function askedWaitMs(headers: Headers, status: number): number | null {
  const nowMs = Date.parse(headers.get("Date") ?? "");
  const sinceNow = (timeMs: number): number | null =>
    // By the service's own clock, which says what is late.
    Number.isNaN(timeMs) ? null : Math.max(0, timeMs - (Number.isNaN(nowMs) ? Date.now() : nowMs));
  const after = headers.get("Retry-After");
  if (after !== null && /^\d+$/.test(after.trim())) return Number(after) * 1_000;
  if (after !== null) return sinceNow(Date.parse(after));
  if (status !== 429) return null;
  return sinceNow(Date.parse(headers.get("X-RateLimit-Reset") ?? ""));
}

/** What `Retry-After` of a success asks for, in milliseconds; null without it. */
export const pollAfterMs = (headers: Headers): number | null => askedWaitMs(headers, 200);

/**
 * Milliseconds to wait before the next try; null when the service asks for a longer wait than the client takes.
 * Without an ask it is doubled each time, up to the longest, and half of it is drawn by lot, so that clients that fell
 * together do not come back together.
 */
export function retryWaitMs(error: unknown, retries: number, settings: Settings): number | null {
  const asked = error instanceof ApiError ? askedWaitMs(error.headers, error.status) : null;
  if (asked !== null) return asked <= settings.retryWaitMsMax ? asked : null;
  const { first, longest } = settings.backoffMs;
  const wait = Math.min(longest, first * 2 ** Math.min(retries, 30));
  return wait * (0.5 + Math.random() / 2);
}
