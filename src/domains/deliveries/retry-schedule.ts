import { DELIVERY_BACKOFF_SECONDS, type DeliveryFailureCode } from "#api/delivery-rules.ts";
import { secondsToNextAttempt } from "#platform/leased-work/message-result.ts";
import type { AttemptFailure } from "./delivery.ts";

/** Failures that another attempt would have as well. */
const PERMANENT: ReadonlySet<DeliveryFailureCode> = new Set([
  "ADDRESS_REFUSED",
  "DESTINATION_UNAVAILABLE",
  "ARTIFACT_UNAVAILABLE",
  "RECEIVER_GONE",
  "STORE_REFUSED",
]);

/** Seconds from the last of `attempts` to the next one by the published schedule, or null when there is none. */
export const secondsToNextDelivery = (failure: AttemptFailure, attempts: number): number | null =>
  PERMANENT.has(failure.code)
    ? null
    : secondsToNextAttempt(DELIVERY_BACKOFF_SECONDS, attempts, failure.retryAfterSeconds);
