import type { Raster } from "../types.ts";

/** Colours of one or many pictures, gathered in cells of 5 bits red, 6 green, 5 blue. */
export interface Histogram {
  /** Pixels in each of the 65536 cells. */
  readonly counts: Float64Array;
  /** Sums of red, green and blue in each. */
  readonly sums: Float64Array;
  /** Pixels of each exact colour (`r << 16 | g << 8 | b`) while there are few; null past the limit. */
  exact: Map<number, number> | null;
  /** Pixels of each exact colour that equal their left and upper neighbour: fills, text and logos. */
  readonly flat: Map<number, number>;
  pixels: number;
}

const CELLS = 1 << 16;

/** Exact colours counted before a picture is taken for a photograph. */
const EXACT_COLOURS_MAX = 8192;

/** A flat colour over this share of the pixels is kept as it is. */
const FLAT_SHARE_MIN = 0.01;
const FLAT_COLOURS_MAX = 16;

export function createHistogram(): Histogram {
  return {
    counts: new Float64Array(CELLS),
    sums: new Float64Array(CELLS * 3),
    exact: new Map(),
    flat: new Map(),
    pixels: 0,
  };
}

export function cellOf(red: number, green: number, blue: number): number {
  return ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3);
}

/** Adds a picture's opaque pixels. */
export function addToHistogram(histogram: Histogram, { width, height, pixels }: Raster): void {
  const { counts, sums, flat } = histogram;
  histogram.pixels += width * height;
  let before = -1;
  const above = new Int32Array(width).fill(-1);
  for (let at = 0; at < pixels.length; at += 4) {
    const red = pixels[at] ?? 0;
    const green = pixels[at + 1] ?? 0;
    const blue = pixels[at + 2] ?? 0;
    const cell = cellOf(red, green, blue);
    counts[cell] = (counts[cell] ?? 0) + 1;
    sums[cell * 3] = (sums[cell * 3] ?? 0) + red;
    sums[cell * 3 + 1] = (sums[cell * 3 + 1] ?? 0) + green;
    sums[cell * 3 + 2] = (sums[cell * 3 + 2] ?? 0) + blue;
    const colour = (red << 16) | (green << 8) | blue;
    const x = (at >> 2) % width;
    if (colour === before && colour === above[x] && (flat.has(colour) || flat.size < EXACT_COLOURS_MAX)) {
      flat.set(colour, (flat.get(colour) ?? 0) + 1);
    }
    above[x] = colour;
    before = colour;
    if (histogram.exact !== null) {
      histogram.exact.set(colour, (histogram.exact.get(colour) ?? 0) + 1);
      if (histogram.exact.size > EXACT_COLOURS_MAX) histogram.exact = null;
    }
  }
}

/** The flat colours that cover a good part of the pictures, the largest first; `r << 16 | g << 8 | b`. */
export function flatColours({ flat, pixels }: Histogram): readonly number[] {
  return [...flat]
    .filter(([, count]) => count >= pixels * FLAT_SHARE_MIN)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, FLAT_COLOURS_MAX)
    .map(([colour]) => colour);
}
