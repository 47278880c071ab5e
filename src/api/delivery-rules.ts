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

/** The event type of a delivery of an artifact. */
export const ARTIFACT_DELIVERY = "artifact.delivery";

/** The event type of a message that somebody sends to try a webhook out. */
export const TEST_MESSAGE = "webhook.test";

export const DELIVERY_STATUSES = ["queued", "running", "retrying", "succeeded", "dead"] as const;

/** Seconds from a failed attempt to the next one. A delivery without a next one is dead. */
export const DELIVERY_BACKOFF_SECONDS: readonly number[] = [5, 30, 120, 600, 1_800, 7_200, 21_600];
export const DELIVERY_ATTEMPTS_MAX = DELIVERY_BACKOFF_SECONDS.length + 1;

/** Why an attempt failed. The first five end a delivery at once, the others are retried. */
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
  /** The end of a job reads all of them. */
  destinationsPerWorkspaceMax: 50,
  /** Includes deleted ones that deliveries still name. */
  destinationRowsPerWorkspaceMax: 500,
  /**
   * Attempts under way at once. A receiver that lets each of them time out occupies no more than so many of the queue's
   * 250 consumers, and the twenty workspaces of an account less than half of them. One that answers in a tenth of a second
   * still gets thirty messages a second.
   */
  attemptsAtOncePerDestinationMax: 3,
  attemptsAtOncePerWorkspaceMax: 6,
  /**
   * Open deliveries of a destination. At the limit no more are created until some have ended (migrations/0008 has the
   * number as well). It allows hours of a busy workspace, and bounds what an unreachable receiver stores.
   */
  openPerDestinationMax: 1_000,
  /** The recommended maximum of Standard Webhooks. */
  webhookMessageBytesMax: 20_000,
  /** A receiver that needs longer should respond first and process later. */
  webhookTimeoutMs: 15_000,
  /** For one request to a store: connection, upload and response. */
  storeTimeoutMs: 120_000,
  /** The queue ends a consumer after 15 minutes. An attempt pauses before that, and the next one continues. */
  attemptMs: 10 * MINUTE_MS,
  /** A Worker may make a thousand requests to other services in a run, and an object takes at most six. */
  objectsPerAttemptMax: 150,
  /** Longer than the queue lets a consumer run. */
  leaseMs: 16 * MINUTE_MS,
  /** How much of a response is read. Those of S3 are short. */
  answerBytesMax: 65_536,
  /** Larger files are sent to a store by a multipart upload. */
  singlePutBytesMax: 16 * MIB,
  /** S3 accepts no part under 5 MiB except the last. */
  partBytes: 8 * MIB,
  /** How long a refusal of checksums counts; then they are sent again, at the cost of one request. */
  checksumsRememberedMs: 30 * DAY_MS,
  /** How long a rotated signing secret signs beside the new one. */
  secretOverlapMs: DAY_MS,
  /** Secrets that sign at once. More than two: a client whose rotation got no response repeats it. */
  signingSecretsMax: 5,
  /** How long an ended delivery can be read. */
  retentionMs: 30 * DAY_MS,
  prefixCharactersMax: 512,
} as const;
