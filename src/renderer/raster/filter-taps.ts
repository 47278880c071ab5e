/** Fixed-point filter weights: resampling in integers, so every engine yields the same bytes. */

export const WEIGHT_BITS = 14;
const WEIGHT_ONE = 1 << WEIGHT_BITS;
const LOBES = 3;

/** For each output position: first source index, and `tapCount` weights that sum to exactly 2^14. */
export interface Taps {
  readonly first: Int32Array;
  readonly weights: Int16Array;
  readonly tapCount: number;
}

/**
 * Lanczos-3 weights that map the source span `[from, from + span)` on to `count` outputs. Downscaling widens the kernel
 * by the ratio, which also removes detail too fine for the output (antialiasing). Taps past the source's edge repeat
 * its last pixel.
 */
export function lanczosTaps(sourceLength: number, from: number, span: number, count: number): Taps {
  const ratio = span / count;
  const stretch = Math.max(1, ratio);
  const support = LOBES * stretch;
  const tapCount = Math.min(sourceLength, Math.ceil(support) * 2 + 1);
  const first = new Int32Array(count);
  const weights = new Int16Array(count * tapCount);
  const exact = new Float64Array(tapCount);
  for (let i = 0; i < count; i += 1) {
    const centre = from + (i + 0.5) * ratio - 0.5;
    const low = Math.ceil(centre - support);
    const high = Math.floor(centre + support);
    const start = Math.max(0, Math.min(low, sourceLength - tapCount));
    first[i] = start;
    exact.fill(0);
    let sum = 0;
    for (let at = low; at <= high; at += 1) {
      const weight = lanczos((at - centre) / stretch);
      const slot = Math.max(0, Math.min(sourceLength - 1, at)) - start;
      if (slot < 0 || slot >= tapCount) continue;
      exact[slot] = (exact[slot] ?? 0) + weight;
      sum += weight;
    }
    quantise(exact, sum, weights.subarray(i * tapCount, (i + 1) * tapCount));
  }
  return { first, weights, tapCount };
}

/**
 * Weights of a box filter: each of `count` outputs is the mean of the source span that it covers. `count` is at most
 * the source's length.
 */
export function areaTaps(sourceLength: number, count: number): Taps {
  const ratio = sourceLength / count;
  const tapCount = Math.min(sourceLength, Math.ceil(ratio) + 1);
  const first = new Int32Array(count);
  const weights = new Int16Array(count * tapCount);
  const exact = new Float64Array(tapCount);
  for (let i = 0; i < count; i += 1) {
    const from = i * ratio;
    const start = Math.min(Math.floor(from), sourceLength - tapCount);
    first[i] = start;
    for (let tap = 0; tap < tapCount; tap += 1) {
      const covered = Math.min(from + ratio, start + tap + 1) - Math.max(from, start + tap);
      exact[tap] = Math.max(0, covered);
    }
    quantise(exact, ratio, weights.subarray(i * tapCount, (i + 1) * tapCount));
  }
  return { first, weights, tapCount };
}

/** Rounds to 14 bits and adds the rounding error to the largest tap, so that flat colour stays flat. */
function quantise(exact: Float64Array, sum: number, weights: Int16Array): void {
  let total = 0;
  let largest = 0;
  for (let k = 0; k < weights.length; k += 1) {
    const weight = Math.round(((exact[k] ?? 0) / sum) * WEIGHT_ONE);
    weights[k] = weight;
    total += weight;
    if (weight > (weights[largest] ?? 0)) largest = k;
  }
  weights[largest] = (weights[largest] ?? 0) + WEIGHT_ONE - total;
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (x <= -LOBES || x >= LOBES) return 0;
  const angle = Math.PI * x;
  // sin(3a) = 3 sin(a) − 4 sin³(a)
  const third = sineOfPi(x / LOBES);
  return (LOBES * third * third * (3 - 4 * third * third)) / (angle * angle);
}

