import { freeRaster } from "../buffers.ts";
import { decodeImageAtSizes } from "../decode/index.ts";
import { readJpegStructure } from "../decode/jpeg-markers.ts";
import type { Engine } from "../engine.ts";
import { premultiplied } from "../raster/premultiply.ts";
import type { AssetBytes, RenditionStore, VisualSlot } from "../types.ts";
import { PICTURES_BESIDE, pixelsMaxOf } from "./limits.ts";
import { shrunkTo, wantedSize } from "./load-rendition.ts";
import type { CanvasSize } from "./prepared-pack.ts";
import { mayDecodeSlowly, renditionName, writeRendition } from "./rendition.ts";

/**
 * Decodes a picture that is slow to decode, and keeps every rendition that a pack may need of it in this slot: the same
 * bytes that the pack would keep itself. Keeps nothing of a picture that is quick to decode or cannot be decoded.
 * `source` is its upright size.
 */
export async function keepRenditions(
  engine: Engine,
  slot: VisualSlot,
  { bytes, mimeType }: AssetBytes,
  source: CanvasSize,
  store: RenditionStore,
): Promise<void> {
  if (mimeType === "image/svg+xml" || !mayDecodeSlowly(mimeType, source)) return;
  if (mimeType === "image/jpeg" && isInOneScan(bytes)) return;
  const wanted = PICTURES_BESIDE[slot].map((pictures) => {
    const pixelsMax = pixelsMaxOf(pictures);
    return { ...wantedSize(source, pixelsMax), name: renditionName(pixelsMax) };
  });
  await decodeImageAtSizes(engine, bytes, mimeType, wanted, async (decoded, group) => {
    const whole = premultiplied(decoded.raster);
    for (const size of group) {
      const raster = shrunkTo(engine.resampler, whole, size);
      await store.keep(size.name, writeRendition({ ...decoded, raster }));
      if (raster !== whole) freeRaster(raster);
    }
    freeRaster(whole);
  });
}

/** A JPEG in one scan takes 5 ns a pixel: its coefficients are not held until the last scan. */
function isInOneScan(bytes: Uint8Array): boolean {
  const jpeg = readJpegStructure(bytes);
  return typeof jpeg === "string" || jpeg.scans === 1;
}
