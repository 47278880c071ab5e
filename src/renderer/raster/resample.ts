import type { Box, Raster } from "../types.ts";
import { assertDrawable } from "./canvas.ts";
import { lanczosTaps, type Taps, WEIGHT_BITS } from "./kernel.ts";

/** The intermediate picture keeps 6 bits under the byte, so two roundings cost less than one grey level. */
const SPARE_BITS = 6;
const ACROSS_SHIFT = WEIGHT_BITS - SPARE_BITS;
const ACROSS_HALF = 1 << (ACROSS_SHIFT - 1);
const DOWN_SHIFT = WEIGHT_BITS + SPARE_BITS;
const DOWN_HALF = 1 << (DOWN_SHIFT - 1);

/**
 * Draws the part of `source` inside `part` (source pixels, fractions allowed) at `width` x `height`,
 * with a separable Lanczos-3 filter in whole numbers. The source is opaque or premultiplied.
 */
export function resample(source: Raster, part: Box, width: number, height: number): Raster {
  assertDrawable(width, height);
  if (source.alpha === "straight") throw new RangeError("resampling needs premultiplied pixels");
  const isWhole =
    part.x === 0 && part.y === 0 && part.width === source.width && part.height === source.height;
  if (isWhole && width === source.width && height === source.height) {
    return { ...source, pixels: source.pixels.slice() };
  }
  const across = lanczosTaps(source.width, part.x, part.width, width);
  const down = lanczosTaps(source.height, part.y, part.height, height);
  const firstRow = down.first[0] ?? 0;
  const lastRow = Math.min(source.height, (down.first[height - 1] ?? 0) + down.tapCount);
  const channels = source.alpha === "opaque" ? 3 : 4;
  const narrow = filterAcross(source, across, firstRow, lastRow, width, channels);
  const pixels = filterDown(narrow, down, firstRow, width, height, channels);
  if (channels === 4) clampToAlpha(pixels);
  return { width, height, pixels, alpha: source.alpha };
}

function filterAcross(
  source: Raster,
  taps: Taps,
  firstRow: number,
  lastRow: number,
  width: number,
  channels: number,
): Int16Array {
  const { first, weights, tapCount } = taps;
  const out = new Int16Array((lastRow - firstRow) * width * channels);
  const pixels = source.pixels;
  for (let row = firstRow; row < lastRow; row += 1) {
    const rowStart = row * source.width * 4;
    const to = (row - firstRow) * width * channels;
    if (channels === 3) filterOpaqueRow(pixels, rowStart, first, weights, tapCount, out, to, width);
    else filterRow(pixels, rowStart, first, weights, tapCount, out, to, width);
  }
  return out;
}

/** Products and sums are said to be 32-bit, which they are: an engine that must prove it falls back to doubles. */
function filterRow(
  pixels: Uint8ClampedArray,
  rowStart: number,
  first: Int32Array,
  weights: Int16Array,
  tapCount: number,
  out: Int16Array,
  start: number,
  width: number,
): void {
  let w = 0;
  let to = start;
  for (let x = 0; x < width; x += 1, to += 4) {
    let at = rowStart + (first[x] ?? 0) * 4;
    let r = ACROSS_HALF;
    let g = ACROSS_HALF;
    let b = ACROSS_HALF;
    let a = ACROSS_HALF;
    for (const end = w + tapCount; w < end; w += 1, at += 4) {
      const weight = weights[w] ?? 0;
      r = (r + Math.imul(pixels[at] ?? 0, weight)) | 0;
      g = (g + Math.imul(pixels[at + 1] ?? 0, weight)) | 0;
      b = (b + Math.imul(pixels[at + 2] ?? 0, weight)) | 0;
      a = (a + Math.imul(pixels[at + 3] ?? 0, weight)) | 0;
    }
    out[to] = r >> ACROSS_SHIFT;
    out[to + 1] = g >> ACROSS_SHIFT;
    out[to + 2] = b >> ACROSS_SHIFT;
    out[to + 3] = a >> ACROSS_SHIFT;
  }
}

