import { concatUint8Arrays } from "uint8array-extras";
import { expect, it } from "vitest";
import { pixelsMaxOf } from "../../src/renderer/compose/limits.ts";
import { renditionName } from "../../src/renderer/compose/rendition.ts";
import { type ChunkedBytes, createRenderer } from "../../src/renderer/index.ts";
import { watchMemory } from "../support/held-memory.ts";
import { fontLibrary } from "../support/node-modules.ts";
import { asLossyWebp, fonts, largestFile, MEGABYTE, modules, peakBytesOfPack } from "./largest-packs.ts";

/**
 * Guarantee: a pack of ten from the largest picture that is taken fits an isolate of 128 MB beside all else, even where
 * nothing is ever collected. Counted are buffers and WASM memories, from their making until they are given back. Other
 * kinds of files are in pack-memory.long.test.ts.
 */

/** What completing an upload holds: of a lossy WebP, which is read once, the most, for it is decoded to two rasters. */
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

it("a 48-megapixel JPEG", { timeout: 60_000 }, async () => {
  const file = await largestFile((picture) => picture.jpeg({ quality: 80 }));
  expect((await peakBytesOfPack(file, "image/jpeg")) / MEGABYTE).toBeLessThan(50);
});

/** What the upload's completion kept of a picture is drawn from where it was fetched to. */
it("the rendition that was kept of a 48-megapixel PNG", { timeout: 60_000 }, async () => {
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
  expect((await peakBytesOfPack(bytes, "image/png", rendition)) / MEGABYTE).toBeLessThan(60);
});
