import { freeRaster } from "../buffers.ts";
import { decodeImage } from "../decode/index.ts";
import type { Engine } from "../engine.ts";
import type { ImageType, Result } from "../types.ts";
import { encodePalettePng } from "./palette-png.ts";
import { protectedSizeOf } from "./protection.ts";
import { drawWatermark } from "./watermark.ts";

/** A finished still to show to people who may not download it. */
export interface FileToProtect {
  readonly bytes: Uint8Array;
  readonly mimeType: Exclude<ImageType, "image/svg+xml">;
  readonly width: number;
  readonly height: number;
  /** 32 bits: the workspace's part in the mark. */
  readonly markSeed: number;
}

/** A finished still with a watermark, at most 1080 px a side, as a palette PNG. ASSET_UNREADABLE if it cannot be decoded. */
export async function protectFile(engine: Engine, file: FileToProtect): Promise<Result<Uint8Array>> {
  const { width, height } = protectedSizeOf(file.width, file.height);
  const decoded = await decodeImage(engine, file.bytes, file.mimeType, { width, height });
  if (!decoded.ok) return decoded;
  const { raster } = decoded.value;
  const picture = engine.resampler.shrinkByArea(raster, width, height);
  freeRaster(raster);
  drawWatermark(picture, file.markSeed);
  return { ok: true, value: await encodePalettePng(picture, false) };
}
