import type { Raster } from "../types.ts";

/** Weights of one axis: which source pixels an output pixel covers, and by how much, of 2^12. */
interface Cover {
  readonly first: Int32Array;
  readonly weights: Int32Array;
  readonly tapCount: number;
}

const WEIGHT_BITS = 12;
const WEIGHT_ONE = 1 << WEIGHT_BITS;
/** Bits kept under the byte between the two passes. */
const SPARE_BITS = 6;

/**
 * Shrinks an opaque picture by the mean of the area that each pixel covers. A third of the work of the resampling
 * that outputs are drawn with, and under a mark nobody can tell.
 */
export function shrinkByArea(source: Raster, width: number, height: number): Raster {
  if (source.alpha !== "opaque" || width > source.width || height > source.height) {
    throw new RangeError(`cannot shrink ${source.width} x ${source.height} to ${width} x ${height}`);
  }
  if (width === source.width && height === source.height) return { ...source, pixels: source.pixels.slice() };
  const narrow = narrowRows(source, coverOf(source.width, width), width);
  const down = coverOf(source.height, height);
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  const sums = new Int32Array(width * 3);
  for (let y = 0; y < height; y += 1) {
    sums.fill(1 << (WEIGHT_BITS + SPARE_BITS - 1));
    for (let tap = 0; tap < down.tapCount; tap += 1) {
      const weight = down.weights[y * down.tapCount + tap] ?? 0;
      if (weight === 0) continue;
      const row = ((down.first[y] ?? 0) + tap) * width * 3;
      for (let at = 0; at < sums.length; at += 1)
        sums[at] = (sums[at] ?? 0) + (narrow[row + at] ?? 0) * weight;
    }
    for (let from = 0, to = y * width * 4; from < sums.length; from += 3, to += 4) {
      pixels[to] = (sums[from] ?? 0) >> (WEIGHT_BITS + SPARE_BITS);
      pixels[to + 1] = (sums[from + 1] ?? 0) >> (WEIGHT_BITS + SPARE_BITS);
      pixels[to + 2] = (sums[from + 2] ?? 0) >> (WEIGHT_BITS + SPARE_BITS);
    }
  }
  return { width, height, pixels, alpha: "opaque" };
}

/** Every row at its new width, three channels, in 64ths of a grey level. */
function narrowRows(source: Raster, across: Cover, width: number): Uint16Array {
  const { first, weights, tapCount } = across;
  const narrow = new Uint16Array(source.height * width * 3);
  const { pixels } = source;
  let to = 0;
  for (let row = 0; row < source.height; row += 1) {
    const start = row * source.width;
    for (let x = 0; x < width; x += 1, to += 3) {
      let at = (start + (first[x] ?? 0)) * 4;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let tap = x * tapCount, end = tap + tapCount; tap < end; tap += 1, at += 4) {
        const weight = weights[tap] ?? 0;
        red += (pixels[at] ?? 0) * weight;
        green += (pixels[at + 1] ?? 0) * weight;
        blue += (pixels[at + 2] ?? 0) * weight;
      }
      narrow[to] = red >> (WEIGHT_BITS - SPARE_BITS);
      narrow[to + 1] = green >> (WEIGHT_BITS - SPARE_BITS);
      narrow[to + 2] = blue >> (WEIGHT_BITS - SPARE_BITS);
    }
  }
  return narrow;
}

/** Weights that add up to exactly 2^12 for each output pixel, so that flat colour stays flat. */
function coverOf(sourceLength: number, count: number): Cover {
  const ratio = sourceLength / count;
  const tapCount = Math.min(sourceLength, Math.ceil(ratio) + 1);
  const first = new Int32Array(count);
  const weights = new Int32Array(count * tapCount);
  for (let index = 0; index < count; index += 1) {
    const from = index * ratio;
    const start = Math.min(Math.floor(from), sourceLength - tapCount);
    first[index] = start;
    let left = WEIGHT_ONE;
    let largest = 0;
    for (let tap = 0; tap < tapCount; tap += 1) {
      const covered = Math.min(from + ratio, start + tap + 1) - Math.max(from, start + tap);
      const weight = Math.round((Math.max(0, covered) / ratio) * WEIGHT_ONE);
      weights[index * tapCount + tap] = weight;
      left -= weight;
      if (weight > (weights[index * tapCount + largest] ?? 0)) largest = tap;
    }
    weights[index * tapCount + largest] = (weights[index * tapCount + largest] ?? 0) + left;
  }
  return { first, weights, tapCount };
}
