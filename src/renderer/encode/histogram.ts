import type { Raster } from "../types.ts";

/** Colours of one or many pictures, gathered in cells of 5 bits red, 6 green, 5 blue. */
export interface Histogram {
  /** Of each of the 65536 cells: how many pixels, and the sums of their red, green and blue. */
  readonly cells: Float64Array;
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
    cells: new Float64Array(CELLS * 4),
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
  const { cells } = histogram;
  histogram.pixels += width * height;
  let before = -1;
  const above = new Int32Array(width).fill(-1);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      const red = pixels[at] ?? 0;
      const green = pixels[at + 1] ?? 0;
      const blue = pixels[at + 2] ?? 0;
      const cell = cellOf(red, green, blue) * 4;
      cells[cell] = (cells[cell] ?? 0) + 1;
      cells[cell + 1] = (cells[cell + 1] ?? 0) + red;
      cells[cell + 2] = (cells[cell + 2] ?? 0) + green;
      cells[cell + 3] = (cells[cell + 3] ?? 0) + blue;
      const colour = (red << 16) | (green << 8) | blue;
      if (colour === before && colour === above[x]) addFlat(histogram, colour);
      above[x] = colour;
      before = colour;
      if (histogram.exact !== null) addExact(histogram, histogram.exact, colour);
    }
  }
}

function addFlat({ flat }: Histogram, colour: number): void {
  const count = flat.get(colour) ?? 0;
  if (count > 0 || flat.size < EXACT_COLOURS_MAX) flat.set(colour, count + 1);
}

function addExact(histogram: Histogram, exact: Map<number, number>, colour: number): void {
  exact.set(colour, (exact.get(colour) ?? 0) + 1);
  if (exact.size > EXACT_COLOURS_MAX) histogram.exact = null;
}

/** The flat colours that cover a good part of the pictures, the largest first; `r << 16 | g << 8 | b`. */
export function flatColours({ flat, pixels }: Histogram): readonly number[] {
  return [...flat]
    .filter(([, count]) => count >= pixels * FLAT_SHARE_MIN)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, FLAT_COLOURS_MAX)
    .map(([colour]) => colour);
}
