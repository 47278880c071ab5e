/// <reference path="./upng-js.d.ts" />
import UPNG from "upng-js";
import { addToHistogram, cellOf, createHistogram } from "../encode/histogram.ts";
import { choosePalette, type Palette, paletteMatcher } from "../encode/palette.ts";
import type { Raster } from "../types.ts";

/** The encoder keeps one of 256 entries for transparent. */
const COLOURS_MAX = 255;

/** Longest edge of any preview; a larger picture here is a bug. */
const EDGE_PX_MAX = 1080;

/** A 4 × 4 ordered dither as offsets in grey levels: little, because noise costs bytes. */
const DITHER = [-2, 0, -2, 1, 1, -1, 2, -1, -2, 1, -2, 0, 2, -1, 1, -1] as const;

/**
 * Writes an opaque picture of at most 1080 pixels a side as a PNG with a palette. The colours are chosen here, and
 * the encoder, which is handed nothing but them, writes them losslessly. `isDithered` breaks up bands of colour;
 * a marked picture is uneven enough without.
 */
export function encodePalettePng(raster: Raster, isDithered: boolean): Uint8Array {
  const { width, height, pixels } = raster;
  if (raster.alpha !== "opaque" || width > EDGE_PX_MAX || height > EDGE_PX_MAX) {
    throw new RangeError(`not a preview: ${width} x ${height}, ${raster.alpha}`);
  }
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const palette = choosePalette(histogram, COLOURS_MAX);
  const match = cellMatcher(palette);
  const words = wordsOf(palette);
  const reduced = new Uint32Array(width * height);
  for (let y = 0, pixel = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, pixel += 1) {
      const at = pixel * 4;
      let red = pixels[at] ?? 0;
      let green = pixels[at + 1] ?? 0;
      let blue = pixels[at + 2] ?? 0;
      if (isDithered) {
        const offset = DITHER[((y & 3) << 2) | (x & 3)] ?? 0;
        red = clampByte(red + offset);
        green = clampByte(green + offset);
        blue = clampByte(blue + offset);
      }
      reduced[pixel] = words[match(red, green, blue)] ?? 0;
    }
  }
  return new Uint8Array(UPNG.encode([reduced.buffer], width, height, 0));
}

/** Each colour as the four bytes of an opaque pixel. */
function wordsOf(palette: Palette): Uint32Array {
  const bytes = new Uint8Array((palette.length / 3) * 4).fill(255);
  for (let index = 0; index < palette.length / 3; index += 1) {
    bytes.set(palette.subarray(index * 3, index * 3 + 3), index * 4);
  }
  return new Uint32Array(bytes.buffer);
}

/** The palette's nearest colour to each cell of the histogram, found when first asked for. */
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
