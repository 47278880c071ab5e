import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Rejection } from "#api/schemas/asset.ts";
import type { MimeType, SlotId } from "#api/slots.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Uploaded and imported files, upload intents, and running imports. */

export const assets = sqliteTable(
  "assets",
  {
    assetId: text("asset_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    slotId: text("slot_id").$type<SlotId>().notNull(),
    status: text("status", { enum: ["processing", "ready", "rejected"] }).notNull(),
    fileName: text("file_name").notNull(),
    /** For an unfinished import, a placeholder: any type that its slot accepts. The placeholder is not shown. */
    mimeType: text("mime_type").$type<MimeType>().notNull(),
    /** For an unfinished import, the maximum, so that limits count it as the largest file; 0 for a rejected import. */
    byteLength: integer("byte_length").notNull(),
    /** Width and height in pixels after EXIF orientation: as declared, then as read from the file once it is ready. */
    width: integer("width"),
    height: integer("height"),
    sha256: text("sha256"),
    rejectionCode: text("rejection_code").$type<Rejection["code"]>(),
    rejectionMessage: text("rejection_message"),
    /** Storage key of the bytes. No object exists before the upload; empty after the object's deletion. */
    objectKey: text("object_key").notNull(),
    createdAt: integer("created_at").notNull(),
    readyAt: integer("ready_at"),
    deletedAt: integer("deleted_at"),
    /** When the stored bytes may be deleted; null while they are in use, and after deletion. */
    purgeAfter: integer("purge_after"),
    /** Source host of an import; null for an upload. */
    importedFrom: text("imported_from"),
  },
  (table) => [
    // By workspace, so that the sweep skips a workspace with many rows in one look-up.
    index("assets_to_purge").on(table.workspaceId, table.purgeAfter).where(sql`purge_after IS NOT NULL`),
    index("assets_dead").on(table.createdAt).where(sql`deleted_at IS NOT NULL OR status = 'rejected'`),
    // Creation times are unique per workspace, so a time alone is a complete cursor.
    uniqueIndex("assets_by_workspace").on(table.workspaceId, table.createdAt),
    index("assets_by_workspace_slot").on(table.workspaceId, table.slotId, table.createdAt),
    index("assets_by_bytes")
      .on(table.workspaceId, table.sha256, table.createdAt)
      .where(sql`sha256 IS NOT NULL`),
  ],
);

export const uploads = sqliteTable(
  "uploads",
  {
    uploadId: text("upload_id").primaryKey(),
    assetId: foreignId("asset_id", () => assets.assetId),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    status: text("status", { enum: ["pending", "completed", "rejected", "expired"] }).notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** The Idempotency-Key that completed it; completion with another key is a conflict. */
    completedWithKey: text("completed_with_key"),
    completedAt: integer("completed_at"),
  },
  (table) => [
    uniqueIndex("uploads_by_asset").on(table.assetId),
    index("uploads_pending").on(table.expiresAt).where(sql`status = 'pending'`),
  ],
);

/** Running imports. The row, with its address, is deleted when the import ends. */
export const assetImports = sqliteTable(
  "asset_imports",
  {
    assetId: text("asset_id")
      .primaryKey()
      .references(() => assets.assetId),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    /** The encrypted address, which may contain a token. */
    sealed: text("sealed").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Due time of the next attempt; during an attempt, the lease's expiry. */
    nextAttemptAt: integer("next_attempt_at").notNull(),
    leaseId: text("lease_id"),
    /** When its message was sent to the queue; null if a message must be sent. */
    dispatchedAt: integer("dispatched_at"),
    /** When the import fails regardless of its state. */
    expiresAt: integer("expires_at").notNull(),
    /** Reason of the last failed attempt; null before the first. */
    lastFailure: text("last_failure", { mode: "json" }).$type<Rejection>(),
  },
  (table) => [
    index("asset_imports_due").on(table.workspaceId, table.nextAttemptAt),
    index("asset_imports_expiring").on(table.expiresAt),
  ],
);
