import { base64ToUint8Array } from "uint8array-extras";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { type CachedPreview, cachedPreviewSchema } from "#api/schemas/preview.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { PreviewCacheKey } from "./cache-key.ts";
import { deletePreviews, expiredPreviews, upsertPreview } from "./store.ts";

/** A cached preview is one object: the picture and its description. */
const storedSchema = z.object({ drawnAtMs: z.int(), preview: cachedPreviewSchema });

/** A picture of 1080 pixels a side is far smaller, so a larger object is corrupt. */
const OBJECT_BYTES_MAX = 8 * 1024 * 1024;

const previewObjectKey = (workspaceId: string, { previewId, protection }: PreviewCacheKey): string =>
  `workspaces/${workspaceId}/previews/${previewId}/${protection}.json`;

/** A cached preview, or null when missing, older than `ageMsMax` or altered. */
export async function findCached(
  bucket: R2Bucket,
  workspaceId: string,
  cacheKey: PreviewCacheKey,
  nowMs: number,
  ageMsMax: number = LIMITS.previewCacheMs,
): Promise<CachedPreview | null> {
  const object = await bucket.get(previewObjectKey(workspaceId, cacheKey));
  if (object === null) return null;
  if (object.size > OBJECT_BYTES_MAX) {
    await object.body.cancel();
    return null;
  }
  const stored = storedSchema.safeParse(readJson(await object.text()));
  if (!stored.success || stored.data.drawnAtMs + ageMsMax <= nowMs) return null;
  const { preview } = stored.data;
  const isWhole = (await sha256Hex(fromBase64(preview.image.base64))) === preview.image.sha256;
  return isWhole ? preview : null;
}

/** Inserts or extends the row of a preview that is about to be stored. */
export async function notePreview(
  db: D1Database,
  workspaceId: string,
  cacheKey: PreviewCacheKey,
  nowMs: number,
): Promise<void> {
  const objectKey = previewObjectKey(workspaceId, cacheKey);
  const expiresAt = nowMs + LIMITS.previewCacheMs + LIMITS.previewIdempotencyMs;
  await upsertPreview.run(db, { objectKey, workspaceId, expiresAt });
}

/** Stores a preview after its row, by which the sweep finds the object. */
export async function storePreview(
  bucket: R2Bucket,
  workspaceId: string,
  preview: CachedPreview,
  nowMs: number,
): Promise<void> {
  const stored: z.infer<typeof storedSchema> = { drawnAtMs: nowMs, preview };
  await bucket.put(previewObjectKey(workspaceId, preview), JSON.stringify(stored), {
    httpMetadata: { contentType: "application/json" },
  });
}

/**
 * Deletes at most `limit` expired previews; returns how many. Objects are deleted before rows, so that a crash in
 * between only repeats the work. A preview re-rendered at that moment may have to be rendered again.
 */
export async function deleteExpiredPreviews(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<number> {
  const objectKeys = (await expiredPreviews.all(db, { nowMs, limit })).map(({ objectKey }) => objectKey);
  if (objectKeys.length === 0) return 0;
  await bucket.delete(objectKeys);
  await deletePreviews.run(db, { nowMs, objectKeys: JSON.stringify(objectKeys) });
  return objectKeys.length;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Decodes base64; no bytes for an invalid text. */
function fromBase64(text: string): Uint8Array {
  try {
    return base64ToUint8Array(text);
  } catch {
    return new Uint8Array(0);
  }
}
