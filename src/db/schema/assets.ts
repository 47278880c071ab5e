import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Rejection } from "../../api/schemas/asset.ts";
import type { MimeType, SlotId } from "../../api/slots.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Files that were sent, and the intents to send them. */

export const assets = sqliteTable(
  "assets",
  {
    assetId: text("asset_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    slotId: text("slot_id").$type<SlotId>().notNull(),
    status: text("status", { enum: ["processing", "ready", "rejected"] }).notNull(),
    fileName: text("file_name").notNull(),
    mimeType: text("mime_type").$type<MimeType>().notNull(),
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
  },
  (table) => [
    // By workspace, so that the sweep steps over one with many in a single look-up.
    index("assets_to_purge").on(table.workspaceId, table.purgeAfter).where(sql`purge_after IS NOT NULL`),
    index("assets_dead").on(table.createdAt).where(sql`deleted_at IS NOT NULL OR status = 'rejected'`),
    // Creation times are unique in a workspace, so that a time alone is a cursor that skips nothing.
    uniqueIndex("assets_by_workspace").on(table.workspaceId, table.createdAt),
    index("assets_by_workspace_slot").on(table.workspaceId, table.slotId, table.createdAt),
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