/**
 * sin(πx) by its Taylor series on a quarter turn: only additions and products, so the result is the same in every
 * engine.
 */
function sineOfPi(x: number): number {
  let turn = x - 2 * Math.round(x / 2);
  if (turn > 0.5) turn = 1 - turn;
  if (turn < -0.5) turn = -1 - turn;
  const angle = turn * Math.PI;
  const square = angle * angle;
  let term = angle;
  let sum = angle;
  for (let k = 1; k < 12; k += 1) {
    term *= -square / (2 * k * (2 * k + 1));
    sum += term;
  }
  return sum;
}

/** Weights of a run of columns, in the memory layout of the resample kernel. */
interface PackedTaps {
  /** The first source pixel with a weight in any column, and the number of pixels from there to the last. */
  readonly left: number;
  readonly span: number;
  /** For each column: the byte offset, in a row of pixel pairs, of the first pair with a weight. */
  readonly offsets: Int32Array;
  /** For each column: `tapCount` weights, padded with zeros on both sides. */
  readonly weights: Int16Array;
  /** Number of weights per column; always even. */
  readonly tapCount: number;
}

/** Bytes of two RGBA pixels in 16-bit samples. */
const PAIR_BYTES = 16;

/** Packs the columns from `start` up to, not including, `end`; leading and trailing zeros are removed. */
export function packTaps(taps: Taps, start: number, end: number): PackedTaps {
  const count = end - start;
  const extents = Array.from({ length: count }, (_, column) => extentOf(taps, start + column));
  let left = Number.POSITIVE_INFINITY;
  let right = 0;
  let longest = 0;
  for (const { from, to } of extents) {
    left = Math.min(left, from);
    right = Math.max(right, to);
    longest = Math.max(longest, to - from);
  }
  // A column may start with the second pixel of a pair, which takes one more tap.
  const tapCount = (longest + 2) & ~1;
  const offsets = new Int32Array(count);
  const weights = new Int16Array(count * tapCount);
  for (const [column, { from, to }] of extents.entries()) {
    const begin = (from - left) & 1;
    offsets[column] = ((from - left) >> 1) * PAIR_BYTES;
    const own = (start + column) * taps.tapCount - (taps.first[start + column] ?? 0);
    weights.set(taps.weights.subarray(own + from, own + to), column * tapCount + begin);
  }
  return { left, span: right - left, offsets, weights, tapCount };
}

/** The source positions with a weight in output index `index`; `to` is exclusive. */
function extentOf({ first, weights, tapCount }: Taps, index: number): { from: number; to: number } {
  const start = index * tapCount;
  let low = start;
  let high = start + tapCount;
  while (low < high && weights[low] === 0) low += 1;
  while (high > low && weights[high - 1] === 0) high -= 1;
  const offset = (first[index] ?? 0) - start;
  return { from: low + offset, to: high + offset };
}

/** The source rows that each output row needs, if source rows are read once, in order. */
interface RowPlan {
  /** First source row with a weight. */
  readonly top: number;
  /** For each output row: the number of source rows that must have been read, from row 0. Never decreases. */
  readonly ends: Int32Array;
  /** Source rows in memory at once, when they are read two at a time. Even. */
  readonly slots: number;
}

export function planRows(taps: Taps): RowPlan {
  const count = taps.first.length;
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  let furthest = 0;
  for (let index = 0; index < count; index += 1) {
    const { from, to } = extentOf(taps, index);
    furthest = Math.max(furthest, to);
    starts[index] = from;
    ends[index] = furthest;
  }
  // Weights that round to zero are dropped, so a row may start before the row above it does.
  let top = Number.POSITIVE_INFINITY;
  let held = 0;
  for (let index = count - 1; index >= 0; index -= 1) {
    top = Math.min(top, starts[index] ?? 0);
    held = Math.max(held, (ends[index] ?? 0) - top);
  }
  // Rows are read in pairs, so one more row at either end may be in memory.
  return { top, ends, slots: (held + 3) & ~1 };
}
