import sharp, { type Sharp } from "sharp";
import { largestFirst } from "#domains/jobs/plan-design.ts";
import { type AssetSource, createRenderer } from "#renderer/index.ts";
import { TEN_SIZE_IDS } from "../../bench/pack-of-ten.ts";
import { watchMemory } from "../support/held-memory.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";
import { catalogueSize, sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/** Packs of ten outputs from the largest pictures that may be uploaded, and their memory use. */

export const modules = await loadCodecModules();
export const fonts = await loadBundledFonts();
export const MEGABYTE = 1_000_000;
const COPY = { headline: "Two wheels, no excuses", cta: "Ride one today" };
/** The largest upload; bytes after a picture's end are ignored. */
const FILE_BYTES = 25 * 1024 * 1024;

/**
 * A picture of 48 megapixels with so little detail that its file is below the limit in every format; padded to the
 * limit.
 */
export async function largestFile(write: (picture: Sharp) => Sharp): Promise<Uint8Array> {
  const photo = sampleAsset("dandelion.jpg");
  const small = await sharp(photo.bytes).resize(800, 600, { fit: "cover" }).png().toBuffer();
  const picture = sharp(small).resize(8000, 6000, { kernel: "nearest" });
  const file = new Uint8Array(FILE_BYTES);
  file.set(await write(picture).toBuffer());
  return file;
}

export const asLossyWebp = (picture: Sharp): Sharp => picture.webp({ quality: 60, effort: 0 });

const PACK_OF_TEN = { sizeIds: TEN_SIZE_IDS, motion: "static", format: "jpg" } as const;
export const VIDEO = { sizeIds: ["meta-story-1080x1920"], motion: "animated", format: "mp4" } as const;

/** Peak bytes while a pack is made from the file, or from its stored rendition. */
export async function peakBytesOfPack(
  file: Uint8Array,
  mimeType: AssetSource["mimeType"],
  rendition: Uint8Array | null = null,
  { sizeIds, motion, format }: typeof PACK_OF_TEN | typeof VIDEO = PACK_OF_TEN,
): Promise<number> {
  const logo = sampleAsset("logo.svg");
  const sizes = sizeIds.map(catalogueSize);
  const held = watchMemory();
  try {
    held.add(rendition ?? file);
    const renderer = createRenderer(modules, fonts, fontLibrary);
    const media: AssetSource = {
      mimeType,
      load: async () => ({ ok: true, value: file }),
      renditions: rendition === null ? null : { find: async () => rendition, keep: async () => {} },
    };
    const assets = { media, logo };
    const pack = unwrap(await renderer.prepare({ assets, font: null, copy: COPY, brand: {} }));
    for (const size of largestFirst(sizes)) {
      unwrap(await renderer.render(pack, { size, motion, format }));
    }
    pack.close();
  } finally {
    held.end();
  }
  return held.peakBytes();
}
