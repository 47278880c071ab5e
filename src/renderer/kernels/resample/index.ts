/**
 * Separable resampling of RGBA pixels in integers, and means of 2 × 2 pixels. Rows are added in pairs and are filtered
 * horizontally into a ring of rows; an output row is filtered vertically from the ring.
 *
 * Fixed point: weights have 14 fraction bits (their sum is 2^14), samples in the ring 6. After the horizontal filter
 * the sum is shifted down by 8, after the vertical one by 20, each with rounding. `i32x4.dot_i16x8_s` multiplies two
 * samples by two weights and adds them, so the ring interleaves the samples of two rows. Error against the same weights
 * in real numbers: at most half a level, plus 1/128 for each unit in the sum of the vertical weights' absolute values.
 */

import { allocate, resetAllocator } from "../allocator";
import { highBytes, lowBytes } from "../interleave";

/**
 * Upper bound of the kernel's memory: a ring of 256 KB, two rows of 8192 pixels, their pairs, and the weights of a
 * strip of columns.
 */
const MEMORY_BYTES_MAX: usize = 1 << 20;
/** Bytes that vector loads may touch past the end of a row. */
const SLACK_BYTES: usize = 64;

const HORIZONTAL_SHIFT: i32 = 8;
const HORIZONTAL_HALF: i32 = 1 << 7;
const VERTICAL_SHIFT: i32 = 20;
const VERTICAL_HALF: i32 = 1 << 19;

let span: i32 = 0;
let columns: i32 = 0;
let taps: i32 = 0;
let pairs: i32 = 0;

let upper: usize = 0;
let lower: usize = 0;
let upperPairs: usize = 0;
let lowerPairs: usize = 0;
let offsets: usize = 0;
let weights: usize = 0;
let slotWeights: usize = 0;
let ring: usize = 0;
let pairBytes: usize = 0;
let used: usize = 0;
let out: usize = 0;

/**
 * Allocates memory to resample rows of `span` pixels to `columns` pixels with `horizontalTaps` weights each (even), and
 * a ring of `slots` rows (even). Returns 1 when out of memory, else 0.
 */
export function layOut(sourceSpan: i32, outColumns: i32, horizontalTaps: i32, slots: i32): i32 {
  resetAllocator(MEMORY_BYTES_MAX);
  span = sourceSpan;
  columns = outColumns;
  taps = horizontalTaps;
  pairs = slots >> 1;
  pairBytes = (<usize>((columns + 3) & ~3)) << 4;
  const rowBytes = ((<usize>span) << 2) + SLACK_BYTES;
  upper = allocate(rowBytes);
  lower = allocate(rowBytes);
  const pairedBytes = ((<usize>(span + taps)) << 3) + SLACK_BYTES;
  upperPairs = allocate(pairedBytes);
  lowerPairs = allocate(pairedBytes);
  offsets = allocate((<usize>columns) << 2);
  weights = allocate((<usize>(columns * taps)) << 1);
  slotWeights = allocate((<usize>pairs) << 2);
  used = allocate((<usize>pairs) << 3);
  out = allocate(((<usize>columns) << 2) + SLACK_BYTES);
  ring = allocate(<usize>pairs * pairBytes);
  const isWhole =
    upper !== 0 &&
    lower !== 0 &&
    upperPairs !== 0 &&
    lowerPairs !== 0 &&
    offsets !== 0 &&
    weights !== 0 &&
    slotWeights !== 0 &&
    used !== 0 &&
    out !== 0 &&
    ring !== 0;
  return isWhole ? 0 : 1;
}

/** Address of two rows of pixels for `addRows` or `halveRows`. */
export function upperAt(): usize {
  return upper;
}

export function lowerAt(): usize {
  return lower;
}

/** For each column, 32 bits: the byte offset of its first pair of pixels in the row. */
export function offsetsAt(): usize {
  return offsets;
}

/** For each column: its weights from that pair on, 16 bits each. */
export function weightsAt(): usize {
  return weights;
}

/** For each row of the ring, 16 bits: its weight in the next `makeRow`. */
export function slotWeightsAt(): usize {
  return slotWeights;
}

/** Address of the output row of `makeRow` and `halveRows`. */
export function outAt(): usize {
  return out;
}

/**
 * Expands RGB to opaque RGBA in place: the row's `pixels * 4` bytes start at `row`, and the RGB pixels are at their
 * end.
 */
export function expandRow(row: usize, pixels: i32): void {
  const spread = i8x16(0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16);
  const opaque = i32x4.splat(<i32>0xff000000);
  const end = row + ((<usize>pixels) << 2);
  let from = row + <usize>pixels;
  for (let to = row; to < end; to += 16, from += 12) {
    v128.store(to, v128.or(i8x16.swizzle(v128.load(from), spread), opaque));
  }
}

