import { LIMITS } from "../contract/limits.ts";
import type { Rejection } from "../contract/schemas/asset.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { objectPrefixOf } from "./asset.ts";

/** What the clock does to assets. Every sweep may be repeated, cut short and run beside itself without harm. */

/** Bytes that were under way when an upload expired may still arrive; the sweep comes after them. */
const EXPIRY_GRACE_MS = 5 * 60_000;
/** Ended workspaces are looked at for so long; every sweep in it finds what the one before left. */
const ENDED_WORKSPACE_WINDOW_MS = 3 * 24 * 60 * 60_000;
/** Objects removed at once, as many as R2 takes; one asset has one or a few. */
const OBJECTS_PER_PAGE = 1_000;

const NOT_COMPLETED: Rejection = {
  code: "UPLOAD_EXPIRED",
  message: "The upload was not completed before it expired.",
};

/** Ends at most `limit` uploads that were not completed in time and rejects their assets. Returns how many. */
export async function expireUploads(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const overdue = `SELECT asset_id FROM uploads WHERE status = 'pending' AND expires_at <= ?1
                   ORDER BY expires_at, upload_id LIMIT ?2`;
  const overdueBefore = nowMs - EXPIRY_GRACE_MS;
  const [, expired] = await db.batch([
    db
      .prepare(
        `UPDATE assets SET status = 'rejected', rejection_code = ?3, rejection_message = ?4,
                           purge_after = COALESCE(purge_after, ?5)
         WHERE status = 'processing' AND asset_id IN (${overdue})`,
      )
      .bind(overdueBefore, limit, NOT_COMPLETED.code, NOT_COMPLETED.message, nowMs),
    db
      .prepare(`UPDATE uploads SET status = 'expired' WHERE asset_id IN (${overdue})`)
      .bind(overdueBefore, limit),
  ]);
  return expired?.meta.changes ?? 0;
}

/** Deletes at most `limit` assets of workspaces that ended a retention ago (trials). Returns how many. */
export async function deleteAssetsOfEndedWorkspaces(
  db: D1Database,
  nowMs: number,
  limit: number,
): Promise<number> {
  const endedBefore = nowMs - LIMITS.deletedAssetRetentionMs;
  const deleted = await db
    .prepare(
      `UPDATE assets SET deleted_at = ?1, purge_after = iif(object_key = '', NULL, ?1)
       WHERE asset_id IN (
         SELECT assets.asset_id FROM workspaces JOIN assets ON assets.workspace_id = workspaces.workspace_id
         WHERE workspaces.expires_at IS NOT NULL AND workspaces.expires_at > ?2 AND workspaces.expires_at <= ?3
           AND assets.deleted_at IS NULL
         LIMIT ?4)`,
    )
    .bind(nowMs, endedBefore - ENDED_WORKSPACE_WINDOW_MS, endedBefore, limit)
    .run();
  return deleted.meta.changes;
}

/**
 * Removes the bytes of at most `limit` assets that are deleted or rejected, due, and named by no open job. Returns how
 * many. Workspaces take turns, so that nobody's bytes wait for another's thousands. An asset whose bytes cannot be
 * removed now is tried again by the next sweep.
 */
export async function purgeAssets(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  // The key is unique and JSON leaves it unescaped, so its text in a job's inputs is a sure sign.
  const { results } = await db
    .prepare(
      `WITH RECURSIVE owner (workspace_id) AS (
         SELECT MIN(workspace_id) FROM assets WHERE purge_after IS NOT NULL
         UNION ALL
         SELECT (SELECT MIN(workspace_id) FROM assets
           WHERE purge_after IS NOT NULL AND workspace_id > owner.workspace_id)
         FROM owner WHERE owner.workspace_id IS NOT NULL
       )
       SELECT a.asset_id AS assetId, a.workspace_id AS workspaceId
       FROM owner JOIN assets a ON a.asset_id IN (
         SELECT asset_id FROM assets
         WHERE workspace_id = owner.workspace_id AND purge_after IS NOT NULL AND purge_after <= ?1 AND NOT EXISTS (
           SELECT 1 FROM jobs WHERE jobs.workspace_id = assets.workspace_id
             AND jobs.status IN ('queued', 'running') AND instr(jobs.render_inputs, assets.object_key) > 0)
         ORDER BY purge_after LIMIT ?2)
       ORDER BY ROW_NUMBER() OVER (PARTITION BY a.workspace_id ORDER BY a.purge_after), a.purge_after LIMIT ?2`,
    )
    .bind(nowMs, limit)
    .all<{ assetId: string; workspaceId: string }>();
  let purged = 0;
  for (const { assetId, workspaceId } of results) {
    try {
      if (!(await removeObjects(bucket, `${objectPrefixOf(workspaceId, assetId)}/`))) continue;
      await db
        .prepare(
          "UPDATE assets SET object_key = '', purge_after = NULL WHERE workspace_id = ?1 AND asset_id = ?2",
        )
        .bind(workspaceId, assetId)
        .run();
      purged += 1;
    } catch (thrown) {
      log.failure({ event: "asset_purge_failed", workspaceId, errorName: errorNameOf(thrown) });
    }
  }
  return purged;
}

/**
 * Forgets at most `limit` assets that were made so long ago, are deleted or rejected for as long, and whose bytes are gone.
 * Returns how many. By then no Idempotency-Key names their upload any more; jobs keep what they were made from.
 */
export async function forgetDeadAssets(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const dead = `SELECT asset_id FROM assets WHERE (deleted_at IS NOT NULL OR status = 'rejected') AND created_at <= ?1
    AND COALESCE(deleted_at, 0) <= ?1 AND purge_after IS NULL ORDER BY created_at LIMIT ?2`;
  const before = nowMs - LIMITS.deadAssetRetentionMs;
  const [, forgotten] = await db.batch([
    db.prepare(`DELETE FROM uploads WHERE asset_id IN (${dead})`).bind(before, limit),
    db.prepare(`DELETE FROM assets WHERE asset_id IN (${dead})`).bind(before, limit),
  ]);
  return forgotten?.meta.changes ?? 0;
}

/**
 * Removes what lies under a prefix, also bytes whose upload never came to name them. False when there was more than one
 * call removes: the next sweep goes on.
 */
async function removeObjects(bucket: R2Bucket, prefix: string): Promise<boolean> {
  const page = await bucket.list({ prefix, limit: OBJECTS_PER_PAGE });
  if (page.objects.length > 0) await bucket.delete(page.objects.map(({ key }) => key));
  return !page.truncated;
}
