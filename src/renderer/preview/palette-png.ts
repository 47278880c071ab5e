/// <reference path="./upng-js.d.ts" />
import { zlibSync } from "fflate";
import { addToHistogram, cellOf, createHistogram, type Histogram } from "../encode/colour-histogram.ts";
import { choosePalette, type Palette, paletteMatcher } from "../encode/colour-quantiser.ts";
import { pngChunk, pngFile } from "../encode/png-chunk-writer.ts";
import type { Raster } from "../types.ts";

const COLOURS_MAX = 256;

/**
 * With at most this many colours, plus the entry that upng-js reserves for the 32-bit word 0 (transparent black), a
 * pixel takes at most 4 bits.
 */
const FEW_COLOURS_MAX = 15;

/** Longest edge of any preview; a larger picture is a bug. */
const EDGE_PX_MAX = 1080;

/**
 * Fast settings, because a preview is seen once: half the time of level 4 for 2 % more bytes, and a hash table that
 * fits a processor's cache.
 */
const DEFLATE = { level: 2, mem: 4 } as const;

/** A 4 × 4 ordered dither as offsets in grey levels: small, because noise costs bytes. */
const DITHER = [-2, 0, -2, 1, 1, -1, 2, -1, -2, 1, -2, 0, 2, -1, 1, -1] as const;

/**
 * Writes an opaque picture of at most 1080 pixels a side as a PNG with a palette. The colours are chosen here. For a
 * picture with few colours, `upng-js` gets only palette indices, which it packs into bits. `isDithered` breaks up bands
 * of colour; a marked picture is uneven enough without dithering. Throws a RangeError for a transparent or larger
 * picture.
 */
export async function encodePalettePng(raster: Raster, isDithered: boolean): Promise<Uint8Array> {
  const { width, height } = raster;
  if (raster.alpha !== "opaque" || width > EDGE_PX_MAX || height > EDGE_PX_MAX) {
    throw new RangeError(`not a preview: ${width} x ${height}, ${raster.alpha}`);
  }
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const palette = choosePalette(histogram, COLOURS_MAX);
  const numbers = numbered(isDithered ? dithered(raster) : raster, palette, histogram);
  const { depth, colours, rows, rowBytes } =
    palette.length / 3 > FEW_COLOURS_MAX
      ? ({ depth: 8, colours: palette, rows: numbers, rowBytes: width } as const)
      : await packed(numbers, raster, palette);
  const pixels = pngChunk("IDAT", zlibSync(unfiltered(rows, rowBytes), DEFLATE));
  return pngFile(width, height, depth, [pngChunk("PLTE", colours), pixels]);
}

/** Rows of indices in as few bits as they need, and the palette in the order of its use. */
async function packed(numbers: Uint8Array, { width, height }: Raster, palette: Palette) {
  // Imported on first use: it brings its own zlib, and few previews have so few colours.
  const { default: UPNG } = await import("upng-js");
  const words = Uint32Array.from(numbers, (number) => number + 1);
  const { depth, plte, frames } = UPNG.encode.compress([words.buffer], width, height, 0);
  const [frame] = frames;
  if (frame === undefined) throw new Error("a picture has a frame");
  const colours = new Uint8Array(plte.length * 3);
  for (const [place, word] of plte.entries()) {
    if (word > 0) colours.set(palette.subarray(word * 3 - 3, word * 3), place * 3);
  }
  return { depth, colours, rows: frame.img, rowBytes: frame.bpl };
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

/** For each pixel: the palette's nearest colour to the mean of its histogram cell, or to its dithered colour. */
function numbered({ width, height, pixels }: Raster, palette: Palette, { cells }: Histogram): Uint8Array {
  const match = paletteMatcher(palette);
  // Stored plus 1, so that 0 means unset and the array needs no fill.
  const known = new Uint16Array(cells.length / 4);
  const numbers = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < numbers.length; pixel += 1, at += 4) {
    const red = pixels[at] ?? 0;
    const green = pixels[at + 1] ?? 0;
    const blue = pixels[at + 2] ?? 0;
    const cell = cellOf(red, green, blue);
    let counted = known[cell] ?? 0;
    if (counted === 0) {
      const count = cells[cell * 4] ?? 0;
      const meanOr = (own: number, channel: number): number =>
        count === 0 ? own : Math.round((cells[cell * 4 + channel] ?? 0) / count);
      counted = 1 + match(meanOr(red, 1), meanOr(green, 2), meanOr(blue, 3));
      known[cell] = counted;
    }
    numbers[pixel] = counted - 1;
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
