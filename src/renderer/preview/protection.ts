import { freeRaster } from "../buffers.ts";
import { decodeImage } from "../decode/index.ts";
import type { Engine } from "../engine.ts";
import { drawWatermark, UNPAID_SHARE_MAX } from "../mark/watermark.ts";
import type { ImageType, Result } from "../types.ts";
import { encodePalettePng } from "./palette-png.ts";

/** How a preview is protected. */
export type PreviewProtection = "watermarked-lowres" | "watermarked" | "none";

/** Longest edge of a preview in pixels: enough to judge a layout, too few to publish it. */
const EDGE_PX_MAX: Readonly<Record<PreviewProtection, number>> = {
  "watermarked-lowres": 640,
  watermarked: 1080,
  none: 1080,
};

/** The size in pixels at which an output is previewed. */
export function previewSizeOf(
  width: number,
  height: number,
  protection: PreviewProtection,
): { readonly width: number; readonly height: number } {
  const shareMax = protection === "none" ? 1 : UNPAID_SHARE_MAX;
  return scaledTo(width, height, Math.min(shareMax, EDGE_PX_MAX[protection] / Math.max(width, height)));
}

/** The size in pixels at which a finished, paid file is shown with a mark. */
export const protectedSizeOf = (width: number, height: number) =>
  scaledTo(width, height, Math.min(1, EDGE_PX_MAX.watermarked / Math.max(width, height)));

const scaledTo = (width: number, height: number, share: number) => ({
  width: scaled(width, share),
  height: scaled(height, share),
});

const scaled = (edge: number, share: number): number => Math.max(1, Math.round(edge * share));

/** A finished still, to be shown to people who may not download it. */
export interface FileToProtect {
  readonly bytes: Uint8Array;
  readonly mimeType: Exclude<ImageType, "image/svg+xml">;
  readonly width: number;
  readonly height: number;
  /** The workspace's 32-bit seed for the mark. */
  readonly markSeed: number;
}

/**
 * A finished still with a watermark, at most 1080 px a side, as a palette PNG. ASSET_UNREADABLE if it cannot be
 * decoded.
 */
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
