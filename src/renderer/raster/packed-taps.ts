import type { Taps } from "./filter-taps.ts";

/** Weights of a run of columns, in the memory layout of the resample kernel. */
export interface PackedTaps {
  /** The first source pixel that has a weight in any column, and the number of pixels from there to the last. */
  readonly left: number;
  readonly span: number;
  /** For each column: the byte offset, in a row of pixel pairs, of the first pair that has a weight. */
  readonly offsets: Int32Array;
  /** For each column: `tapCount` weights, padded with zeros on both sides. */
  readonly weights: Int16Array;
  /** Even. */
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
  // A column may begin with the second pixel of a pair: that takes one tap more.
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

/** The source positions that have a weight in output `index`; `to` is not included. */
function extentOf({ first, weights, tapCount }: Taps, index: number): { from: number; to: number } {
  const start = index * tapCount;
  let low = start;
  let high = start + tapCount;
  while (low < high && weights[low] === 0) low += 1;
  while (high > low && weights[high - 1] === 0) high -= 1;
  const offset = (first[index] ?? 0) - start;
  return { from: low + offset, to: high + offset };
}

/** Which source rows each output row needs, when source rows are read once, in order. */
export interface RowPlan {
  /** First source row that is needed at all. */
  readonly top: number;
  /** For each output row: the number of source rows that must have been read, from row 0. Never decreases. */
  readonly ends: Int32Array;
  /** Source rows that must be held at once, when they are read two at a time. Even. */
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
  // Weights that round to zero are left out, so a row may begin before the row above it does.
  let top = Number.POSITIVE_INFINITY;
  let held = 0;
  for (let index = count - 1; index >= 0; index -= 1) {
    top = Math.min(top, starts[index] ?? 0);
    held = Math.max(held, (ends[index] ?? 0) - top);
  }
  // Reading two at a time may hold one row too early and one too late.
  return { top, ends, slots: (held + 3) & ~1 };
}
