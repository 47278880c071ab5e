import sharp, { type Sharp } from "sharp";
import { concatUint8Arrays } from "uint8array-extras";
import { describe, expect, it } from "vitest";
import { SLOT_IDS } from "#api/slots.ts";
import { checkSlotCombination } from "#domains/assets/slot-rules.ts";
import { PICTURES_BESIDE } from "#renderer/compose/limits.ts";
import { type AssetSource, createRenderer, type PackInputs, type RenditionStore } from "#renderer/index.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";
import { catalogueSize, readSample, sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";
import { COPY } from "./pack-fixtures.ts";

/** Guarantee: the stored rendition of a decoded asset is reused by the next pack, with the same pixels. */

const renderer = createRenderer(await loadCodecModules(), await loadBundledFonts(), fontLibrary);

/** An asset with a rendition store in memory. `seen` counts fetches of the asset. */
function watchedAsset(file: string | Uint8Array, mimeType: AssetSource["mimeType"]) {
  const kept = new Map<string, Uint8Array>();
  const renditions: RenditionStore = {
    find: async (key) => kept.get(key)?.slice() ?? null,
    keep: async (key, bytes) =>
      void kept.set(key, concatUint8Arrays(Array.from(bytes.chunks(), (chunk) => chunk.slice()))),
  };
  const seen = { loads: 0 };
  const asset: AssetSource = {
    mimeType,
    renditions,
    load: async () => {
      seen.loads += 1;
      return { ok: true, value: Uint8Array.from(typeof file === "string" ? readSample(file) : file) };
    },
  };
  return { asset, kept, seen, store: renditions };
}

async function drawn(assets: PackInputs["assets"], sizeIds: readonly string[]): Promise<string[]> {
  const sizes = sizeIds.map(catalogueSize);
  const pack = unwrap(await renderer.prepare({ assets, font: null, copy: COPY, brand: {} }));
  const files: string[] = [];
  for (const size of sizes) {
    const output = unwrap(await renderer.render(pack, { size, motion: "static", format: "png" }));
    for (const { bytes } of output.files) files.push(Buffer.from(bytes).toString("base64"));
  }
  pack.close();
  return files;
}

/** A photograph that takes long to decode. */
const PHOTO = new Uint8Array(
  await sharp(readSample("dandelion.jpg")).resize(2800, 1575).webp({ quality: 80, effort: 0 }).toBuffer(),
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

  it("is decoded again when more pictures share a pack's memory", async () => {
    const { asset, kept, seen } = watchedAsset(PHOTO, "image/webp");
    await drawn({ media: asset }, ["iab-300x250"]);
    await drawn({ media: asset, secondaryMedia: sampleAsset("bottle.png") }, ["iab-300x250"]);
    expect(seen.loads).toBe(2);
    expect(kept.size).toBe(2);
  });

  it("is decoded again when the stored bytes are not a rendition", async () => {
    const { asset, kept, seen } = watchedAsset(PHOTO, "image/webp");
    const first = await drawn({ media: asset }, ["iab-300x250"]);
    for (const [name, bytes] of kept) kept.set(name, bytes.subarray(0, bytes.length - 1));
    expect(await drawn({ media: asset }, ["iab-300x250"])).toEqual(first);
    expect(seen.loads).toBe(2);
  });
});

