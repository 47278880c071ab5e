import { accept, type Outcome, type Refusal, refuse } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Reader } from "../db/reader.ts";
import type { Asset } from "./asset.ts";
import { type AssetFilter, findAsset, listLiveAssets, markDeleted } from "./store.ts";

const assetNotFound = (): Refusal => refuse("ASSET_NOT_FOUND", "The workspace has no asset with this id.");

export interface AssetPage {
  readonly items: readonly Asset[];
  /** Creation time to ask before for the next page; null at the end. */
  readonly nextBeforeMs: number | null;
}

/** A page of the assets that are not deleted, newest first; rejected ones are among them, so that their reason can be read. */
export async function listAssets(db: Reader, workspaceId: string, filter: AssetFilter): Promise<AssetPage> {
  const found = await listLiveAssets(db, workspaceId, filter);
  const items = found.slice(0, filter.limit);
  const last = items.at(-1);
  return { items, nextBeforeMs: found.length > items.length && last ? last.createdAt : null };
}

/** One asset that is not deleted; 404 ASSET_NOT_FOUND. */
export async function getAsset(db: Reader, workspaceId: string, assetId: string): Promise<Outcome<Asset>> {
  const asset = await findAsset(db, workspaceId, assetId);
  return asset && asset.deletedAt === null ? accept(asset) : assetNotFound();
}

/** An asset as a replay shows it: what the first request made, also when it was deleted since. */
export async function recallAsset(
  db: D1Database,
  workspaceId: string,
  assetId: string,
): Promise<Outcome<Asset>> {
  const asset = await findAsset(db, workspaceId, assetId);
  return asset ? accept(asset) : assetNotFound();
}

/**
 * Deletes an asset for new jobs; jobs that name it already keep its bytes. One that is deleted already is returned as it
 * is, for as long as it is remembered. 404 ASSET_NOT_FOUND.
 */
export async function deleteAsset(
  db: D1Database,
  workspaceId: string,
  assetId: string,
  nowMs: number,
): Promise<Outcome<Asset>> {
  const deleted = await markDeleted(db, workspaceId, assetId, nowMs, nowMs + LIMITS.deletedAssetRetentionMs);
  return deleted ? accept(deleted) : recallAsset(db, workspaceId, assetId);
}
