import type { Rejection } from "../contract/schemas/asset.ts";
import type { Reader } from "../db/reader.ts";
import type { Asset } from "./asset.ts";

/** SQL of the assets table. Every statement names the workspace, so that a foreign id reads as a missing one. */

/** A row as the columns below give it; the table's writers keep the narrow types true. */
export interface AssetRow extends Omit<Asset, "rejection"> {
  readonly rejectionCode: Rejection["code"] | null;
  readonly rejectionMessage: string | null;
}

/** The columns of an asset; the table must be in the query under its own name. */
export const ASSET_COLUMNS = `assets.asset_id AS assetId, assets.workspace_id AS workspaceId,
  assets.slot_id AS slotId, assets.status AS status, assets.file_name AS fileName,
  assets.mime_type AS mimeType, assets.byte_length AS byteLength, assets.width AS width,
  assets.height AS height, assets.sha256 AS sha256, assets.rejection_code AS rejectionCode,
  assets.rejection_message AS rejectionMessage, assets.object_key AS objectKey,
  assets.created_at AS createdAt, assets.ready_at AS readyAt, assets.deleted_at AS deletedAt`;

export function toAsset({ rejectionCode, rejectionMessage, ...row }: AssetRow): Asset {
  const rejection =
    rejectionCode === null ? null : { code: rejectionCode, message: rejectionMessage ?? rejectionCode };
  return {
    assetId: row.assetId,
    workspaceId: row.workspaceId,
    slotId: row.slotId,
    status: row.status,
    fileName: row.fileName,
    mimeType: row.mimeType,
    byteLength: row.byteLength,
    width: row.width,
    height: row.height,
    sha256: row.sha256,
    rejection,
    objectKey: row.objectKey,
    createdAt: row.createdAt,
    readyAt: row.readyAt,
    deletedAt: row.deletedAt,
  };
}

/** Reads an asset, deleted or not; `assetOf` takes its result. */
export const assetStatement = (db: Reader, workspaceId: string, assetId: string): D1PreparedStatement =>
  db
    .prepare(`SELECT ${ASSET_COLUMNS} FROM assets WHERE workspace_id = ?1 AND asset_id = ?2`)
    .bind(workspaceId, assetId);

/** What `assetStatement` found, or null. */
export function assetOf(result: D1Result | undefined): Asset | null {
  const row = result?.results[0] as AssetRow | undefined;
  return row === undefined ? null : toAsset(row);
}

/** The asset, deleted or not. */
export async function findAsset(db: Reader, workspaceId: string, assetId: string): Promise<Asset | null> {
  const row = await assetStatement(db, workspaceId, assetId).first<AssetRow>();
  return row && toAsset(row);
}

/** Reads the assets with these ids that are not deleted; `liveAssetsOf` takes its result. */
export const liveAssetsStatement = (
  db: Reader,
  workspaceId: string,
  assetIds: readonly string[],
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT ${ASSET_COLUMNS} FROM assets
       WHERE workspace_id = ?1 AND deleted_at IS NULL AND asset_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(workspaceId, JSON.stringify(assetIds));

/** What `liveAssetsStatement` found, in no order. */
export const liveAssetsOf = (result: D1Result | undefined): readonly Asset[] =>
  ((result?.results ?? []) as AssetRow[]).map(toAsset);

/** The assets with these ids that are not deleted, in no order. */
export const findLiveAssets = async (
  db: D1Database,
  workspaceId: string,
  assetIds: readonly string[],
): Promise<readonly Asset[]> =>
  liveAssetsOf(await liveAssetsStatement(db.withSession("first-primary"), workspaceId, assetIds).all());

export interface AssetFilter {
  readonly limit: number;
  readonly beforeMs: number | null;
  readonly slotId: Asset["slotId"] | null;
  readonly status: Asset["status"] | null;
}

/** One more than the page holds, newest first, so that the caller knows whether another page follows. */
export async function listLiveAssets(
  db: Reader,
  workspaceId: string,
  filter: AssetFilter,
): Promise<readonly Asset[]> {
  const conditions = ["workspace_id = ?1", "deleted_at IS NULL"];
  const values: (string | number)[] = [workspaceId, filter.limit + 1];
  const narrow = (condition: string, value: string | number | null): void => {
    if (value !== null) conditions.push(`${condition} ?${values.push(value)}`);
  };
  narrow("created_at <", filter.beforeMs);
  narrow("slot_id =", filter.slotId);
  narrow("status =", filter.status);
  const { results } = await db
    .prepare(
      `SELECT ${ASSET_COLUMNS} FROM assets WHERE ${conditions.join(" AND ")} ORDER BY created_at DESC LIMIT ?2`,
    )
    .bind(...values)
    .all<AssetRow>();
  return results.map(toAsset);
}

/** Marks an asset deleted, once; null when there is no such asset that is not deleted already. */
export async function markDeleted(
  db: D1Database,
  workspaceId: string,
  assetId: string,
  nowMs: number,
  purgeAfterMs: number,
): Promise<Asset | null> {
  const deletion = db
    .prepare(
      `UPDATE assets SET deleted_at = ?3, purge_after = iif(object_key = '', NULL, ?4)
       WHERE workspace_id = ?1 AND asset_id = ?2 AND deleted_at IS NULL RETURNING ${ASSET_COLUMNS}`,
    )
    .bind(workspaceId, assetId, nowMs, purgeAfterMs);
  const [result] = await db.batch([deletion]);
  return assetOf(result);
}