/** As `filterRow`, without the alpha that opaque pictures do not have: most pictures, and a quarter less work. */
function filterOpaqueRow(
  pixels: Uint8ClampedArray,
  rowStart: number,
  first: Int32Array,
  weights: Int16Array,
  tapCount: number,
  out: Int16Array,
  start: number,
  width: number,
): void {
  let w = 0;
  let to = start;
  for (let x = 0; x < width; x += 1, to += 3) {
    let at = rowStart + (first[x] ?? 0) * 4;
    let r = ACROSS_HALF;
    let g = ACROSS_HALF;
    let b = ACROSS_HALF;
    for (const end = w + tapCount; w < end; w += 1, at += 4) {
      const weight = weights[w] ?? 0;
      r = (r + Math.imul(pixels[at] ?? 0, weight)) | 0;
      g = (g + Math.imul(pixels[at + 1] ?? 0, weight)) | 0;
      b = (b + Math.imul(pixels[at + 2] ?? 0, weight)) | 0;
    }
    out[to] = r >> ACROSS_SHIFT;
    out[to + 1] = g >> ACROSS_SHIFT;
    out[to + 2] = b >> ACROSS_SHIFT;
  }
}

/** Row by row with a row of sums, so that memory is read in order. */
function filterDown(
  narrow: Int16Array,
  taps: Taps,
  firstRow: number,
  width: number,
  height: number,
  channels: number,
): Uint8ClampedArray {
  const { first, weights, tapCount } = taps;
  const rowLength = width * channels;
  const rows = narrow.length / rowLength;
  const out = new Uint8ClampedArray(width * height * 4);
  const sums = new Int32Array(rowLength);
  for (let y = 0; y < height; y += 1) {
    sums.fill(DOWN_HALF);
    const row = (first[y] ?? 0) - firstRow;
    const end = Math.min(tapCount, rows - row);
    let tap = Math.max(0, -row);
    for (; tap + ROWS_AT_ONCE <= end; tap += ROWS_AT_ONCE) {
      addFourRows(sums, narrow, (row + tap) * rowLength, weights, y * tapCount + tap);
    }
    for (; tap < end; tap += 1)
      addRow(sums, narrow, (row + tap) * rowLength, weights[y * tapCount + tap] ?? 0);
    let to = y * width * 4;
    for (let i = 0; i < rowLength; i += channels, to += 4) {
      out[to] = (sums[i] ?? 0) >> DOWN_SHIFT;
      out[to + 1] = (sums[i + 1] ?? 0) >> DOWN_SHIFT;
      out[to + 2] = (sums[i + 2] ?? 0) >> DOWN_SHIFT;
      out[to + 3] = channels === 4 ? (sums[i + 3] ?? 0) >> DOWN_SHIFT : 255;
    }
  }
  return out;
}

/** Four rows at a time, because the sums are read and written once for all of them. */
const ROWS_AT_ONCE = 4;

function addFourRows(
  sums: Int32Array,
  narrow: Int16Array,
  start: number,
  weights: Int16Array,
  tap: number,
): void {
  const { length } = sums;
  const [second, third, fourth] = [start + length, start + length * 2, start + length * 3];
  const [w1, w2, w3, w4] = [
    weights[tap] ?? 0,
    weights[tap + 1] ?? 0,
    weights[tap + 2] ?? 0,
    weights[tap + 3] ?? 0,
  ];
  for (let i = 0; i < length; i += 1) {
    sums[i] =
      (sums[i] ?? 0) +
      Math.imul(narrow[start + i] ?? 0, w1) +
      Math.imul(narrow[second + i] ?? 0, w2) +
      Math.imul(narrow[third + i] ?? 0, w3) +
      Math.imul(narrow[fourth + i] ?? 0, w4);
  }
}

function addRow(sums: Int32Array, narrow: Int16Array, start: number, weight: number): void {
  if (weight === 0) return;
  for (let i = 0; i < sums.length; i += 1) {
    sums[i] = (sums[i] ?? 0) + Math.imul(narrow[start + i] ?? 0, weight);
  }
}

/** The filter overshoots at edges; a premultiplied colour above its alpha would glow. */
function clampToAlpha(pixels: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if ((pixels[at] ?? 0) > alpha) pixels[at] = alpha;
    if ((pixels[at + 1] ?? 0) > alpha) pixels[at + 1] = alpha;
    if ((pixels[at + 2] ?? 0) > alpha) pixels[at + 2] = alpha;
  }
}
