import { log } from "#platform/log/log.ts";
import { isImageType, mayDecodeSlowly, type Renderer } from "#renderer/index.ts";
import type { Asset } from "./asset.ts";
import { renditionCache } from "./rendition-cache.ts";

export interface RenditionDeps {
  readonly bucket: R2Bucket;
  /**
   * The renderer. For logos and slow pictures, called only while no other task of the isolate uses it; for fonts, at
   * any time.
   */
  readonly getRenderer: () => Pick<Renderer, "keepRenditions" | "findFailure">;
}

/** Slot, type and declared or verified size of a picture that may take long to decode; null for any other asset. */
export function slowPictureOf({ slotId, mimeType, width, height }: Asset) {
  if (slotId === "font" || !isImageType(mimeType) || width === null || height === null) return null;
  return mayDecodeSlowly(mimeType, { width, height })
    ? { slotId, mimeType, source: { width, height } }
    : null;
}

/**
 * Caches the renditions that packs need of a picture that is slow to decode. Runs once, after the asset is ready. If it
 * fails, the first pack decodes the picture and caches the same bytes.
 */
export async function cacheRenditions(
  { bucket, getRenderer }: RenditionDeps,
  asset: Asset,
  bytes: Uint8Array,
): Promise<void> {
  const picture = slowPictureOf(asset);
  if (picture === null || asset.sha256 === null) return;
  const { slotId, mimeType, source } = picture;
  const store = renditionCache(bucket, { objectKey: asset.objectKey, sha256: asset.sha256 });
  try {
    await getRenderer().keepRenditions(slotId, { bytes, mimeType }, source, store);
  } catch (thrown) {
    log.failure(
      {
        event: "rendition_not_cached",
        workspaceId: asset.workspaceId,
      },
      thrown,
    );
  }
}
