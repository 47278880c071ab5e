import { freeBytes, freeRaster } from "../buffers.ts";
import { decodeSource } from "../decode/index.ts";
import { inspect } from "../decode/inspect.ts";
import type { Engine } from "../engine.ts";
import { premultiplied } from "../raster/premultiply.ts";
import type { Resampler } from "../raster/resampler.ts";
import type { Packing } from "../raster/rgb-pixels.ts";
import type {
  ImageType,
  PackAsset,
  Raster,
  RenditionStore,
  Result,
  SourceRaster,
  VisualSlot,
} from "../types.ts";
import { inSlot, unreadable, withBytes } from "./open-asset.ts";
import type { CanvasSize } from "./prepared-pack.ts";
import { isWorthKeeping, type Rendition, readRendition, renditionName, writeRendition } from "./rendition.ts";

/**
 * The picture in at most `pixelsMax` pixels: the kept rendition, else decoded and kept. Its size depends on the source
 * alone, never on the sizes that are drawn from it: colours and focal points are read from these pixels.
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
  if (mimeType === "image/svg+xml") return unreadable(slot, "a picture slot takes PNG, JPEG or WebP");
  const decoded = await withBytes(asset, (bytes) => decode(engine, slot, bytes, mimeType, pixelsMax));
  if (!decoded.ok || store === null) return decoded;
  if (isWorthKeeping(mimeType, decoded.value)) await store.keep(name, writeRendition(decoded.value));
  return decoded;
}

/** A product's white background is taken off it in place, which needs alpha. */
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

/** Upright pixels to decode: the whole source, or as much of it as the memory limit allows. */
export function wantedSize(source: CanvasSize, pixelsMax: number): CanvasSize {
  const scale = Math.min(1, Math.sqrt(pixelsMax / (source.width * source.height)));
  return {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
}

/** Shrinks a decoded raster, which may be up to twice the wanted size, to save memory. Returns it unchanged when it is little larger. */
export function shrunkTo<R extends SourceRaster>(
  resampler: Resampler,
  raster: R,
  wanted: CanvasSize,
): R | Raster {
  if (raster.width <= wanted.width * 1.15 || raster.height <= wanted.height * 1.15) return raster;
  const whole = { x: 0, y: 0, width: raster.width, height: raster.height };
  return resampler.resample(raster, whole, wanted.width, wanted.height);
}
