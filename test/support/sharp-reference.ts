import sharp, { type Sharp } from "sharp";
import type { AssetBytes, Raster } from "#renderer/types.ts";

/** The reference library sharp, which runs only in Node. */

/** Converts a raster for sharp. */
export function asSharp(raster: Raster): Sharp {
  return sharp(raster.pixels, { raw: { width: raster.width, height: raster.height, channels: 4 } });
}

/** A file's RGBA pixels, decoded by sharp. */
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
