/** The eight columns around a vertical edge, transposed to eight lines of 16 samples: the edge filter works on lines. */
export const TRANSPOSED: usize = memory.data(128, 16);
export const TRANSPOSED_STRIDE: usize = 16;

function pairOf(first: usize, second: usize): v128 {
  return i8x16.shuffle(
    v128.load64_zero(first),
    v128.load64_zero(second),
    0,
    16,
    1,
    17,
    2,
    18,
    3,
    19,
    4,
    20,
    5,
    21,
    6,
    22,
    7,
    23,
  );
}

function lowPairs(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

function highPairs(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

function lowFours(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 4, 1, 5);
}

function highFours(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 2, 6, 3, 7);
}

/** Transposes 8 columns of 8 lines at `upper` and of 8 at `lower`. */
export function transposeIn(upper: usize, lower: usize, stride: usize): void {
  const a = pairOf(upper, upper + stride);
  const b = pairOf(upper + 2 * stride, upper + 3 * stride);
  const c = pairOf(upper + 4 * stride, upper + 5 * stride);
  const d = pairOf(upper + 6 * stride, upper + 7 * stride);
  const e = pairOf(lower, lower + stride);
  const f = pairOf(lower + 2 * stride, lower + 3 * stride);
  const g = pairOf(lower + 4 * stride, lower + 5 * stride);
  const h = pairOf(lower + 6 * stride, lower + 7 * stride);
  const abLow = lowPairs(a, b);
  const cdLow = lowPairs(c, d);
  const efLow = lowPairs(e, f);
  const ghLow = lowPairs(g, h);
  storeColumns(0, lowFours(abLow, cdLow), lowFours(efLow, ghLow));
  storeColumns(2, highFours(abLow, cdLow), highFours(efLow, ghLow));
  const abHigh = highPairs(a, b);
  const cdHigh = highPairs(c, d);
  const efHigh = highPairs(e, f);
  const ghHigh = highPairs(g, h);
  storeColumns(4, lowFours(abHigh, cdHigh), lowFours(efHigh, ghHigh));
  storeColumns(6, highFours(abHigh, cdHigh), highFours(efHigh, ghHigh));
}

function storeColumns(column: usize, upper: v128, lower: v128): void {
  v128.store(TRANSPOSED + column * TRANSPOSED_STRIDE, i64x2.shuffle(upper, lower, 0, 2));
  v128.store(TRANSPOSED + (column + 1) * TRANSPOSED_STRIDE, i64x2.shuffle(upper, lower, 1, 3));
}

/** Transposes the eight lines back. */
export function transposeOut(upper: usize, lower: usize, stride: usize): void {
  transposeOutHalf(0, upper, stride);
  transposeOutHalf(8, lower, stride);
}

function columnPairs(column: usize, half: usize): v128 {
  return i8x16.shuffle(
    v128.load64_zero(TRANSPOSED + column * TRANSPOSED_STRIDE + half),
    v128.load64_zero(TRANSPOSED + (column + 1) * TRANSPOSED_STRIDE + half),
    0,
    16,
    1,
    17,
    2,
    18,
    3,
    19,
    4,
    20,
    5,
    21,
    6,
    22,
    7,
    23,
  );
}

function transposeOutHalf(half: usize, to: usize, stride: usize): void {
  const a = columnPairs(0, half);
  const b = columnPairs(2, half);
  const c = columnPairs(4, half);
  const d = columnPairs(6, half);
  const abLow = lowPairs(a, b);
  const cdLow = lowPairs(c, d);
  const abHigh = highPairs(a, b);
  const cdHigh = highPairs(c, d);
  storeLines(to, stride, lowFours(abLow, cdLow));
  storeLines(to + 2 * stride, stride, highFours(abLow, cdLow));
  storeLines(to + 4 * stride, stride, lowFours(abHigh, cdHigh));
  storeLines(to + 6 * stride, stride, highFours(abHigh, cdHigh));
}

function storeLines(to: usize, stride: usize, two: v128): void {
  v128.store64_lane(to, two, 0);
  v128.store64_lane(to + stride, two, 1);
}
