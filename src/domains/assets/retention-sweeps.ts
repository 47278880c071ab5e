import { LIMITS } from "#api/limits.ts";
import type { Rejection } from "#api/schemas/asset.ts";
import { log } from "#platform/log/log.ts";
import { objectPrefixOf } from "./asset.ts";
import {
  assetsWithBytesToDelete,
  deleteDeadAssetRows,
  deleteUploadsOfDeadAssets,
  expireOpenUploads,
  markAssetsOfEndedWorkspacesDeleted,
  rejectAssetsOfOpenUploads,
  setBytesDeleted,
} from "./sweep-store.ts";

/** The scheduled task's work on assets. Every sweep may be repeated, interrupted or run concurrently. */

/** A transfer in progress when its upload expires may still finish, so the sweep waits this long. */
const EXPIRY_GRACE_MS = 5 * 60_000;
/** Sweeps find only workspaces that became due within this time. */
const ENDED_WORKSPACE_WINDOW_MS = 3 * 24 * 60 * 60_000;
/** R2's limit of keys per list and delete call. An asset has one object or a few. */
const OBJECTS_PER_PAGE = 1_000;

const NOT_COMPLETED: Rejection = {
  code: "UPLOAD_EXPIRED",
  message: "The upload was not completed before it expired.",
};

/** Expires at most `limit` uploads that were not completed in time and rejects their assets. Returns how many. */
export async function expireUploads(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const open = { expiredMs: nowMs - EXPIRY_GRACE_MS, limit };
  const [, expired] = await db.batch([
    rejectAssetsOfOpenUploads.bind(db, { ...open, ...NOT_COMPLETED, nowMs }),
    expireOpenUploads.bind(db, open),
  ]);
  return expired?.meta.changes ?? 0;
}

/**
 * Deletes at most `limit` assets of trial workspaces that expired more than `deletedAssetRetentionMs` ago. Returns how
 * many.
 */
export function deleteAssetsOfEndedWorkspaces(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const endedMs = nowMs - LIMITS.deletedAssetRetentionMs;
  const endedAfterMs = endedMs - ENDED_WORKSPACE_WINDOW_MS;
  return markAssetsOfEndedWorkspacesDeleted.run(db, { endedAfterMs, endedMs, nowMs, limit });
}

/**
 * Deletes the bytes of at most `limit` deleted or rejected assets that are due and in no open job. Returns how many.
 * The next sweep retries failed deletions.
 */
export async function deleteAssetBytes(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  const deleted: { readonly workspaceId: string; readonly assetId: string }[] = [];
  for (const asset of await assetsWithBytesToDelete.all(db, { nowMs, limit })) {
    const { workspaceId, assetId } = asset;
    try {
      if (await deleteObjects(bucket, `${objectPrefixOf(workspaceId, assetId)}/`)) deleted.push(asset);
    } catch (thrown) {
      log.failure({ event: "asset_bytes_not_deleted", workspaceId }, thrown);
    }
  }
  if (deleted.length > 0) await db.batch(deleted.map((asset) => setBytesDeleted.bind(db, asset)));
  return deleted.length;
}

/**
 * Deletes the rows of at most `limit` old assets that were deleted or rejected and whose bytes are deleted. Returns how
 * many. By then no Idempotency-Key refers to their upload; jobs keep their own record of the inputs.
 */
export async function deleteDeadAssets(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const dead = { beforeMs: nowMs - LIMITS.deadAssetRetentionMs, limit };
  const [, deleted] = await db.batch([
    deleteUploadsOfDeadAssets.bind(db, dead),
    deleteDeadAssetRows.bind(db, dead),
  ]);
  return deleted?.meta.changes ?? 0;
}

/** Deletes the objects under a prefix, including bytes that no row names. False when more remain for the next sweep. */
async function deleteObjects(bucket: R2Bucket, prefix: string): Promise<boolean> {
  const page = await bucket.list({ prefix, limit: OBJECTS_PER_PAGE });
  if (page.objects.length > 0) await bucket.delete(page.objects.map(({ key }) => key));
  return !page.truncated;
}
