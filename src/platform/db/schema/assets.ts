import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Rejection } from "#api/schemas/asset.ts";
import type { MimeType, SlotId } from "#api/slots.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Files that were sent or fetched, the intents to send them, and the imports that fetch them. */

export const assets = sqliteTable(
  "assets",
  {
    assetId: text("asset_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    slotId: text("slot_id").$type<SlotId>().notNull(),
    status: text("status", { enum: ["processing", "ready", "rejected"] }).notNull(),
    fileName: text("file_name").notNull(),
    /** Of an import that is not ready, which has no type yet, one that its slot takes; it is not shown. */
    mimeType: text("mime_type").$type<MimeType>().notNull(),
    /** Of an import that is not ready, the bytes that count for it: all that it may bring, then those that are stored. */
    byteLength: integer("byte_length").notNull(),
    /** Upright pixels, as read from the file once it is ready; as declared before. */
    width: integer("width"),
    height: integer("height"),
    sha256: text("sha256"),
    rejectionCode: text("rejection_code").$type<Rejection["code"]>(),
    rejectionMessage: text("rejection_message"),
    /** Where the bytes are: names nothing before bytes arrive, empty once they were deleted. */
    objectKey: text("object_key").notNull(),
    createdAt: integer("created_at").notNull(),
    readyAt: integer("ready_at"),
    deletedAt: integer("deleted_at"),
    /** When its stored bytes may be deleted; null while they are of use, and again once they are gone. */
    purgeAfter: integer("purge_after"),
    /** The host that an import comes from; null for an upload. */
    importedFrom: text("imported_from"),
  },
  (table) => [
    // By workspace, so that the sweep steps over one with many in a single look-up.
    index("assets_to_purge").on(table.workspaceId, table.purgeAfter).where(sql`purge_after IS NOT NULL`),
    index("assets_dead").on(table.createdAt).where(sql`deleted_at IS NOT NULL OR status = 'rejected'`),
    // Creation times are unique in a workspace, so that a time alone is a cursor that skips nothing.
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
    /** The Idempotency-Key that completed it; another key on a completed upload is a conflict. */
    completedWithKey: text("completed_with_key"),
    completedAt: integer("completed_at"),
  },
  (table) => [
    uniqueIndex("uploads_by_asset").on(table.assetId),
    index("uploads_pending").on(table.expiresAt).where(sql`status = 'pending'`),
  ],
);

/** Imports under way. A row goes when its import has ended, and with it the address. */
export const assetImports = sqliteTable(
  "asset_imports",
  {
    assetId: text("asset_id")
      .primaryKey()
      .references(() => assets.assetId),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    /** The address, encrypted: it may hold a token. */
    sealed: text("sealed").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When the next attempt is due; while one is under way, when its lease ends. */
    nextAttemptAt: integer("next_attempt_at").notNull(),
    leaseId: text("lease_id"),
    /** When its message was sent to the queue; null while it needs one. */
    dispatchedAt: integer("dispatched_at"),
    /** When it is given up, whatever it waits for. */
    expiresAt: integer("expires_at").notNull(),
    /** Why the last attempt failed; null before one did. */
    lastFailure: text("last_failure", { mode: "json" }).$type<Rejection>(),
  },
  (table) => [
    index("asset_imports_due").on(table.workspaceId, table.nextAttemptAt),
    index("asset_imports_expiring").on(table.expiresAt),
  ],
);
