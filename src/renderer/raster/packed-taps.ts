import type { Taps } from "./filter-taps.ts";

/** Weights of a run of columns as the row kernel reads them. */
export interface PackedTaps {
  /** First source pixel that any column weighs, and how many from there to the last. */
  readonly left: number;
  readonly span: number;
  /** Of each column: bytes from the start of a row, as the kernel pairs its pixels, to the first pair that it weighs. */
  readonly offsets: Int32Array;
  /** Of each column: `tapCount` weights, zeros around those it has. */
  readonly weights: Int16Array;
  /** Even. */
  readonly tapCount: number;
}

/** Of two pixels in 16-bit samples. */
const PAIR_BYTES = 16;

/** Packs the columns from `start` to before `end`, without the zeros that they begin and end with. */
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
  // A column may begin with the second of a pair.
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

/** Source positions that output `index` weighs, from the first to behind the last. */
function extentOf({ first, weights, tapCount }: Taps, index: number): { from: number; to: number } {
  const start = index * tapCount;
  let low = start;
  let high = start + tapCount;
  while (low < high && weights[low] === 0) low += 1;
  while (high > low && weights[high - 1] === 0) high -= 1;
  const offset = (first[index] ?? 0) - start;
  return { from: low + offset, to: high + offset };
}

/** Which source rows each row of an output needs, as they are taken one after the other. */
export interface RowPlan {
  /** First source row that is needed at all. */
  readonly top: number;
  /** Of each output row: the source row before which all must have been taken. Never falls. */
  readonly ends: Int32Array;
  /** Rows to be held at once, when they are taken by twos. Even. */
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
  // A row may begin before the one above it does: weights that round to zero come and go.
  let top = Number.POSITIVE_INFINITY;
  let held = 0;
  for (let index = count - 1; index >= 0; index -= 1) {
    top = Math.min(top, starts[index] ?? 0);
    held = Math.max(held, (ends[index] ?? 0) - top);
  }
  // By twos, one row too early and one too late may be held.
  return { top, ends, slots: (held + 3) & ~1 };
}
