import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workspaces } from "./workspaces.ts";

/** Where packs and messages are sent, and what became of each. */

/** Where artifacts and messages are sent. Addresses and secrets stand encrypted in `sealed`. */
export const destinations = sqliteTable(
  "destinations",
  {
    destinationId: text("destination_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    kind: text("kind", { enum: ["webhook", "s3"] }).notNull(),
    /** Hash of what makes it the same destination; there is one of each. */
    identity: text("identity").notNull(),
    /** JSON: what may be shown. */
    settings: text("settings").notNull(),
    /** Encrypted JSON: what may not; null once it is removed. */
    sealed: text("sealed"),
    /** JSON array of the event types it is told. */
    events: text("events").notNull(),
    /** Credits under which `balance.low` is told. */
    lowBalanceBelow: integer("low_balance_below"),
    createdAt: integer("created_at").notNull(),
    /** The account that made it; null of those made before this was noted. */
    createdBy: text("created_by"),
    /** Since when nothing is sent to it, and why: its receiver is gone, or who made it is no longer a member. */
    disabledAt: integer("disabled_at"),
    disabledCode: text("disabled_code", { enum: ["RECEIVER_GONE", "CREATOR_REMOVED"] }),
    deletedAt: integer("deleted_at"),
    /** When it was last not told something because too much waited for it already; see migrations/0008. */
    missedAt: integer("missed_at"),
  },
  (table) => [
    index("destinations_removed").on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
    uniqueIndex("destinations_by_workspace").on(table.workspaceId, table.createdAt),
    uniqueIndex("destinations_one_each").on(table.workspaceId, table.identity).where(sql`deleted_at IS NULL`),
  ],
);

/** What is sent there: an artifact, or a message. Messages are written by triggers; see migrations/0006 and 0008. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    /** The cursor of lists. */
    deliveryNumber: integer("delivery_number").primaryKey({ autoIncrement: true }),
    /** Also the message's own id to a webhook, the same in every attempt. */
    deliveryId: text("delivery_id").notNull(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    destinationId: text("destination_id")
      .notNull()
      .references(() => destinations.destinationId),
    eventType: text("event_type", {
      enum: ["artifact.delivery", "job.succeeded", "job.failed", "job.canceled", "balance.low"],
    }).notNull(),
    /** Names what is told to whom, so that it is told once. */
    reference: text("reference").notNull(),
    artifactId: text("artifact_id"),
    jobId: text("job_id"),
    /** JSON: what is told, where no row keeps it. */
    facts: text("facts"),
    /** Origin of the links in it. */
    origin: text("origin"),
    status: text("status", { enum: ["queued", "running", "retrying", "succeeded", "dead"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When it may be taken up: its turn, or the end of the lease that holds it. Null once it has ended. */
    nextAttemptAt: integer("next_attempt_at"),
    leaseId: text("lease_id"),
    /** When its message was last sent to the queue; null until then. */
    dispatchedAt: integer("dispatched_at"),
    failureCode: text("failure_code"),
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
    // By destination, so that one with much to wait for is passed over in one step.
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

/** The objects that a delivery to a store puts there, and which of them are there. */
export const deliveryFiles = sqliteTable(
  "delivery_files",
  {
    deliveryId: text("delivery_id").notNull(),
    position: integer("position").notNull(),
    fileName: text("file_name").notNull(),
    byteLength: integer("byte_length").notNull(),
    /** The store's id of an upload in parts that has begun, so that a later attempt can end it. */
    uploadId: text("upload_id"),
    deliveredAt: integer("delivered_at"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.position] })],
);
