import { zlibSync } from "fflate";
import { concatUint8Arrays } from "uint8array-extras";
import { addToHistogram, cellOf, createHistogram } from "../encode/colour-histogram.ts";
import { choosePalette, type Palette, paletteMatcher } from "../encode/colour-quantiser.ts";
import { PNG_END, PNG_SIGNATURE, PNG_SRGB, pngChunk, pngHeader } from "../encode/png-chunk-writer.ts";
import type { Raster } from "../types.ts";

/** Number 0 is no colour's, and has an entry of the palette all the same. */
const COLOURS_MAX = 255;

/** Longest edge of any preview; a larger picture here is a bug. */
const EDGE_PX_MAX = 1080;

/** Level 4 takes half the time of level 6 for 1 % more bytes: a preview is seen once. */
const DEFLATE_LEVEL = 4;

/** A 4 × 4 ordered dither as offsets in grey levels: little, because noise costs bytes. */
const DITHER = [-2, 0, -2, 1, 1, -1, 2, -1, -2, 1, -2, 0, 2, -1, 1, -1] as const;

/**
 * Writes an opaque picture of at most 1080 pixels a side as a PNG with a palette. `isDithered` breaks up bands of colour; a
 * marked picture is uneven enough without. Throws a RangeError for any other picture.
 */
export function encodePalettePng(raster: Raster, isDithered: boolean): Uint8Array {
  const { width, height } = raster;
  if (raster.alpha !== "opaque" || width > EDGE_PX_MAX || height > EDGE_PX_MAX) {
    throw new RangeError(`not a preview: ${width} x ${height}, ${raster.alpha}`);
  }
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const palette = choosePalette(histogram, COLOURS_MAX);
  const numbers = numbered(isDithered ? dithered(raster) : raster, palette);
  const entries = entriesOf(numbers);
  const depth = depthFor(entries.length);
  const colours = new Uint8Array(entries.length * 3);
  for (const [place, number] of entries.entries()) {
    if (number > 0) colours.set(palette.subarray(number * 3 - 3, number * 3), place * 3);
  }
  return concatUint8Arrays([
    PNG_SIGNATURE,
    pngHeader(width, height, depth),
    PNG_SRGB,
    pngChunk("PLTE", colours),
    pngChunk("IDAT", zlibSync(packedRows(numbers, width, entries, depth), { level: DEFLATE_LEVEL })),
    PNG_END,
  ]);
}

/** The numbers in the order in which the picture has them, after 0. */
function entriesOf(numbers: Uint8Array): readonly number[] {
  const entries = [0];
  const isListed = new Uint8Array(256);
  for (const number of numbers) {
    if (isListed[number] === 1) continue;
    isListed[number] = 1;
    entries.push(number);
  }
  return entries;
}

/** Bits of a pixel that names one of so many entries (PNG specification, third edition, 11.2.1). */
function depthFor(entries: number): 1 | 2 | 4 | 8 {
  if (entries <= 2) return 1;
  if (entries <= 4) return 2;
  return entries <= 16 ? 4 : 8;
}

/**
 * Rows of places in `entries`, the leftmost pixel in the highest bits, each row after its filter byte, 0 (none): filters do
 * not help palette indices.
 */
function packedRows(
  numbers: Uint8Array,
  width: number,
  entries: readonly number[],
  depth: number,
): Uint8Array {
  const places = new Uint8Array(256);
  for (const [place, number] of entries.entries()) places[number] = place;
  const rowBytes = Math.ceil((width * depth) / 8) + 1;
  const rows = new Uint8Array((rowBytes * numbers.length) / width);
  const pixelsInByte = 8 / depth;
  for (let start = 0, row = 1; start < numbers.length; start += width, row += rowBytes) {
    for (let x = 0; x < width; x += 1) {
      const at = row + Math.floor(x / pixelsInByte);
      const shift = 8 - depth * (1 + (x % pixelsInByte));
      rows[at] = (rows[at] ?? 0) | ((places[numbers[start + x] ?? 0] ?? 0) << shift);
    }
  }
  return rows;
}

/** Of each pixel: the palette's nearest colour to its cell of the histogram, counted from 1. */
function numbered({ width, height, pixels }: Raster, palette: Palette): Uint8Array {
  const match = paletteMatcher(palette);
  const known = new Uint8Array(1 << 16);
  const numbers = new Uint8Array(width * height);
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
