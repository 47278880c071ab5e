import sharp, { type Sharp } from "sharp";
import type { Raster } from "../../src/renderer/types.ts";

/** The reference library, which runs in Node alone. */

/** Hands a raster to the reference library. */
export function asSharp(raster: Raster): Sharp {
  return sharp(raster.pixels, { raw: { width: raster.width, height: raster.height, channels: 4 } });
}

/** RGBA that the reference library reads from a file. */
export async function referencePixels(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes).rotate().toColourspace("srgb").ensureAlpha().raw().toBuffer();
}
