import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  ARTIFACT_DELIVERY,
  DELIVERY_FAILURE_CODES,
  TEST_MESSAGE,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from "#api/delivery-rules.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Destinations of packs and messages, and the state of each delivery. */

/** Requests that carry checksums: PUT of an object, parts of a multipart upload, HEAD. */
export type ChecksumUse = "put" | "parts" | "head";

/** Requests whose checksums a store refuses or ignores, with the time of its answer (Unix ms). */
export type RefusedChecksums = Readonly<Partial<Record<ChecksumUse, number>>>;

/** A webhook as shown to its workspace. */
export interface WebhookSettings {
  /** Without the query. */
  readonly url: string;
  readonly previousSecretUntilMs: number | null;
}

/** A store as shown to its workspace. */
export interface S3Settings {
  /** An origin, and the path of the store's S3 interface if it has one; no trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Without a trailing slash; empty for none. */
  readonly prefix: string;
  readonly accessKeyId: string;
  /** Learnt from the store's answers; never shown. */
  readonly refusedChecksums?: RefusedChecksums;
}

/** Destinations. Webhook URLs and all secrets are encrypted in `sealed`. */
export const destinations = sqliteTable(
  "destinations",
  {
    destinationId: text("destination_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    kind: text("kind", { enum: ["webhook", "s3"] }).notNull(),
    /** Hash of the address, unique per workspace. */
    identity: text("identity").notNull(),
    settings: text("settings", { mode: "json" }).$type<WebhookSettings | S3Settings>().notNull(),
    /** Encrypted JSON of the secrets; null after deletion. */
    sealed: text("sealed"),
    /** The event types that a webhook receives. */
    events: text("events", { mode: "json" }).$type<readonly WebhookEvent[]>().notNull(),
    /** A balance below this many credits sends `balance.low`. */
    lowBalanceBelow: integer("low_balance_below"),
    createdAt: integer("created_at").notNull(),
    /** The account that created it, or `key:` and an API key's id; null for rows older than this column. */
    createdBy: text("created_by"),
    /** When it was disabled, and why: the receiver answered 410, or its creator left the workspace. */
    disabledAt: integer("disabled_at"),
    disabledCode: text("disabled_code", { enum: ["RECEIVER_GONE", "CREATOR_REMOVED"] }),
    deletedAt: integer("deleted_at"),
    /** Time of the last event that created no delivery, because too many were open; see migrations/0008. */
    missedAt: integer("missed_at"),
  },
  (table) => [
    index("destinations_removed").on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
    uniqueIndex("destinations_by_workspace").on(table.workspaceId, table.createdAt),
    uniqueIndex("destinations_one_each").on(table.workspaceId, table.identity).where(sql`deleted_at IS NULL`),
  ],
);

/** Deliveries of artifacts and messages. Triggers insert the rows for messages; see migrations/0006 and 0008. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    /** The cursor of lists. */
    deliveryNumber: integer("delivery_number").primaryKey({ autoIncrement: true }),
    /** Also the `webhook-id` of the message, the same in every attempt. */
    deliveryId: text("delivery_id").notNull(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    destinationId: foreignId("destination_id", () => destinations.destinationId),
    eventType: text("event_type", { enum: [ARTIFACT_DELIVERY, TEST_MESSAGE, ...WEBHOOK_EVENTS] }).notNull(),
    /** Identifies the event and the destination; unique, so that a message is inserted once. */
    reference: text("reference").notNull(),
    artifactId: text("artifact_id"),
    jobId: text("job_id"),
    /** Data of a message about the balance, or about feedback on a shared pack. */
    facts: text("facts", { mode: "json" }).$type<object>(),
    /** Origin of the message's links. */
    origin: text("origin"),
    status: text("status", { enum: ["queued", "running", "retrying", "succeeded", "dead"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Due time of the next attempt; during an attempt, the lease's expiry. Null once it has succeeded or is dead. */
    nextAttemptAt: integer("next_attempt_at"),
    leaseId: text("lease_id"),
    /** When its message was sent to the queue; null if a message must be sent. */
    dispatchedAt: integer("dispatched_at"),
    failureCode: text("failure_code", { enum: DELIVERY_FAILURE_CODES }),
    failureMessage: text("failure_message"),
    /** HTTP status of the receiver's last answer. */
    receiverStatus: integer("receiver_status"),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("deliveries_by_id").on(table.deliveryId),
    uniqueIndex("deliveries_reference").on(table.reference),
    index("deliveries_by_workspace").on(table.workspaceId, table.deliveryNumber),
    index("deliveries_by_status").on(table.workspaceId, table.status, table.deliveryNumber),
    // By destination, so that one destination's many open rows are skipped in one step.
    index("deliveries_open")
      .on(table.destinationId, table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
    index("deliveries_by_destination").on(table.destinationId),
    index("deliveries_ended").on(table.finishedAt).where(sql`finished_at IS NOT NULL`),
    uniqueIndex("deliveries_one_open")
      .on(table.artifactId, table.destinationId)
      .where(sql`artifact_id IS NOT NULL AND finished_at IS NULL`),
  ],
);

/** The objects of a delivery to a store. */
export const deliveryFiles = sqliteTable(
  "delivery_files",
  {
    deliveryId: text("delivery_id").notNull(),
    position: integer("position").notNull(),
    fileName: text("file_name").notNull(),
    byteLength: integer("byte_length").notNull(),
    /** The store's id of a multipart upload in progress, so that a later attempt can abort it. */
    uploadId: text("upload_id"),
    deliveredAt: integer("delivered_at"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.position] })],
);
