import { ApiError, ConnectionError } from "./errors.ts";
import type { Settings } from "./options.ts";

/** Decides which failures are retried, and when. */

/** Error codes after which a retry is always safe: the call had no effect, or the retry continues it. */
const UNFINISHED_CODES: readonly string[] = [
  "BODY_INCOMPLETE",
  "IDEMPOTENCY_IN_PROGRESS",
  "ASSET_IMPORT_IN_PROGRESS",
];

/**
 * Whether a retry is safe and useful. `isRepeatable`: repeated attempts have the effect of one. Other calls are retried
 * only if the service certainly did not process them.
 */
export function mayRetry(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError)) return false;
  const { status, code, isRetryable } = error;
  if (status === 429) return true;
  if (UNFINISHED_CODES.includes(code)) return true;
  return isRepeatable && isRetryable && (status === 408 || status >= 500);
}

/** The delay in milliseconds that the response requests; null if it requests none. */
function askedWaitMs(headers: Headers, status: number): number | null {
  const nowMs = Date.parse(headers.get("Date") ?? "");
  const sinceNow = (timeMs: number): number | null =>
    // Relative to the service's clock if the response has a `Date`, because the local clock may be wrong.
    Number.isNaN(timeMs) ? null : Math.max(0, timeMs - (Number.isNaN(nowMs) ? Date.now() : nowMs));
  const after = headers.get("Retry-After");
  if (after !== null && /^\d+$/.test(after.trim())) return Number(after) * 1_000;
  if (after !== null) return sinceNow(Date.parse(after));
  if (status !== 429) return null;
  return sinceNow(Date.parse(headers.get("X-RateLimit-Reset") ?? ""));
}

/** `Retry-After` of a successful response in milliseconds; null without one. */
export const pollAfterMs = (headers: Headers): number | null => askedWaitMs(headers, 200);

/**
 * Milliseconds before the next attempt; null if the service requests a longer delay than the client allows. Without
 * `Retry-After`: exponential backoff up to `longest`, with 50 % jitter.
 */
export function retryWaitMs(error: unknown, retries: number, settings: Settings): number | null {
  const asked = error instanceof ApiError ? askedWaitMs(error.headers, error.status) : null;
  if (asked !== null) return asked <= settings.retryWaitMsMax ? asked : null;
  const { first, longest } = settings.backoffMs;
  const wait = Math.min(longest, first * 2 ** Math.min(retries, 30));
  return wait * (0.5 + Math.random() / 2);
}