/** Filters the two rows horizontally into rows `pair * 2` and `pair * 2 + 1` of the ring. */
export function addRows(pair: i32): void {
  pairPixels(upper, upperPairs);
  pairPixels(lower, lowerPairs);
  const half = i32x4.splat(HORIZONTAL_HALF);
  const weightBytes = (<usize>taps) << 1;
  let weight = weights;
  let to = ring + <usize>pair * pairBytes;
  for (let column: i32 = 0; column < columns; column++, to += 16) {
    const offset = <usize>load<i32>(offsets + ((<usize>column) << 2));
    let above = upperPairs + offset;
    let below = lowerPairs + offset;
    let one = half;
    let other = half;
    for (const end = weight + weightBytes; weight < end; weight += 4, above += 16, below += 16) {
      const both = v128.load32_splat(weight);
      one = i32x4.add(one, i32x4.dot_i16x8_s(v128.load(above), both));
      other = i32x4.add(other, i32x4.dot_i16x8_s(v128.load(below), both));
    }
    const both = i16x8.narrow_i32x4_s(
      i32x4.shr_s(one, HORIZONTAL_SHIFT),
      i32x4.shr_s(other, HORIZONTAL_SHIFT),
    );
    v128.store(to, v128.shuffle<i16>(both, both, 0, 4, 1, 5, 2, 6, 3, 7));
  }
}

/** Writes a row as 16-bit samples that interleave two neighbouring pixels: red, red, green, green and so on. */
function pairPixels(row: usize, to: usize): void {
  const end = row + ((<usize>span) << 2);
  for (let from = row; from < end; from += 16, to += 32) {
    const four = v128.load(from);
    const right = i64x2.shr_u(four, 32);
    const firstTwo = lowBytes(four, right);
    const lastTwo = highBytes(four, right);
    v128.store(to, i16x8.extend_low_i8x16_u(firstTwo));
    v128.store(to, i16x8.extend_low_i8x16_u(lastTwo), 16);
  }
}

/**
 * Filters an output row vertically from the ring. `isClamped`: clamps premultiplied colours to alpha, because the
 * filter may overshoot it.
 */
export function makeRow(isClamped: i32): void {
  const count = listUsedPairs();
  const end = used + ((<usize>count) << 3);
  const alphas = i8x16(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  const half = i32x4.splat(VERTICAL_HALF);
  const rowEnd = out + ((<usize>columns) << 2);
  let column: usize = 0;
  for (let to = out; to < rowEnd; to += 16, column += 64) {
    let a = half;
    let b = half;
    let c = half;
    let d = half;
    for (let at = used; at < end; at += 8) {
      const from = <usize>load<u32>(at) + column;
      const weight = v128.load32_splat(at, 4);
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(from), weight));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(from, 16), weight));
      c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load(from, 32), weight));
      d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load(from, 48), weight));
    }
    const pixels = i8x16.narrow_i16x8_u(
      i16x8.narrow_i32x4_s(i32x4.shr_s(a, VERTICAL_SHIFT), i32x4.shr_s(b, VERTICAL_SHIFT)),
      i16x8.narrow_i32x4_s(i32x4.shr_s(c, VERTICAL_SHIFT), i32x4.shr_s(d, VERTICAL_SHIFT)),
    );
    v128.store(to, isClamped !== 0 ? i8x16.min_u(pixels, i8x16.swizzle(pixels, alphas)) : pixels);
  }
}

/** Lists the address and weights of the pairs of rows with nonzero weights. Returns their number. */
function listUsedPairs(): i32 {
  let count: i32 = 0;
  for (let pair: i32 = 0; pair < pairs; pair++) {
    const weight = load<u32>(slotWeights + ((<usize>pair) << 2));
    if (weight === 0) continue;
    const at = used + ((<usize>count) << 3);
    store<u32>(at, <u32>(ring + <usize>pair * pairBytes));
    store<u32>(at, weight, 4);
    count++;
  }
  return count;
}

/** Averages 2 × 2 pixels of the two rows. The caller repeats the last pixel of an odd row. */
export function halveRows(): void {
  const end = out + ((<usize>columns) << 2);
  let above = upper;
  let below = lower;
  for (let to = out; to < end; to += 8, above += 16, below += 16) {
    const one = v128.load(above);
    const other = v128.load(below);
    const firstTwo = i16x8.add(i16x8.extend_low_i8x16_u(one), i16x8.extend_low_i8x16_u(other));
    const lastTwo = i16x8.add(i16x8.extend_high_i8x16_u(one), i16x8.extend_high_i8x16_u(other));
    const left = v128.shuffle<i64>(firstTwo, lastTwo, 0, 2);
    const right = v128.shuffle<i64>(firstTwo, lastTwo, 1, 3);
    const mean = i16x8.shr_u(i16x8.add(i16x8.add(left, right), i16x8.splat(2)), 2);
    store<u64>(to, i64x2.extract_lane(i8x16.narrow_i16x8_u(mean, mean), 0));
  }
}
