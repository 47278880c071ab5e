/// <reference path="./upng-js.d.ts" />
import { zlibSync } from "fflate";
import { concatUint8Arrays } from "uint8array-extras";
import { addToHistogram, cellOf, createHistogram } from "../encode/colour-histogram.ts";
import { choosePalette, type Palette, paletteMatcher } from "../encode/colour-quantiser.ts";
import { PNG_END, PNG_SIGNATURE, PNG_SRGB, pngChunk, pngHeader } from "../encode/png-chunk-writer.ts";
import type { Raster } from "../types.ts";

/** The encoder keeps one of 256 entries for the word 0. */
const COLOURS_MAX = 255;

/** Longest edge of any preview; a larger picture here is a bug. */
const EDGE_PX_MAX = 1080;

/** Level 4 takes half the time of level 6 for 1 % more bytes: a preview is seen once. */
const DEFLATE_LEVEL = 4;

/** A 4 × 4 ordered dither as offsets in grey levels: little, because noise costs bytes. */
const DITHER = [-2, 0, -2, 1, 1, -1, 2, -1, -2, 1, -2, 0, 2, -1, 1, -1] as const;

/**
 * Writes an opaque picture of at most 1080 pixels a side as a PNG with a palette. The colours are chosen here;
 * `upng-js` is handed nothing but their numbers, and packs them. `isDithered` breaks up bands of colour; a marked
 * picture is uneven enough without. Throws a RangeError for any other picture.
 */
export async function encodePalettePng(raster: Raster, isDithered: boolean): Promise<Uint8Array> {
  const { width, height } = raster;
  if (raster.alpha !== "opaque" || width > EDGE_PX_MAX || height > EDGE_PX_MAX) {
    throw new RangeError(`not a preview: ${width} x ${height}, ${raster.alpha}`);
  }
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const palette = choosePalette(histogram, COLOURS_MAX);
  const numbers = numbered(isDithered ? dithered(raster) : raster, palette);
  // Loaded when first asked for: it brings a library of its own, and few requests are previews.
  const { default: UPNG } = await import("upng-js");
  // Small numbers, which the encoder finds in a list, instead of colours, which it would look up in a table.
  const { depth, plte, frames } = UPNG.encode.compress([numbers.buffer], width, height, 0);
  const colours = new Uint8Array(plte.length * 3);
  for (const [place, number] of plte.entries()) {
    if (number > 0) colours.set(palette.subarray(number * 3 - 3, number * 3), place * 3);
  }
  return concatUint8Arrays([
    PNG_SIGNATURE,
    pngHeader(width, height, depth),
    PNG_SRGB,
    pngChunk("PLTE", colours),
    ...frames.map(({ img, bpl }) =>
      pngChunk("IDAT", zlibSync(unfiltered(img, bpl), { level: DEFLATE_LEVEL })),
    ),
    PNG_END,
  ]);
}

/** Rows with their filter byte, 0 (none): filters do not help palette indices. */
function unfiltered(packed: Uint8Array, rowBytes: number): Uint8Array {
  const rows = packed.length / rowBytes;
  const bytes = new Uint8Array((rowBytes + 1) * rows);
  for (let row = 0; row < rows; row += 1) {
    bytes.set(packed.subarray(row * rowBytes, (row + 1) * rowBytes), row * (rowBytes + 1) + 1);
  }
  return bytes;
}

/** Of each pixel: the palette's nearest colour to its cell of the histogram, counted from 1. */
function numbered({ width, height, pixels }: Raster, palette: Palette): Uint32Array<ArrayBuffer> {
  const match = paletteMatcher(palette);
  const known = new Uint8Array(1 << 16);
  const numbers = new Uint32Array(width * height);
  for (let pixel = 0, at = 0; pixel < numbers.length; pixel += 1, at += 4) {
    const cell = cellOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    let number = known[cell] ?? 0;
    if (number === 0) {
      number = 1 + match(((cell >> 8) & 0xf8) | 4, ((cell >> 3) & 0xfc) | 2, ((cell << 3) & 0xf8) | 4);
      known[cell] = number;
    }
    numbers[pixel] = number;
  }
  return numbers;
}

function dithered({ width, height, pixels, alpha }: Raster): Raster {
  const uneven = new Uint8ClampedArray(pixels.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      const offset = DITHER[((y & 3) << 2) | (x & 3)] ?? 0;
      uneven[at] = (pixels[at] ?? 0) + offset;
      uneven[at + 1] = (pixels[at + 1] ?? 0) + offset;
      uneven[at + 2] = (pixels[at + 2] ?? 0) + offset;
    }
  }
  return { width, height, pixels: uneven, alpha };
}
