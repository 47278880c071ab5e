import type { Rejection } from "../contract/schemas/asset.ts";
import { IS_KEY_LIVE } from "../keys/store.ts";
import type { IntendedFile } from "./intent-rules.ts";
import { ASSET_COLUMNS, type AssetRow, toAsset } from "./store.ts";
import type { Upload } from "./upload.ts";

/** SQL of uploads and of what they do to their assets. */

interface UploadRow extends AssetRow {
  readonly uploadId: string;
  readonly uploadStatus: Upload["status"];
  readonly expiresAt: number;
  readonly completedWithKey: string | null;
}

/** Reads an upload with its asset; `uploadOf` takes its result. */
export const uploadStatement = (
  db: D1DatabaseSession | D1Database,
  workspaceId: string,
  uploadId: string,
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT uploads.upload_id AS uploadId, uploads.status AS uploadStatus, uploads.expires_at AS expiresAt,
              uploads.completed_with_key AS completedWithKey, ${ASSET_COLUMNS}
       FROM uploads JOIN assets ON assets.asset_id = uploads.asset_id
       WHERE uploads.workspace_id = ?1 AND uploads.upload_id = ?2 AND assets.workspace_id = ?1`,
    )
    .bind(workspaceId, uploadId);

const toUpload = (row: UploadRow): Upload => ({
  uploadId: row.uploadId,
  workspaceId: row.workspaceId,
  status: row.uploadStatus,
  expiresAt: row.expiresAt,
  completedWithKey: row.completedWithKey,
  asset: toAsset(row),
});

/** What `uploadStatement` found, or null. */
export function uploadOf(result: D1Result | undefined): Upload | null {
  const row = result?.results[0] as UploadRow | undefined;
  return row === undefined ? null : toUpload(row);
}

/** The upload with its asset as they are now, or null. */
export async function findUpload(
  db: D1Database,
  workspaceId: string,
  uploadId: string,
): Promise<Upload | null> {
  const session = db.withSession("first-primary");
  const row = await uploadStatement(session, workspaceId, uploadId).first<UploadRow>();
  return row && toUpload(row);
}

/** Assets of a workspace that hold or may come to hold bytes; `workspaceId` stands at ?2. */
const LIVE_ASSET_COUNT = `SELECT COUNT(*) FROM assets
  WHERE workspace_id = ?2 AND deleted_at IS NULL AND status <> 'rejected'`;

/** Bytes that the workspace's assets hold or may come to hold; those of a deleted one until they are removed. */
const STORED_BYTES = `SELECT COALESCE(SUM(byte_length), 0) FROM assets WHERE workspace_id = ?2 AND object_key <> ''`;

/** Whether the workspace has or had anything to pay with; `workspaceId` stands at ?2. */
const WAS_EVER_PAID = `EXISTS (SELECT 1 FROM ledger_events WHERE workspace_id = ?2)
  OR EXISTS (SELECT 1 FROM subscriptions WHERE workspace_id = ?2 AND status = 'active')
  OR EXISTS (SELECT 1 FROM workspaces WHERE workspace_id = ?2 AND has_unlimited_access = 1)`;

/** Text by which SQLite names the upload that found no asset to hang on. */
const NO_ASSET = "FOREIGN KEY constraint failed";

/** True when the batch of `createStatements` failed because the workspace has all the assets it may keep. */
export const isAssetLimitError = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.includes(NO_ASSET);

export interface NewUpload {
  readonly workspaceId: string;
  readonly uploadId: string;
  readonly assetId: string;
  readonly objectKey: string;
  readonly file: IntendedFile;
  readonly nowMs: number;
  readonly expiresAtMs: number;
  /** Live assets that the workspace may have, this one included. */
  readonly assetsMax: number;
  /** The same while the workspace never had anything to pay with. */
  readonly assetsUnpaidMax: number;
  /** Both once more, for assets that are still remembered, dead or alive. */
  readonly rowsMax: number;
  readonly rowsUnpaidMax: number;
  /** Bytes that are stored or to come, this file's included, of a trial and where nothing was ever paid. */
  readonly bytesUnpaidMax: number;
  readonly isTrial: boolean;
}

/**
 * The asset and its upload. The asset's creation time is moved on where needed, so that it is the only one. Where the
 * workspace has all it may keep, no asset is written, and its upload fails the batch (`isAssetLimitError`): counted
 * in the write itself, so that requests at once cannot pass the limit.
 */
export const createStatements = (db: D1Database, upload: NewUpload): D1PreparedStatement[] => [
  db
    .prepare(
      `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length,
                           width, height, object_key, created_at)
       SELECT ?1, ?2, ?3, 'processing', ?4, ?5, ?6, ?7, ?8, ?9,
              MAX(?10, COALESCE((SELECT MAX(created_at) + 1 FROM assets WHERE workspace_id = ?2), 0))
       WHERE (${LIVE_ASSET_COUNT}) < CASE WHEN ${WAS_EVER_PAID} THEN ?11 ELSE ?12 END
         AND (SELECT COUNT(*) FROM assets WHERE workspace_id = ?2) < CASE WHEN ${WAS_EVER_PAID} THEN ?13 ELSE ?14 END
         AND (?16 = 0 AND (${WAS_EVER_PAID}) OR (${STORED_BYTES}) + ?6 <= ?15)`,
    )
    .bind(
      upload.assetId,
      upload.workspaceId,
      upload.file.slotId,
      upload.file.fileName,
      upload.file.mimeType,
      upload.file.byteLength,
      upload.file.width,
      upload.file.height,
      upload.objectKey,
      upload.nowMs,
      upload.assetsMax,
      upload.assetsUnpaidMax,
      upload.rowsMax,
      upload.rowsUnpaidMax,
      upload.bytesUnpaidMax,
      upload.isTrial ? 1 : 0,
    ),
  db
    .prepare(
      `INSERT INTO uploads (upload_id, asset_id, workspace_id, status, created_at, expires_at)
       VALUES (?1, ?2, ?3, 'pending', ?4, ?5)`,
    )
    .bind(upload.uploadId, upload.assetId, upload.workspaceId, upload.nowMs, upload.expiresAtMs),
];

/**
 * Makes stored bytes the bytes of a pending upload. Returns the key they replace, or null when the upload
 * no longer takes any, or the key has been revoked, and nothing was changed.
 */
export async function adoptBytes(
  db: D1Database,
  upload: Upload,
  objectKey: string,
  apiKeyId: string,
  nowMs: number,
): Promise<{ readonly replacedKey: string } | null> {
  const [before, update] = await db.batch<{ objectKey: string }>([
    db
      .prepare("SELECT object_key AS objectKey FROM assets WHERE workspace_id = ?1 AND asset_id = ?2")
      .bind(upload.workspaceId, upload.asset.assetId),
    db
      .prepare(
        `UPDATE assets SET object_key = ?3
         WHERE workspace_id = ?1 AND asset_id = ?4 AND status = 'processing' AND deleted_at IS NULL
           AND EXISTS (SELECT 1 FROM uploads WHERE uploads.asset_id = ?4 AND uploads.upload_id = ?5
                         AND uploads.status = 'pending' AND uploads.expires_at > ?6)
           AND EXISTS (${IS_KEY_LIVE})`,
      )
      .bind(upload.workspaceId, apiKeyId, objectKey, upload.asset.assetId, upload.uploadId, nowMs),
  ]);
  const replacedKey = before?.results[0]?.objectKey;
  return update?.meta.changes === 1 && replacedKey !== undefined ? { replacedKey } : null;
}

/** Closes a pending upload whose asset still has the bytes under this key; otherwise NULL fails the whole batch. */
const closeStatement = (
  db: D1Database,
  upload: Upload,
  status: "completed" | "rejected",
  completedWithKey: string | null,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE uploads SET completed_with_key = ?4, completed_at = ?5, status = CASE
         WHEN status = 'pending' AND EXISTS (
           SELECT 1 FROM assets WHERE assets.asset_id = uploads.asset_id AND assets.status = 'processing'
             AND assets.deleted_at IS NULL AND assets.object_key = ?3
         ) THEN ?6 ELSE NULL END
       WHERE workspace_id = ?1 AND upload_id = ?2`,
    )
    .bind(upload.workspaceId, upload.uploadId, upload.asset.objectKey, completedWithKey, nowMs, status);

