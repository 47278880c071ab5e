import type { Sharp } from "sharp";
import { concatUint8Arrays } from "uint8array-extras";
import { expect, it } from "vitest";
import { pixelsMaxOf } from "#renderer/compose/limits.ts";
import { renditionName } from "#renderer/compose/rendition.ts";
import { type AssetSource, type ChunkedBytes, createRenderer } from "#renderer/index.ts";
import { watchMemory } from "../support/held-memory.ts";
import { fontLibrary } from "../support/node-modules.ts";
import {
  asLossyWebp,
  fonts,
  largestFile,
  MEGABYTE,
  modules,
  peakBytesOfPack,
  VIDEO,
} from "./largest-packs.ts";

/** The test of pack-memory.test.ts for the other kinds of files, for a video, and for an upload's completion. */

it.each<[string, AssetSource["mimeType"], (picture: Sharp) => Sharp, number]>([
  ["progressive JPEG", "image/jpeg", (picture) => picture.jpeg({ quality: 80, progressive: true }), 80],
  ["WebP", "image/webp", asLossyWebp, 65],
  ["PNG", "image/png", (picture) => picture.png({ compressionLevel: 2 }), 65],
])("a 48-megapixel %s", { timeout: 60_000 }, async (_, mimeType, write, mbMax) => {
  const file = await largestFile(write);
  expect((await peakBytesOfPack(file, mimeType)) / MEGABYTE).toBeLessThan(mbMax);
});

it("a video of a 48-megapixel JPEG", { timeout: 300_000 }, async () => {
  const file = await largestFile((picture) => picture.jpeg({ quality: 80 }));
  expect((await peakBytesOfPack(file, "image/jpeg", null, VIDEO)) / MEGABYTE).toBeLessThan(66);
});

/** Completing an upload needs most memory for a lossy WebP, because both rasters are in memory at once. */
it("the renditions of a 48-megapixel lossy WebP", { timeout: 60_000 }, async () => {
  const bytes = await largestFile(asLossyWebp);
  const held = watchMemory();
  const kept: string[] = [];
  try {
    held.add(bytes);
    const renderer = createRenderer(modules, fonts, fontLibrary);
    const keep = async (name: string, rendition: ChunkedBytes) => {
      for (const _chunk of rendition.chunks());
      kept.push(name);
    };
    const source = { width: 8_000, height: 6_000 };
    const store = { find: async () => null, keep };
    await renderer.keepRenditions("media", { bytes, mimeType: "image/webp" }, source, store);
  } finally {
    held.end();
  }
  expect(kept).toHaveLength(3);
  expect(held.peakBytes() / MEGABYTE).toBeLessThan(75);
});

/** The pack is drawn from the fetched bytes of a rendition stored by the upload's completion. */
it("the stored rendition of a 48-megapixel PNG", { timeout: 60_000 }, async () => {
  const bytes = await largestFile((picture) => picture.png({ compressionLevel: 2 }));
  const kept = new Map<string, Uint8Array>();
  const keep = async (name: string, rendition: ChunkedBytes) => {
    kept.set(name, concatUint8Arrays(Array.from(rendition.chunks(), (chunk) => chunk.slice())));
  };
  const renderer = createRenderer(modules, fonts, fontLibrary);
  const source = { width: 8_000, height: 6_000 };
  const store = { find: async () => null, keep };
  await renderer.keepRenditions("media", { bytes, mimeType: "image/png" }, source, store);
  const rendition = kept.get(renditionName(pixelsMaxOf(1)));
  if (rendition === undefined) throw new Error("none was kept for a pack of one picture");
  expect((await peakBytesOfPack(bytes, "image/png", rendition)) / MEGABYTE).toBeLessThan(64);
});
