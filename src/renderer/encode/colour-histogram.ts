import type { Box, Raster } from "../types.ts";

/** Colours of one or many pictures, counted in cells of 6 bits of red, green and blue. */
export interface Histogram {
  /** For each of the 262144 cells: number of pixels, and the sums of their red, green and blue. */
  readonly cells: Float64Array;
  /** Pixels of each exact colour (`r << 16 | g << 8 | b`); null once there are more than EXACT_COLOURS_MAX. */
  exact: Map<number, number> | null;
  /** Pixels of each exact colour that equal their left and upper neighbour: fills, text and logos. */
  readonly flat: Map<number, number>;
  pixels: number;
}

const CELLS = 1 << 18;

/** Maximum number of exact colours. A picture with more is treated as a photograph. */
const EXACT_COLOURS_MAX = 8192;

/** A flat colour of at least this share of the pixels is kept exactly. */
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
  return ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);
}

/** Adds a picture's opaque pixels, run by run of one colour. */
export function addToHistogram(histogram: Histogram, { width, height, pixels }: Raster): void {
  histogram.pixels += width * height;
  const rowBytes = width * 4;
  let before = -1;
  let run = 0;
  let flat = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const red = pixels[at] ?? 0;
    const green = pixels[at + 1] ?? 0;
    const blue = pixels[at + 2] ?? 0;
    const colour = (red << 16) | (green << 8) | blue;
    if (colour !== before) {
      addRun(histogram, before, run, flat);
      before = colour;
      run = 1;
      flat = 0;
      continue;
    }
    run += 1;
    const above = at - rowBytes;
    const isAsAbove =
      above >= 0 && pixels[above] === red && pixels[above + 1] === green && pixels[above + 2] === blue;
    if (isAsAbove) flat += 1;
  }
  addRun(histogram, before, run, flat);
}

/** Counts the pixels of a part of a counted picture `times` more times. Does not add to the flat colours. */
export function addPart(histogram: Histogram, { width, pixels }: Raster, part: Box, times: number): void {
  for (let y = part.y; y < part.y + part.height; y += 1) {
    for (let x = part.x; x < part.x + part.width; x += 1) {
      const at = (y * width + x) * 4;
      const colour = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
      addColour(histogram, colour, times);
    }
  }
}

/** Adds `run` pixels of a colour, `flatRun` of which equal their left and upper neighbour. */
function addRun(histogram: Histogram, colour: number, run: number, flatRun: number): void {
  if (run === 0) return;
  addColour(histogram, colour, run);
  const { flat } = histogram;
  if (flatRun > 0) {
    const count = flat.get(colour) ?? 0;
    if (count > 0 || flat.size < EXACT_COLOURS_MAX) flat.set(colour, count + flatRun);
  }
}

function addColour(histogram: Histogram, colour: number, times: number): void {
  const { cells, exact } = histogram;
  if (exact !== null) {
    exact.set(colour, (exact.get(colour) ?? 0) + times);
    if (exact.size > EXACT_COLOURS_MAX) histogram.exact = null;
  }
  const red = colour >> 16;
  const green = (colour >> 8) & 255;
  const blue = colour & 255;
  const cell = cellOf(red, green, blue) * 4;
  cells[cell] = (cells[cell] ?? 0) + times;
  cells[cell + 1] = (cells[cell + 1] ?? 0) + red * times;
  cells[cell + 2] = (cells[cell + 2] ?? 0) + green * times;
  cells[cell + 3] = (cells[cell + 3] ?? 0) + blue * times;
}

/** The flat colours that cover a large part of the pictures, the largest first; `r << 16 | g << 8 | b`. */
export function flatColours({ flat, pixels }: Histogram): readonly number[] {
  return [...flat]
    .filter(([, count]) => count >= pixels * FLAT_SHARE_MIN)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, FLAT_COLOURS_MAX)
    .map(([colour]) => colour);
}
