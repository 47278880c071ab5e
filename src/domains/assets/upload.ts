import { type Refusal, refuse } from "#api/errors.ts";
import type { UploadIntentBody } from "#api/schemas/upload.ts";
import { toTimestamp } from "#platform/clock.ts";
import { latest } from "#platform/db/reader.ts";
import type { RowOf } from "#platform/db/statement.ts";
import { uploadById } from "./store.ts";

/** An upload of one asset's bytes. Times are Unix milliseconds. */
export type Upload = RowOf<typeof uploadById>;

export const findUpload = (db: D1Database, workspaceId: string, uploadId: string): Promise<Upload | null> =>
  uploadById.first(latest(db), { workspaceId, uploadId });

export const UPLOAD_ID_HEADER = "x-service-cc-upload-id";

/**
 * Everything that a client needs to send the bytes. A replay shows the same intent with the same `expiresAt`, even if
 * that has passed.
 */
export const presentIntent = (upload: Upload, origin: string): UploadIntentBody => ({
  uploadId: upload.uploadId,
  assetId: upload.asset.assetId,
  url: `${origin}/api/v1/assets/upload-object?uploadId=${upload.uploadId}`,
  method: "PUT",
  headers: { "Content-Type": upload.asset.mimeType, [UPLOAD_ID_HEADER]: upload.uploadId },
  expiresAt: toTimestamp(upload.expiresAt),
  maxBytes: upload.asset.byteLength,
});

export const uploadNotFound = (): Refusal =>
  refuse("UPLOAD_NOT_FOUND", "The workspace has no upload with this id.");

/** The reason why an upload no longer accepts bytes or a completion; null while it accepts them. */
export function findClosedReason(upload: Upload, nowMs: number): Refusal | null {
  const { deletedAt } = upload.asset;
  // A completed upload stays completed, whatever happens to its asset.
  if (upload.status === "completed") return alreadyCompleted(deletedAt !== null);
  if (deletedAt !== null) return uploadNotFound();
  switch (upload.status) {
    case "rejected": {
      const { rejection } = upload.asset;
      return rejection === null
        ? refuse("ASSET_REJECTED", "The file was rejected.")
        : refuse("ASSET_REJECTED", rejection.message, { rejection });
    }
    case "expired":
      return expired(upload);
    case "pending":
      return nowMs >= upload.expiresAt ? expired(upload) : null;
  }
}

const alreadyCompleted = (isDeleted: boolean): Refusal =>
  isDeleted
    ? refuse("UPLOAD_ALREADY_COMPLETED", "The upload was completed; its asset was deleted since.", {
        nextAction: "Create a new upload intent.",
      })
    : refuse("UPLOAD_ALREADY_COMPLETED", "The upload was completed; its asset is ready.");

const expired = (upload: Upload): Refusal =>
  refuse("UPLOAD_EXPIRED", `The upload expired at ${toTimestamp(upload.expiresAt)}.`);
