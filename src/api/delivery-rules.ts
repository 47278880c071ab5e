/** Deliveries: events, statuses, failures, the retry schedule and all limits. */

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [
  "job.succeeded",
  "job.failed",
  "job.canceled",
  "balance.low",
  "share.commented",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Event type of a delivered artifact. */
export const ARTIFACT_DELIVERY = "artifact.delivery";

/** Event type of the message that tests a webhook. */
export const TEST_MESSAGE = "webhook.test";

export const DELIVERY_STATUSES = ["queued", "running", "retrying", "succeeded", "dead"] as const;

/** Seconds from a failed attempt to the next. After the last attempt the delivery is dead. */
export const DELIVERY_BACKOFF_SECONDS: readonly number[] = [5, 30, 120, 600, 1_800, 7_200, 21_600];
export const DELIVERY_ATTEMPTS_MAX = DELIVERY_BACKOFF_SECONDS.length + 1;

/** Why an attempt failed. The first five end a delivery at once; the others are retried. */
export const DELIVERY_FAILURE_CODES = [
  "ADDRESS_REFUSED",
  "DESTINATION_UNAVAILABLE",
  "ARTIFACT_UNAVAILABLE",
  "RECEIVER_GONE",
  "STORE_REFUSED",
  "RECEIVER_REFUSED",
  "RECEIVER_UNREACHABLE",
  "STORE_UNAVAILABLE",
  "CHECKSUM_MISMATCH",
  "SERVICE_FAULT",
] as const;
export type DeliveryFailureCode = (typeof DELIVERY_FAILURE_CODES)[number];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1_048_576;

export const DELIVERY_LIMITS = {
  /** All destinations of a workspace are read whenever one of its jobs ends. */
  destinationsPerWorkspaceMax: 50,
  /** Includes deleted destinations that deliveries still refer to. */
  destinationRowsPerWorkspaceMax: 500,
  /**
   * Concurrent attempts. A receiver that lets every attempt time out occupies at most this many of the queue's 250
   * consumers, and an account's 20 workspaces occupy at most 120. A receiver that responds in 0.1 s still gets 30
   * messages a second.
   */
  attemptsAtOncePerDestinationMax: 3,
  attemptsAtOncePerWorkspaceMax: 6,
  /**
   * Open deliveries per destination; further ones are rejected (migrations/0008 repeats the number). Enough for hours
   * of a busy workspace. Bounds the rows that an unreachable receiver accumulates.
   */
  openPerDestinationMax: 1_000,
  /** Maximum that Standard Webhooks recommends. */
  webhookMessageBytesMax: 20_000,
  /** A slower receiver should respond first and process later. */
  webhookTimeoutMs: 15_000,
  /** One request to a store: connection, upload and response. */
  storeTimeoutMs: 120_000,
  /** An attempt pauses before the queue ends its consumer after 15 minutes; the next attempt continues. */
  attemptMs: 10 * MINUTE_MS,
  /** An object needs at most six requests, so an attempt sends at most 900. */
  objectsPerAttemptMax: 150,
  /** Longer than the queue lets a consumer run. */
  leaseMs: 16 * MINUTE_MS,
  /** Maximum bytes read of a response; S3's are short. */
  answerBytesMax: 65_536,
  /** Larger files use a multipart upload. */
  singlePutBytesMax: 16 * MIB,
  /** S3 accepts no part under 5 MiB except the last. */
  partBytes: 8 * MIB,
  /**
   * How long no checksums are sent to a store that rejected them. Trying them again costs one request.
   */
  checksumsRememberedMs: 30 * DAY_MS,
  /** How long a rotated signing secret still signs next to the new one. */
  secretOverlapMs: DAY_MS,
  /** Active signing secrets. More than two, because a client may repeat a rotation whose response was lost. */
  signingSecretsMax: 5,
  /** How long a finished delivery can be read. */
  retentionMs: 30 * DAY_MS,
  prefixCharactersMax: 512,
} as const;
