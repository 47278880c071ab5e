import { DELIVERY_BACKOFF_SECONDS, type DeliveryFailureCode } from "#api/delivery-rules.ts";
import { secondsToNextAttempt } from "#platform/leased-work/message-result.ts";
import type { AttemptFailure } from "./delivery.ts";

/** Failures that every retry would repeat. */
const PERMANENT: ReadonlySet<DeliveryFailureCode> = new Set([
  "ADDRESS_REFUSED",
  "DESTINATION_UNAVAILABLE",
  "ARTIFACT_UNAVAILABLE",
  "RECEIVER_GONE",
  "STORE_REFUSED",
]);

/**
 * Seconds until the next attempt after this number of attempts, by the published schedule; null after the last attempt
 * or a permanent failure.
 */
export const secondsToNextDelivery = (failure: AttemptFailure, attempts: number): number | null =>
  PERMANENT.has(failure.code)
    ? null
    : secondsToNextAttempt(DELIVERY_BACKOFF_SECONDS, attempts, failure.retryAfterSeconds);
