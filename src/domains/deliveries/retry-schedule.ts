import {
  DELIVERY_ATTEMPTS_MAX,
  DELIVERY_BACKOFF_SECONDS,
  DELIVERY_LIMITS,
  type DeliveryFailureCode,
} from "#api/delivery-rules.ts";
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
