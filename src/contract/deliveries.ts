/** What is sent out, when it is tried again, and every limit of it. */

/** What a webhook can be told besides the artifacts that are sent to it. */
export const WEBHOOK_EVENTS = ["job.succeeded", "job.failed", "job.canceled", "balance.low"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Type of the message, or of the copy in a store, that an artifact is sent as. */
export const ARTIFACT_DELIVERY = "artifact.delivery";

export const DELIVERY_STATUSES = ["queued", "running", "retrying", "succeeded", "dead"] as const;

/** Seconds from an attempt that failed to the next one. After the last of them the delivery is dead. */
export const DELIVERY_BACKOFF_SECONDS: readonly number[] = [5, 30, 120, 600, 1_800, 7_200, 21_600];
export const DELIVERY_ATTEMPTS_MAX = DELIVERY_BACKOFF_SECONDS.length + 1;

/** Why an attempt failed. Those of the first line end a delivery at once, the rest are tried again. */
export const DELIVERY_FAILURE_CODES = [
  ...["ADDRESS_REFUSED", "DESTINATION_UNAVAILABLE", "ARTIFACT_UNAVAILABLE", "RECEIVER_GONE", "STORE_REFUSED"],
  ...["RECEIVER_REFUSED", "RECEIVER_UNREACHABLE", "STORE_UNAVAILABLE", "CHECKSUM_MISMATCH", "SERVICE_FAULT"],
] as const;
export type DeliveryFailureCode = (typeof DELIVERY_FAILURE_CODES)[number];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1_048_576;

export const DELIVERY_LIMITS = {
  /** Each is looked at whenever a job ends. */
  destinationsPerWorkspaceMax: 50,
  /** Together with removed ones that deliveries still name. */
  destinationRowsPerWorkspaceMax: 500,
  /**
   * Attempts at work at once. A receiver that keeps each of them waiting until its time is up takes so many of the
   * queue's 250 consumers and no more, and the twenty workspaces of an account less than half of them; one that answers in a tenth of a second still gets thirty messages a second.
   */
  attemptsAtOncePerDestinationMax: 3,
  attemptsAtOncePerWorkspaceMax: 6,
  /**
   * Open deliveries of a destination. Beyond them it is told nothing more until some have ended (the number stands in
   * migrations/0008 as well): hours of a busy workspace, and no database filled by a receiver that is away.
   */
  openPerDestinationMax: 1_000,
  /** Longest wait that a receiver's Retry-After can ask for. */
  retryAfterSecondsMax: 21_600,
  /** What Standard Webhooks recommends as the most a message should hold. */
  webhookMessageBytesMax: 20_000,
  /** A receiver that takes longer should acknowledge first and work later. */
  webhookTimeoutMs: 15_000,
  /** Connection, upload and answer for one object of a store; parts are counted alone. */
  storeTimeoutMs: 120_000,
  /** The queue ends an attempt after 15 minutes; a store gets the time before, and goes on in the next attempt. */
  attemptMs: 10 * MINUTE_MS,
  /** A Worker may ask other services a thousand times a run, and an object takes six of them at most. */
  objectsPerAttemptMax: 150,
  /** Longer than the queue lets an attempt run; after it another consumer may take over. */
  leaseMs: 16 * MINUTE_MS,
  /** What is read of an answer. Acknowledgements are short, and nothing in an error page is of use. */
  answerBytesMax: 65_536,
  /** Files above this go to a store in parts. */
  singlePutBytesMax: 16 * MIB,
  /** S3 takes no part under 5 MiB but the last. */
  partBytes: 8 * MIB,
  /** How long a store that refuses checksums is taken at its word; then it is asked again, with one request more. */
  checksumsRememberedMs: 30 * DAY_MS,
  /** How long a replaced signing secret still signs beside the new one. */
  secretOverlapMs: DAY_MS,
  /** Secrets that sign at once; a client whose rotation got no answer will ask again. */
  signingSecretsMax: 5,
  /** How long an ended delivery can be read. */
  retentionMs: 30 * DAY_MS,
  prefixCharactersMax: 512,
} as const;
