import { freeBytes, freeRaster } from "../buffers.ts";
import { decodeImageAtSizes, decodeSource } from "../decode/index.ts";
import { inspect } from "../decode/inspect.ts";
import { readJpegStructure } from "../decode/jpeg-markers.ts";
import type { Engine } from "../engine.ts";
import { premultiplied } from "../raster/blend.ts";
import type { Resampler } from "../raster/resampler.ts";
import type { Packing } from "../raster/rgb-pixels.ts";
import {
  type AssetBytes,
  failure,
  type ImageType,
  type PackAsset,
  type Raster,
  type RenderFailure,
  type RenditionStore,
  type Result,
  type SourceRaster,
  type VisualSlot,
} from "../types.ts";
import { PICTURES_BESIDE, pixelsMaxOf } from "./limits.ts";
import type { CanvasSize } from "./prepared-pack.ts";
import {
  isWorthKeeping,
  mayDecodeSlowly,
  type Rendition,
  readRendition,
  renditionName,
  writeRendition,
} from "./rendition.ts";

/**
 * The picture with at most `pixelsMax` pixels: the stored rendition if there is one, else decoded, and then stored if
 * decoding was slow. Its size does not depend on the sizes to draw, because colours and focal points are read from
 * these pixels.
 */
export async function loadRendition(
  engine: Engine,
  slot: VisualSlot,
  asset: PackAsset,
  pixelsMax: number,
): Promise<Result<Rendition>> {
  const name = renditionName(pixelsMax);
  const packing = packingOf(slot);
  const store = "load" in asset ? asset.renditions : null;
  const kept = store === null ? null : await findKept(store, name, packing);
  if (kept !== null) return { ok: true, value: kept };
  const { mimeType } = asset;
  if (mimeType === "image/svg+xml") return unreadable(slot, "a picture slot accepts PNG, JPEG or WebP");
  const decoded = await withBytes(asset, (bytes) => decode(engine, slot, bytes, mimeType, pixelsMax));
  if (!decoded.ok || store === null) return decoded;
  if (isWorthKeeping(mimeType, decoded.value)) await store.keep(name, writeRendition(decoded.value));
  return decoded;
}

/** A product's white background is removed in place, which needs alpha. */
const packingOf = (slot: VisualSlot): Packing => (slot === "product" ? "rgba" : "rgb_if_opaque");

async function findKept(store: RenditionStore, name: string, packing: Packing): Promise<Rendition | null> {
  const found = await store.find(name);
  if (found === null) return null;
  const kept = readRendition(found, packing);
  if (kept === null) freeBytes(found);
  return kept;
}

async function decode(
  engine: Engine,
  slot: VisualSlot,
  bytes: Uint8Array,
  mimeType: Exclude<ImageType, "image/svg+xml">,
  pixelsMax: number,
): Promise<Result<Rendition>> {
  const header = inspect(bytes, mimeType);
  if (!header.ok) return unreadable(slot, header.message);
  if (header.value.kind !== "raster") return unreadable(slot, "it is not a picture");
  const isTurned = header.value.orientation >= 5;
  const source: CanvasSize = {
    width: isTurned ? header.value.height : header.value.width,
    height: isTurned ? header.value.width : header.value.height,
  };
  const wanted = wantedSize(source, pixelsMax);
  const decoded = await decodeSource(engine, bytes, mimeType, wanted, packingOf(slot));
  if (!decoded.ok) return inSlot(slot, decoded);
  const { raster, sourceWidth, sourceHeight, profile } = decoded.value;
  const upright = premultiplied(raster);
  const kept = shrunkTo(engine.resampler, upright, wanted);
  if (kept !== upright) freeRaster(upright);
  return { ok: true, value: { raster: kept, sourceWidth, sourceHeight, profile } };
}

/** Upright pixels to decode: the whole source, or as much as the memory limit allows. */
function wantedSize(source: CanvasSize, pixelsMax: number): CanvasSize {
  const scale = Math.min(1, Math.sqrt(pixelsMax / (source.width * source.height)));
  return {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
}

/**
 * Shrinks a decoded raster, which may be up to twice the wanted size, to save memory. Returns it unchanged if it is
 * only a little larger.
 */
function shrunkTo<R extends SourceRaster>(resampler: Resampler, raster: R, wanted: CanvasSize): R | Raster {
  if (raster.width <= wanted.width * 1.15 || raster.height <= wanted.height * 1.15) return raster;
  const whole = { x: 0, y: 0, width: raster.width, height: raster.height };
  return resampler.resample(raster, whole, wanted.width, wanted.height);
}

/** Passes an asset's bytes to `read`. Fetched bytes are freed afterwards. Throws what `load` throws. */
export async function withBytes<T>(
  asset: PackAsset,
  read: (bytes: Uint8Array) => Promise<Result<T>>,
): Promise<Result<T>> {
  if ("bytes" in asset) return read(asset.bytes);
  const loaded = await asset.load();
  if (!loaded.ok) return loaded;
  try {
    return await read(loaded.value);
  } finally {
    freeBytes(loaded.value);
  }
}

/** The failure of a file that cannot be read, with its slot. */
const unreadable = (slot: VisualSlot, reason: string): RenderFailure =>
  failure("ASSET_UNREADABLE", `The ${slot} picture cannot be read: ${reason}`);

/** A failure with the slot of its file. */
export const inSlot = (slot: VisualSlot, failure: RenderFailure): RenderFailure => ({
  ...failure,
  message: unreadable(slot, failure.message).message,
});

/**
 * Decodes a picture that is slow to decode, and stores every rendition that a pack may need of it in this slot: the
 * same bytes that the pack would store. Does nothing for a picture that is quick to decode or cannot be decoded.
 * `source` is its upright size.
 */
export async function keepRenditions(
  engine: Engine,
  slot: VisualSlot,
  { bytes, mimeType }: AssetBytes,
  source: CanvasSize,
  store: RenditionStore,
): Promise<void> {
  if (mimeType === "image/svg+xml" || !mayDecodeSlowly(mimeType, source)) return;
  if (mimeType === "image/jpeg" && isInOneScan(bytes)) return;
  const wanted = PICTURES_BESIDE[slot].map((pictures) => {
    const pixelsMax = pixelsMaxOf(pictures);
    return { ...wantedSize(source, pixelsMax), name: renditionName(pixelsMax) };
  });
  await decodeImageAtSizes(engine, bytes, mimeType, wanted, async (decoded, group) => {
    const whole = premultiplied(decoded.raster);
    for (const size of group) {
      const raster = shrunkTo(engine.resampler, whole, size);
      await store.keep(size.name, writeRendition({ ...decoded, raster }));
      if (raster !== whole) freeRaster(raster);
    }
    freeRaster(whole);
  });
}

/** A JPEG in one scan decodes in 5 ns a pixel, because its coefficients need not be stored until the last scan. */
function isInOneScan(bytes: Uint8Array): boolean {
  const jpeg = readJpegStructure(bytes);
  return typeof jpeg === "string" || jpeg.scans === 1;
}
