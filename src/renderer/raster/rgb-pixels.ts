import type { Raster, SourceRaster } from "../types.ts";

type Bytes = Uint8Array | Uint8ClampedArray;

const RGB_BYTES = 3;
const RGBA_BYTES = 4;
/** Four pixels are three words of 32 bits, in little-endian order as on all runtimes. */
const PIXELS_AT_ONCE = 4;

/**
 * Writes opaque RGBA pixels as RGB into `to`, from its pixel `start` on. `rgba` and `to` must start at a multiple of
 * four bytes in their buffers.
 */
export function packRgb(rgba: Bytes, to: Bytes, start: number): void {
  const pixels = rgba.length / RGBA_BYTES;
  const before = Math.min(pixels, -start & (PIXELS_AT_ONCE - 1));
  const runs = Math.floor((pixels - before) / PIXELS_AT_ONCE);
  packEach(rgba, to, start, 0, before);
  if (runs > 0) packRuns(rgba, before, runs, to, (start + before) * RGB_BYTES);
  packEach(rgba, to, start, before + runs * PIXELS_AT_ONCE, pixels);
}

function packRuns(rgba: Bytes, first: number, runs: number, to: Bytes, start: number): void {
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset + first * RGBA_BYTES, runs * PIXELS_AT_ONCE);
  const words = new Uint32Array(to.buffer, to.byteOffset + start, runs * RGB_BYTES);
  for (let at = 0, out = 0; out < words.length; at += 4, out += 3) {
    const second = from[at + 1] ?? 0;
    const third = from[at + 2] ?? 0;
    words[out] = ((from[at] ?? 0) & 0xffffff) | (second << 24);
    words[out + 1] = ((second >>> 8) & 0xffff) | (third << 16);
    words[out + 2] = ((third >>> 16) & 0xff) | ((from[at + 3] ?? 0) << 8);
  }
}

function packEach(rgba: Bytes, to: Bytes, start: number, first: number, end: number): void {
  for (let pixel = first; pixel < end; pixel += 1) {
    const from = pixel * RGBA_BYTES;
    const at = (start + pixel) * RGB_BYTES;
    to[at] = rgba[from] ?? 0;
    to[at + 1] = rgba[from + 1] ?? 0;
    to[at + 2] = rgba[from + 2] ?? 0;
  }
}

/** Writes RGB pixels as opaque RGBA to the start of `to`. */
function expandRgb(rgb: Bytes, to: Bytes): void {
  for (let from = 0, at = 0; from < rgb.length; from += RGB_BYTES, at += RGBA_BYTES) {
    to[at] = rgb[from] ?? 0;
    to[at + 1] = rgb[from + 1] ?? 0;
    to[at + 2] = rgb[from + 2] ?? 0;
    to[at + 3] = 255;
  }
}

/** The picture as RGBA: the same raster if it is RGBA, new pixels if it is RGB. */
export function toRgba(raster: SourceRaster): Raster {
  if (!("rgb" in raster)) return raster;
  const { width, height, rgb, alpha } = raster;
  const pixels = new Uint8ClampedArray(width * height * RGBA_BYTES);
  expandRgb(rgb, pixels);
  return { width, height, pixels, alpha };
}

/** Collects a decoder's rows of RGBA, from top to bottom, with as many bytes a pixel as needed. */
export interface RasterBuilder {
  /** Appends whole pixels and ignores any surplus. The pixels must be opaque if `isRgb`. */
  add(rgba: Uint8Array): void;
  /** Writes pixels `step` apart, the first at pixel `start`. */
  scatter(rgba: Uint32Array, start: number, step: number): void;
  isWhole(): boolean;
  /** The raster, once it is complete. */
  raster(alpha: "opaque" | "straight"): SourceRaster;
}

export function createRasterBuilder(width: number, height: number, isRgb: boolean): RasterBuilder {
  const count = width * height;
  const kept = new Uint8ClampedArray(count * (isRgb ? RGB_BYTES : RGBA_BYTES));
  let filled = 0;
  return {
    add(rgba) {
      const pixels = Math.min(rgba.length / RGBA_BYTES, count - filled);
      const some = rgba.subarray(0, pixels * RGBA_BYTES);
      if (isRgb) packRgb(some, kept, filled);
      else kept.set(some, filled * RGBA_BYTES);
      filled += pixels;
    },
    scatter(rgba, start, step) {
      const bytes = isRgb ? RGB_BYTES : RGBA_BYTES;
      for (let index = 0, at = start * bytes; index < rgba.length; index += 1, at += step * bytes) {
        const word = rgba[index] ?? 0;
        kept[at] = word & 255;
        kept[at + 1] = (word >>> 8) & 255;
        kept[at + 2] = (word >>> 16) & 255;
        if (!isRgb) kept[at + 3] = word >>> 24;
      }
    },
    isWhole: () => filled === count,
    raster: (alpha) =>
      isRgb ? { width, height, rgb: kept, alpha: "opaque" } : { width, height, pixels: kept, alpha },
  };
}

/**
 * Format of decoded pixels: four bytes each, or three for a picture whose file declares it opaque. A picture that turns
 * out to be opaque only after decoding keeps four.
 */
export type Packing = "rgba" | "rgb_if_opaque";
