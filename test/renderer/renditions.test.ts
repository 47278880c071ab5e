import sharp from "sharp";
import { concatUint8Arrays } from "uint8array-extras";
import { describe, expect, it } from "vitest";
import type { AssetSource, PackInputs, RenditionStore } from "../../src/renderer/index.ts";
import { createRenderer } from "../../src/renderer/index.ts";
import { loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";
import { COPY, catalogueSize, sample, sampleBytes } from "./pack-fixtures.ts";

/** What was decoded once serves the next pack of the same asset, and nobody can tell from the pictures. */

const renderer = createRenderer(await loadCodecModules(), await loadBundledFonts());

/** A store in memory, and how often the asset behind it was fetched. */
function watchedAsset(file: string | Uint8Array, mimeType: AssetSource["mimeType"]) {
  const kept = new Map<string, Uint8Array>();
  const renditions: RenditionStore = {
    find: async (key) => kept.get(key)?.slice() ?? null,
    keep: async (key, bytes) =>
      void kept.set(key, concatUint8Arrays(Array.from(bytes.pieces(), (piece) => piece.slice()))),
  };
  const seen = { loads: 0 };
  const asset: AssetSource = {
    mimeType,
    renditions,
    load: async () => {
      seen.loads += 1;
      return { ok: true, value: Uint8Array.from(typeof file === "string" ? sampleBytes(file) : file) };
    },
  };
  return { asset, kept, seen };
}

async function drawn(assets: PackInputs["assets"], sizeIds: readonly string[]): Promise<string[]> {
  const sizes = sizeIds.map(catalogueSize);
  const pack = await renderer.prepare({ assets, font: null, copy: COPY, brand: {} });
  if (!pack.ok) throw new Error(pack.message);
  const files: string[] = [];
  for (const size of sizes) {
    const output = await renderer.render(pack.value, { size, motion: "static", format: "png" });
    if (!output.ok) throw new Error(output.message);
    for (const { bytes } of output.value.files) files.push(Buffer.from(bytes).toString("base64"));
  }
  pack.value.close();
  return files;
}

/** A photograph that takes long to decode. */
const PHOTO = new Uint8Array(
  await sharp(sampleBytes("dandelion.jpg")).resize(2800, 1575).webp({ quality: 80, effort: 0 }).toBuffer(),
);

describe("a large photograph", () => {
  it("is fetched and decoded once for packs of any sizes, with the same bytes", async () => {
    const { asset, kept, seen } = watchedAsset(PHOTO, "image/webp");
    const sizeIds = ["iab-300x250", "iab-728x90"];
    await drawn({ media: asset }, ["iab-970x250"]);
    const first = await drawn({ media: asset }, sizeIds);
    expect(seen.loads).toBe(1);
    expect(kept.size).toBe(1);
    expect(await drawn({ media: asset }, sizeIds)).toEqual(first);
    expect(await drawn({ media: { bytes: PHOTO, mimeType: "image/webp" } }, sizeIds)).toEqual(first);
    expect(seen.loads).toBe(1);
  });

  it("is decoded anew when more pictures share a pack's memory", async () => {
    const { asset, kept, seen } = watchedAsset(PHOTO, "image/webp");
    await drawn({ media: asset }, ["iab-300x250"]);
    await drawn({ media: asset, secondaryMedia: sample("bottle.png") }, ["iab-300x250"]);
    expect(seen.loads).toBe(2);
    expect(kept.size).toBe(2);
  });

  it("is decoded anew when what was kept is not a rendition", async () => {
    const { asset, kept, seen } = watchedAsset(PHOTO, "image/webp");
    const first = await drawn({ media: asset }, ["iab-300x250"]);
    for (const [name, bytes] of kept) kept.set(name, bytes.subarray(0, bytes.length - 1));
    expect(await drawn({ media: asset }, ["iab-300x250"])).toEqual(first);
    expect(seen.loads).toBe(2);
  });
});

it("a small picture is decoded each time: fetching what was kept would take as long", async () => {
  const { asset, kept, seen } = watchedAsset("bottle-photo.jpg", "image/jpeg");
  await drawn({ product: asset }, ["iab-300x250"]);
  await drawn({ product: asset }, ["iab-300x250"]);
  expect(seen.loads).toBe(2);
  expect(kept.size).toBe(0);
});

it("a transparent picture keeps its alpha", async () => {
  const bytes = await sharp(sampleBytes("bottle.png")).resize(2000, 3000, { fit: "fill" }).png().toBuffer();
  const { asset, kept, seen } = watchedAsset(bytes, "image/png");
  const first = await drawn({ product: asset }, ["iab-300x250"]);
  expect(kept.size).toBe(1);
  expect(await drawn({ product: asset }, ["iab-300x250"])).toEqual(first);
  expect(seen.loads).toBe(1);
});
