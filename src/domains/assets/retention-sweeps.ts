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

/** What the scheduled task does to assets. Every sweep may be repeated, cut short and run beside itself without harm. */

/** Bytes that were under way when an upload expired may still arrive; the sweep comes after them. */
const EXPIRY_GRACE_MS = 5 * 60_000;
/** Ended workspaces are looked at for so long; every sweep in it finds what the one before left. */
const ENDED_WORKSPACE_WINDOW_MS = 3 * 24 * 60 * 60_000;
/** Objects deleted at once, as many as R2 takes; one asset has one or a few. */
const OBJECTS_PER_PAGE = 1_000;

const NOT_COMPLETED: Rejection = {
  code: "UPLOAD_EXPIRED",
  message: "The upload was not completed before it expired.",
};

/** Ends at most `limit` uploads that were not completed in time and rejects their assets. Returns how many. */
export async function expireUploads(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const open = { expiredMs: nowMs - EXPIRY_GRACE_MS, limit };
  const [, expired] = await db.batch([
    rejectAssetsOfOpenUploads.bind(db, { ...open, ...NOT_COMPLETED, nowMs }),
    expireOpenUploads.bind(db, open),
  ]);
  return expired?.meta.changes ?? 0;
}

/** Deletes at most `limit` assets of workspaces that ended a retention ago (trials). Returns how many. */
export function deleteAssetsOfEndedWorkspaces(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const endedMs = nowMs - LIMITS.deletedAssetRetentionMs;
  const endedAfterMs = endedMs - ENDED_WORKSPACE_WINDOW_MS;
  return markAssetsOfEndedWorkspacesDeleted.run(db, { endedAfterMs, endedMs, nowMs, limit });
}

/**
 * Deletes the bytes of at most `limit` assets that are deleted or rejected, due, and named by no open job. Returns how
 * many. An asset whose bytes cannot be deleted now is tried again by the next sweep.
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
 * Deletes the rows of at most `limit` assets that were made so long ago, are deleted or rejected for as long, and whose
 * bytes are gone. Returns how many. By then no Idempotency-Key names their upload any more; jobs keep what they were
 * made from.
 */
export async function deleteDeadAssets(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const dead = { beforeMs: nowMs - LIMITS.deadAssetRetentionMs, limit };
  const [, deleted] = await db.batch([
    deleteUploadsOfDeadAssets.bind(db, dead),
    deleteDeadAssetRows.bind(db, dead),
  ]);
  return deleted?.meta.changes ?? 0;
}

/**
 * Deletes what lies under a prefix, also bytes whose upload never came to name them. False when there was more than one
 * call deletes: the next sweep goes on.
 */
async function deleteObjects(bucket: R2Bucket, prefix: string): Promise<boolean> {
  const page = await bucket.list({ prefix, limit: OBJECTS_PER_PAGE });
  if (page.objects.length > 0) await bucket.delete(page.objects.map(({ key }) => key));
  return !page.truncated;
}
