import {
  DELIVERY_ATTEMPTS_MAX,
  DELIVERY_BACKOFF_SECONDS,
  DELIVERY_LIMITS,
  type DeliveryFailureCode,
} from "../api/delivery-rules.ts";
import type { AttemptFailure } from "./delivery.ts";

/** Failures that another attempt would have as well. */
const PERMANENT: ReadonlySet<DeliveryFailureCode> = new Set([
  "ADDRESS_REFUSED",
  "DESTINATION_UNAVAILABLE",
  "ARTIFACT_UNAVAILABLE",
  "RECEIVER_GONE",
  "STORE_REFUSED",
]);

/**
 * Seconds from the last of `attempts` to the next one, or null when there is none: by the published schedule, or by
 * Retry-After where that is longer, up to the longest delay of the schedule.
 */
export function secondsToNextAttempt(failure: AttemptFailure, attempts: number): number | null {
  if (PERMANENT.has(failure.code) || attempts >= DELIVERY_ATTEMPTS_MAX) return null;
  const scheduled = DELIVERY_BACKOFF_SECONDS[Math.max(0, attempts - 1)];
  if (scheduled === undefined) return null;
  const requested = Math.min(failure.retryAfterSeconds ?? 0, DELIVERY_LIMITS.retryAfterSecondsMax);
  return Math.max(scheduled, requested);
}

/** IMF-fixdate of RFC 9110 §5.6.7. `Date.parse` alone would accept "-5". */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Retry-After in seconds: a number of them, or a time (RFC 9110 §10.2.3); null when it is neither. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}
