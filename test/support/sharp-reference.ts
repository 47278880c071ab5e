import sharp, { type Sharp } from "sharp";
import type { AssetBytes, Raster } from "#renderer/types.ts";

/** The reference library, which runs in Node alone. */

/** Hands a raster to the reference library. */
export function asSharp(raster: Raster): Sharp {
  return sharp(raster.pixels, { raw: { width: raster.width, height: raster.height, channels: 4 } });
}

/** RGBA that the reference library reads from a file. */
export async function referencePixels(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes).rotate().toColourspace("srgb").ensureAlpha().raw().toBuffer();
}

/** A PNG of one colour, with or without alpha, as an asset. */
export async function solidPng(width: number, height: number, background: string): Promise<AssetBytes> {
  const bytes = await sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
  return { bytes: Uint8Array.from(bytes), mimeType: "image/png" };
}
