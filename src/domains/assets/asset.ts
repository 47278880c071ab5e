import type { z } from "zod";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { AssetBody, assetListQuery, assetPageSchema } from "#api/schemas/asset.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { toPage } from "#platform/db/page.ts";
import type { Reader } from "#platform/db/reader.ts";
import type { RowOf } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { StoredFile } from "../artifacts/stored-file.ts";
import { clearAssetOfBrands } from "../brands/brand-store.ts";
import { deleteImport } from "./imports/import-store.ts";
import { assetById, assetPages, markAssetDeleted } from "./store.ts";

/** A workspace's file for a slot. Times are Unix milliseconds. */
export type Asset = RowOf<typeof assetById>;

export const objectPrefixOf = (workspaceId: string, assetId: string): string =>
  `workspaces/${workspaceId}/assets/${assetId}`;

/** Whether type and length are known: uploads declare them, imports have them once ready. */
const isRead = (asset: Asset): boolean => asset.importedFrom === null || asset.status === "ready";

/** True while an import is under way. */
export const isImporting = (asset: Asset): boolean =>
  asset.importedFrom !== null && asset.status === "processing" && asset.deletedAt === null;

function presentImport(asset: Asset): AssetBody["import"] {
  if (!isImporting(asset) || asset.importProgress === null) return null;
  const { attempts, nextAttemptAt, lastFailure } = asset.importProgress;
  return { attempts, nextAttemptAt: toTimestampOrNull(nextAttemptAt), lastFailure };
}

/** The API's representation of an asset, without its storage location. */
export const presentAsset = (asset: Asset): AssetBody => ({
  ...pick(asset, "assetId", "slotId", "status", "fileName"),
  mimeType: isRead(asset) ? asset.mimeType : null,
  byteLength: isRead(asset) ? asset.byteLength : null,
  ...pick(asset, "width", "height", "sha256", "rejection", "importedFrom"),
  import: presentImport(asset),
  createdAt: toTimestamp(asset.createdAt),
  readyAt: toTimestampOrNull(asset.readyAt),
  deletedAt: toTimestampOrNull(asset.deletedAt),
});

const assetNotFound = (): Refusal => refuse("ASSET_NOT_FOUND", "The workspace has no asset with this id.");

/** A page of the assets that are not deleted, newest first. Includes rejected ones, with their reason. */
export async function listAssets(
  db: Reader,
  workspaceId: string,
  { before, slotId, status, sha256, limit }: z.infer<typeof assetListQuery>,
): Promise<z.infer<typeof assetPageSchema>> {
  const beforeMs = before === undefined ? null : Date.parse(before);
  const page = { workspaceId, beforeMs, status: status ?? null, limit: limit + 1 };
  const found = await (sha256 !== undefined
    ? assetPages.ofBytes.all(db, { ...page, sha256, slotId: slotId ?? null })
    : slotId !== undefined
      ? assetPages.ofSlot.all(db, { ...page, slotId })
      : assetPages.all.all(db, page));
  const { items, nextBefore } = toPage(found, limit, ({ createdAt }) => toTimestamp(createdAt));
  return { items: items.map(presentAsset), nextBefore };
}

/** One asset that is not deleted; 404 ASSET_NOT_FOUND. */
export async function getAsset(db: Reader, workspaceId: string, assetId: string): Promise<Outcome<Asset>> {
  const asset = await assetById.first(db, { workspaceId, assetId });
  return asset && asset.deletedAt === null ? accept(asset) : assetNotFound();
}

/** The stored file of a ready asset. 404 ASSET_NOT_FOUND, 409 ASSET_NOT_READY. */
export async function readContent(
  db: Reader,
  workspaceId: string,
  assetId: string,
): Promise<Outcome<StoredFile>> {
  const found = await getAsset(db, workspaceId, assetId);
  if (!found.ok) return found;
  const { status, sha256, mimeType: contentType, fileName, byteLength, objectKey } = found.value;
  if (status !== "ready" || sha256 === null) return refuse("ASSET_NOT_READY", `The asset is ${status}.`);
  return accept({ objectKey, fileName, contentType, byteLength, sha256 });
}

/** An asset for a replay, even if it was deleted since the first request. */
export async function getAssetEvenDeleted(
  db: Reader,
  workspaceId: string,
  assetId: string,
): Promise<Outcome<Asset>> {
  const asset = await assetById.first(db, { workspaceId, assetId });
  return asset ? accept(asset) : assetNotFound();
}

/**
 * Deletes an asset, so that new jobs cannot use it; also removes it from brands and ends its import. The bytes stay
 * while an open job needs them. While its row exists, an already deleted asset is returned unchanged. 404
 * ASSET_NOT_FOUND.
 */
export async function deleteAsset(
  db: Reader,
  workspaceId: string,
  assetId: string,
  nowMs: number,
): Promise<Outcome<Asset>> {
  const purgeAfter = nowMs + LIMITS.deletedAssetRetentionMs;
  const [result] = await db.batch([
    markAssetDeleted.bind(db, { workspaceId, assetId, nowMs, purgeAfter }),
    deleteImport.bind(db, { workspaceId, assetId }),
    clearAssetOfBrands.bind(db, { workspaceId, assetId, nowMs }),
  ]);
  const deleted = markAssetDeleted.row(result);
  return deleted ? accept(deleted) : getAssetEvenDeleted(db, workspaceId, assetId);
}
