import { packRgb } from "../raster/rgb-pixels.ts";
import type { SourceRaster } from "../types.ts";

/** EXIF orientation: the transform from the stored picture to the upright one. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Whether the transform swaps width and height. */
export function swapsAxes(orientation: Orientation): boolean {
  return orientation >= 5;
}

const TAG_ORIENTATION = 0x0112;
const TYPE_SHORT = 3;
const ENTRY_BYTES = 12;

/**
 * Reads the orientation from a TIFF block (EXIF 2.32, 4.6.2). Reads only the first directory; a missing or invalid
 * value counts as upright.
 */
export function readOrientation(tiff: Uint8Array): Orientation {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.length < 14) return 1;
  const byteOrder = view.getUint16(0);
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) return 1;
  const isLittle = byteOrder === 0x4949;
  if (view.getUint16(2, isLittle) !== 42) return 1;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, isLittle);
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.length) return 1;
    if (view.getUint16(at, isLittle) !== TAG_ORIENTATION) continue;
    if (view.getUint16(at + 2, isLittle) !== TYPE_SHORT) return 1;
    return asOrientation(view.getUint16(at + 8, isLittle));
  }
  return 1;
}

const ORIENTATIONS: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

const asOrientation = (value: number): Orientation => ORIENTATIONS.find((known) => known === value) ?? 1;

/** Turns a stored raster upright. Returns the same raster if it already is. */
export function turnUpright(raster: SourceRaster, orientation: Orientation): SourceRaster {
  if (orientation === 1) return raster;
  const { width, height } = raster;
  const size = swapsAxes(orientation) ? { width: height, height: width } : { width, height };
  const turn = turnOf(width, height, orientation);
  if ("rgb" in raster) {
    const { rgb } = raster;
    const to = new Uint8ClampedArray(rgb.length);
    turn(size.width, size.height, (pixel, source) => {
      to[pixel * 3] = rgb[source * 3] ?? 0;
      to[pixel * 3 + 1] = rgb[source * 3 + 1] ?? 0;
      to[pixel * 3 + 2] = rgb[source * 3 + 2] ?? 0;
    });
    return { ...size, rgb: to, alpha: "opaque" };
  }
  const from = new Uint32Array(raster.pixels.buffer, raster.pixels.byteOffset, width * height);
  const to = new Uint32Array(width * height);
  turn(size.width, size.height, (pixel, source) => {
    to[pixel] = from[source] ?? 0;
  });
  return { ...size, pixels: new Uint8ClampedArray(to.buffer), alpha: raster.alpha };
}

/** Iterates over the upright pixels in order, with the index of each in the stored picture. */
function turnOf(width: number, height: number, orientation: Orientation) {
  // Index of the upright picture's first pixel in the stored one, and the steps right and down from it.
  const isFromRight = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8;
  const isFromBottom = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7;
  const alongX = isFromRight ? -1 : 1;
  const alongY = isFromBottom ? -width : width;
  const start = (isFromRight ? width - 1 : 0) + (isFromBottom ? (height - 1) * width : 0);
  const right = swapsAxes(orientation) ? alongY : alongX;
  const down = swapsAxes(orientation) ? alongX : alongY;
  return (outWidth: number, outHeight: number, copy: (pixel: number, source: number) => void): void => {
    let pixel = 0;
    for (let y = 0; y < outHeight; y++) {
      let source = start + y * down;
      for (let x = 0; x < outWidth; x++, source += right) copy(pixel++, source);
    }
  };
}

export interface OrientedRows {
  /** The upright picture; complete once all rows are added. */
  readonly raster: SourceRaster;
  /** Adds whole rows of the stored picture, RGBA, from top to bottom. */
  add(rgba: Uint8Array): void;
}

/** Writes the rows of an opaque picture to their upright positions while they are decoded, without a second raster. */
export function createOrientedRows(
  width: number,
  height: number,
  orientation: Orientation,
  isRgb = false,
): OrientedRows {
  const isSwapped = swapsAxes(orientation);
  const size = { width: isSwapped ? height : width, height: isSwapped ? width : height };
  const pixelBytes = isRgb ? 3 : 4;
  const kept = new Uint8ClampedArray(width * height * pixelBytes);
  const words = isRgb ? null : new Uint32Array(kept.buffer);
  const isFromRight = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8;
  const isFromBottom = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7;
  const stepX = (isSwapped ? size.width : 1) * (isFromRight ? -1 : 1);
  const stepY = (isSwapped ? 1 : size.width) * (isFromBottom ? -1 : 1);
  const first = (isFromRight ? -stepX * (width - 1) : 0) + (isFromBottom ? -stepY * (height - 1) : 0);
  let next = 0;

  /** Writes column by column, because rotated rows become neighbouring columns. */
  const turn = (rgba: Uint32Array, start: number): void => {
    for (let x = 0; x < width; x++) {
      let to = start + x * stepX;
      if (words !== null) {
        for (let at = x; at < rgba.length; at += width, to += stepY) words[to] = rgba[at] ?? 0;
        continue;
      }
      for (let at = x; at < rgba.length; at += width, to += stepY) {
        const word = rgba[at] ?? 0;
        kept[to * 3] = word & 255;
        kept[to * 3 + 1] = (word >>> 8) & 255;
        kept[to * 3 + 2] = (word >>> 16) & 255;
      }
    }
  };

  return {
    raster: isRgb ? { ...size, rgb: kept, alpha: "opaque" } : { ...size, pixels: kept, alpha: "opaque" },
    add(rgba) {
      const rows = Math.min(Math.floor(rgba.length / (width * 4)), height - next);
      if (orientation !== 1) {
        turn(new Uint32Array(rgba.buffer, rgba.byteOffset, rows * width), first + next * stepY);
      } else if (isRgb) packRgb(rgba.subarray(0, rows * width * 4), kept, next * width);
      else kept.set(rgba.subarray(0, rows * width * 4), next * width * 4);
      next += rows;
    },
  };
}