describe("renditions stored before any pack is drawn", () => {
  /** The smallest sizes that are slow to decode, of a JPEG and of a WebP with little detail. */
  const SLOW_JPEG = { width: 5_660, height: 4_250 };
  const SLOW_WEBP = { width: 2_830, height: 2_125 };
  const slow = async (
    { width, height }: { width: number; height: number },
    write: (picture: Sharp) => Sharp,
    orientation = 1,
  ) =>
    Uint8Array.from(
      await write(
        sharp(readSample("dandelion.jpg"))
          .resize(width, height, { kernel: "nearest", fit: "fill" })
          .withMetadata({ orientation }),
      ).toBuffer(),
    );

  it.each<[string, "image/webp" | "image/jpeg", (picture: Sharp) => Sharp, number]>([
    ["a lossy WebP", "image/webp", (picture) => picture.webp({ quality: 40, effort: 0 }), 1],
    ["a progressive JPEG on its side", "image/jpeg", (picture) => picture.jpeg({ progressive: true }), 6],
  ])(
    "of %s are those that packs would store, and packs find them",
    async (_, mimeType, write, orientation) => {
      const { width, height } = mimeType === "image/webp" ? SLOW_WEBP : SLOW_JPEG;
      const bytes = await slow({ width, height }, write, orientation);
      const [byPacks, ahead] = [watchedAsset(bytes, mimeType), watchedAsset(bytes, mimeType)];
      const source = orientation === 6 ? { width: height, height: width } : { width, height };
      await renderer.keepRenditions("media", { bytes, mimeType }, source, ahead.store);
      const other = sampleAsset("bottle.png");
      for (const beside of [{}, { background: other }, { background: other, secondaryMedia: other }]) {
        for (const { asset } of [byPacks, ahead]) await drawn({ media: asset, ...beside }, []);
      }
      expect([byPacks.seen.loads, ahead.seen.loads]).toEqual([3, 0]);
      expect([...ahead.kept.keys()].toSorted()).toEqual([...byPacks.kept.keys()].toSorted());
      for (const [name, kept] of byPacks.kept) {
        expect(Buffer.compare(kept, ahead.kept.get(name) ?? new Uint8Array(0)), name).toBe(0);
      }
    },
  );

  it("exist only for files that are slow to decode and not damaged", async () => {
    const { store, kept } = watchedAsset(PHOTO, "image/webp");
    const [width, height] = [2_800, 1_575];
    await renderer.keepRenditions(
      "media",
      { bytes: PHOTO, mimeType: "image/webp" },
      { width, height },
      store,
    );
    const large = SLOW_JPEG;
    const baseline = await slow(large, (picture) => picture.jpeg());
    await renderer.keepRenditions("media", { bytes: baseline, mimeType: "image/jpeg" }, large, store);
    const damaged = PHOTO.slice(0, 1_000);
    await renderer.keepRenditions("media", { bytes: damaged, mimeType: "image/webp" }, large, store);
    expect(kept.size).toBe(0);
  });

  it("exist for every number of pictures that a pack with a picture in this slot may have", () => {
    const counts = new Map<string, Set<number>>();
    const pictures = SLOT_IDS.filter((slotId) => slotId !== "logo" && slotId !== "font");
    for (let filled = 0; filled < 2 ** pictures.length; filled += 1) {
      const slots = pictures.filter((_, index) => (filled & (1 << index)) !== 0);
      if (!checkSlotCombination(slots).ok) continue;
      for (const slotId of slots) counts.set(slotId, (counts.get(slotId) ?? new Set()).add(slots.length));
    }
    for (const slotId of pictures) {
      expect([...(counts.get(slotId) ?? [])].toSorted(), slotId).toEqual(PICTURES_BESIDE[slotId]);
    }
  });
});

it("a small picture is decoded each time: fetching a rendition would take as long", async () => {
  const { asset, kept, seen } = watchedAsset("bottle-photo.jpg", "image/jpeg");
  await drawn({ product: asset }, ["iab-300x250"]);
  await drawn({ product: asset }, ["iab-300x250"]);
  expect(seen.loads).toBe(2);
  expect(kept.size).toBe(0);
});

it("a transparent picture keeps its alpha", async () => {
  const bytes = await sharp(readSample("bottle.png")).resize(2000, 3000, { fit: "fill" }).png().toBuffer();
  const { asset, kept, seen } = watchedAsset(bytes, "image/png");
  const first = await drawn({ product: asset }, ["iab-300x250"]);
  expect(kept.size).toBe(1);
  expect(await drawn({ product: asset }, ["iab-300x250"])).toEqual(first);
  expect(seen.loads).toBe(1);
});
