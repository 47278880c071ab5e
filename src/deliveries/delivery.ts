import {
  type ARTIFACT_DELIVERY,
  DELIVERY_ATTEMPTS_MAX,
  DELIVERY_BACKOFF_SECONDS,
  DELIVERY_LIMITS,
  type DELIVERY_STATUSES,
  type DeliveryFailureCode,
  type WebhookEvent,
} from "../contract/deliveries.ts";

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export type DeliveryEvent = typeof ARTIFACT_DELIVERY | WebhookEvent;

/** Name of the object that comes last; where it lies, the pack is whole. */
export const MANIFEST_NAME = "manifest.json";

/** An object of a delivery to a store. */
export interface DeliveryFile {
  readonly position: number;
  readonly fileName: string;
  readonly byteLength: number;
  readonly uploadId: string | null;
  readonly deliveredAtMs: number | null;
}

/** A delivery as its workspace sees it. Times are Unix milliseconds. */
export interface Delivery {
  /** The cursor of lists. */
  readonly deliveryNumber: number;
  readonly deliveryId: string;
  readonly workspaceId: string;
  readonly destinationId: string;
  readonly kind: "webhook" | "s3";
  readonly eventType: DeliveryEvent;
  readonly artifactId: string | null;
  readonly jobId: string | null;
  readonly facts: string | null;
  readonly origin: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAtMs: number | null;
  readonly failureCode: DeliveryFailureCode | null;
  readonly failureMessage: string | null;
  readonly receiverStatus: number | null;
  readonly filesTotal: number;
  readonly filesDone: number;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
}

/** How an attempt failed. */
export interface AttemptFailure {
  readonly kind: "failed";
  readonly code: DeliveryFailureCode;
  /** A sentence for the workspace; it quotes nothing that the receiver sent. */
  readonly message: string;
  readonly receiverStatus: number | null;
  /** Seconds that the receiver asked to be left alone. */
  readonly retryAfterSeconds: number | null;
}

export type AttemptResult = { readonly kind: "delivered"; readonly receiverStatus: number } | AttemptFailure;

export const attemptFailed = (
  code: DeliveryFailureCode,
  message: string,
  receiverStatus: number | null = null,
  retryAfterSeconds: number | null = null,
): AttemptFailure => ({ kind: "failed", code, message, receiverStatus, retryAfterSeconds });

/** What another attempt would meet as well. */
const PERMANENT: ReadonlySet<DeliveryFailureCode> = new Set([
  "ADDRESS_REFUSED",
  "DESTINATION_UNAVAILABLE",
  "ARTIFACT_UNAVAILABLE",
  "RECEIVER_GONE",
  "STORE_REFUSED",
]);

/**
 * Seconds to the next attempt after `attempts` of them, or null when there is none. The published schedule; a
 * receiver's Retry-After can make a wait longer, up to the longest of the schedule.
 */
export function secondsToNextAttempt(failure: AttemptFailure, attempts: number): number | null {
  if (PERMANENT.has(failure.code) || attempts >= DELIVERY_ATTEMPTS_MAX) return null;
  const scheduled = DELIVERY_BACKOFF_SECONDS[Math.max(0, attempts - 1)];
  if (scheduled === undefined) return null;
  const asked = Math.min(failure.retryAfterSeconds ?? 0, DELIVERY_LIMITS.retryAfterSecondsMax);
  return Math.max(scheduled, asked);
}

/** RFC 9110 §5.6.7, the form that is written today. `Date.parse` alone also takes "-5" for a time. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Retry-After in seconds: a number of them, or a time (RFC 9110 §10.2.3); null when it is neither. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}
