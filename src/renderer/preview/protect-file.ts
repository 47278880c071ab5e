import { freeRaster } from "../buffers.ts";
import { decodeImage } from "../decode/index.ts";
import type { Engine } from "../engine.ts";
import type { ImageType, Result } from "../types.ts";
import { encodePalettePng } from "./palette-png.ts";
import { type PreviewProtection, previewSizeOf } from "./protection.ts";
import { drawWatermark } from "./watermark.ts";

/** A finished still, to be shown to people who are not to have it. */
export interface FileToProtect {
  readonly bytes: Uint8Array;
  readonly mimeType: Exclude<ImageType, "image/svg+xml">;
  readonly width: number;
  readonly height: number;
  readonly protection: Exclude<PreviewProtection, "none">;
  /** 32 bits: the workspace's part in the mark. */
  readonly markSeed: number;
}

/**
 * A finished still as it may be seen: at most as large as its protection allows, and marked, as a PNG with a palette. Fails
 * with ASSET_UNREADABLE for bytes that are no such picture.
 */
export async function protectFile(engine: Engine, file: FileToProtect): Promise<Result<Uint8Array>> {
  const { width, height } = previewSizeOf(file.width, file.height, file.protection);
  const decoded = await decodeImage(engine, file.bytes, file.mimeType, { width, height });
  if (!decoded.ok) return decoded;
  const { raster } = decoded.value;
  const picture = engine.resampler.shrinkByArea(raster, width, height);
  freeRaster(raster);
  drawWatermark(picture, file.markSeed);
  return { ok: true, value: await encodePalettePng(picture, false) };
}
