/// <reference path="./upng-js.d.ts" />
import UPNG from "upng-js";
import { addToHistogram, cellOf, createHistogram } from "../encode/histogram.ts";
import { choosePalette, type Palette, paletteMatcher } from "../encode/palette.ts";
import type { Raster } from "../types.ts";

/** The encoder keeps one of 256 entries for transparent. */
const COLOURS_MAX = 255;

/** Longest edge of any preview; a larger picture here is a bug. */
const EDGE_PX_MAX = 1080;

/** A 4 × 4 ordered dither as offsets in grey levels: little, because noise costs bytes, and a band is no fault here. */
const DITHER = [-2, 0, -2, 1, 1, -1, 2, -1, -2, 1, -2, 0, 2, -1, 1, -1] as const;

/**
 * Writes an opaque picture of at most 1080 pixels a side as a PNG with a palette. The colours are chosen here, and
 * the encoder, which is handed nothing but them, writes them losslessly.
 */
export function encodePalettePng(raster: Raster): Uint8Array {
  const { width, height, pixels } = raster;
  if (raster.alpha !== "opaque" || width > EDGE_PX_MAX || height > EDGE_PX_MAX) {
    throw new RangeError(`not a preview: ${width} x ${height}, ${raster.alpha}`);
  }
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const palette = choosePalette(histogram, COLOURS_MAX);
  const match = cellMatcher(palette);
  const reduced = new Uint8ClampedArray(pixels.length);
  for (let at = 0; at < pixels.length; at += 4) {
    const pixel = at >> 2;
    const x = pixel % width;
    const y = (pixel - x) / width;
    const offset = DITHER[((y & 3) << 2) | (x & 3)] ?? 0;
    const index = match(
      clampByte((pixels[at] ?? 0) + offset),
      clampByte((pixels[at + 1] ?? 0) + offset),
      clampByte((pixels[at + 2] ?? 0) + offset),
    );
    reduced[at] = palette[index * 3] ?? 0;
    reduced[at + 1] = palette[index * 3 + 1] ?? 0;
    reduced[at + 2] = palette[index * 3 + 2] ?? 0;
    reduced[at + 3] = 255;
  }
  return new Uint8Array(UPNG.encode([reduced.buffer], width, height, 0));
}

/** The palette's nearest colour to each cell of the histogram, found when first asked for; dither hides the cells. */
function cellMatcher(palette: Palette): (red: number, green: number, blue: number) => number {
  const match = paletteMatcher(palette);
  const known = new Int16Array(1 << 16).fill(-1);
  return (red, green, blue) => {
    const cell = cellOf(red, green, blue);
    const found = known[cell] ?? -1;
    if (found >= 0) return found;
    const index = match((red & 0xf8) | 4, (green & 0xfc) | 2, (blue & 0xf8) | 4);
    known[cell] = index;
    return index;
  };
}

const clampByte = (value: number): number => Math.max(0, Math.min(255, value));
