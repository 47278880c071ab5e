import sharp, { type Sharp } from "sharp";
import { expect, it } from "vitest";
import { TEN_SIZE_IDS } from "../../bench/cases/design.ts";
import { largestFirst } from "../../src/queue/render-order.ts";
import { type AssetSource, type ChunkedBytes, createRenderer } from "../../src/renderer/index.ts";
import { watchMemory } from "../support/held-memory.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";
import { catalogueSize, sampleAsset } from "../support/renderer.ts";

/**
 * Guarantee: a pack of ten from the largest picture that is taken fits an isolate of 128 MB beside all else, even where
 * nothing is ever collected. Counted are buffers and WASM memories, from their making until they are given back.
 */

const modules = await loadCodecModules();
const fonts = await loadBundledFonts();
const MEGABYTE = 1_000_000;
const COPY = { headline: "Two wheels, no excuses", cta: "Ride one today" };
/** As large as an upload may be; what is behind a picture's end is not looked at. */
const FILE_BYTES = 25 * 1024 * 1024;

/** 48 megapixels of few details, so that every format keeps them in less; filled up to the largest file. */
async function largestFile(write: (picture: Sharp) => Sharp): Promise<Uint8Array> {
  const photo = sampleAsset("dandelion.jpg");
  const small = await sharp(photo.bytes).resize(800, 600, { fit: "cover" }).png().toBuffer();
  const picture = sharp(small).resize(8000, 6000, { kernel: "nearest" });
  const file = new Uint8Array(FILE_BYTES);
  file.set(await write(picture).toBuffer());
  return file;
}

const asLossyWebp = (picture: Sharp): Sharp => picture.webp({ quality: 60, effort: 0 });
const largestWebp = await largestFile(asLossyWebp);

/** What completing an upload holds: of a lossy WebP, which is read once, the most, for it is decoded to two rasters. */
it("the renditions of a 48-megapixel lossy WebP", { timeout: 60_000 }, async () => {
  const bytes = largestWebp.slice();
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
  expect(held.peakBytes() / MEGABYTE).toBeLessThan(90);
});

it.each<[string, AssetSource["mimeType"], (picture: Sharp) => Sharp, number]>([
  ["JPEG", "image/jpeg", (picture) => picture.jpeg({ quality: 80 }), 60],
  ["progressive JPEG", "image/jpeg", (picture) => picture.jpeg({ quality: 80, progressive: true }), 90],
  ["WebP", "image/webp", asLossyWebp, 70],
  ["PNG", "image/png", (picture) => picture.png({ compressionLevel: 2 }), 70],
])("a 48-megapixel %s", { timeout: 60_000 }, async (_, mimeType, write, mbMax) => {
  const file = write === asLossyWebp ? largestWebp : await largestFile(write);
  const logo = sampleAsset("logo.svg");
  const sizes = TEN_SIZE_IDS.map(catalogueSize);
  const held = watchMemory();
  try {
    held.add(file);
    const renderer = createRenderer(modules, fonts, fontLibrary);
    const media: AssetSource = {
      mimeType,
      load: async () => ({ ok: true, value: file }),
      renditions: null,
    };
    const assets = { media, logo };
    const pack = await renderer.prepare({ assets, font: null, copy: COPY, brand: {} });
    if (!pack.ok) throw new Error(pack.message);
    for (const { size } of largestFirst(sizes.map((one) => ({ size: one })))) {
      const output = await renderer.render(pack.value, { size, motion: "static", format: "jpg" });
      if (!output.ok) throw new Error(output.message);
    }
    pack.value.close();
  } finally {
    held.end();
  }
  expect(held.peakBytes() / MEGABYTE).toBeLessThan(mbMax);
});