/** What was read from verified bytes. */
export interface VerifiedFile {
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** Fixes the bytes that were verified; the batch fails when they are no longer the upload's. */
export const readyStatements = (
  db: D1Database,
  upload: Upload,
  file: VerifiedFile,
  idempotencyKey: string,
  nowMs: number,
): D1PreparedStatement[] => [
  closeStatement(db, upload, "completed", idempotencyKey, nowMs),
  db
    .prepare(
      `UPDATE assets SET status = 'ready', sha256 = ?3, width = ?4, height = ?5, ready_at = ?6
       WHERE workspace_id = ?1 AND asset_id = ?2`,
    )
    .bind(upload.workspaceId, upload.asset.assetId, file.sha256, file.width, file.height, nowMs),
];

/** Refuses the bytes that were verified, for good; the batch fails when they are no longer the upload's. */
export const rejectStatements = (
  db: D1Database,
  upload: Upload,
  rejection: Rejection,
  nowMs: number,
): D1PreparedStatement[] => [
  closeStatement(db, upload, "rejected", null, nowMs),
  db
    .prepare(
      `UPDATE assets SET status = 'rejected', rejection_code = ?3, rejection_message = ?4, purge_after = ?5
       WHERE workspace_id = ?1 AND asset_id = ?2`,
    )
    .bind(upload.workspaceId, upload.asset.assetId, rejection.code, rejection.message, nowMs),
];
