import type { Sharp } from "sharp";
import { expect, it } from "vitest";
import type { AssetSource } from "../../src/renderer/index.ts";
import { asLossyWebp, largestFile, MEGABYTE, peakBytesOfPack } from "./largest-packs.ts";

/** Guarantee: as pack-memory.test.ts, for the other kinds of files. */

it.each<[string, AssetSource["mimeType"], (picture: Sharp) => Sharp, number]>([
  ["progressive JPEG", "image/jpeg", (picture) => picture.jpeg({ quality: 80, progressive: true }), 78],
  ["WebP", "image/webp", asLossyWebp, 62],
  ["PNG", "image/png", (picture) => picture.png({ compressionLevel: 2 }), 62],
])("a 48-megapixel %s", { timeout: 60_000 }, async (_, mimeType, write, mbMax) => {
  const file = await largestFile(write);
  expect((await peakBytesOfPack(file, mimeType)) / MEGABYTE).toBeLessThan(mbMax);
});
