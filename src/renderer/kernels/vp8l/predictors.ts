/**
 * Inverse predictor transform (RFC 9649, 3.5.1). Rows are ARGB words, and all four channels are predicted in the same
 * way. Modes that use the left pixel carry it in a vector from pixel to pixel. Average2 rounds down, but the vector
 * instruction rounds up. On complements it rounds down: ~avgr(~a, ~b).
 */

const BLACK: i32 = <i32>0xff000000;

/** The first row: its first pixel is predicted as opaque black, every other pixel as the pixel to its left. */
export function predictFirstRow(from: usize, to: usize, width: i32): void {
  store<u32>(to, i32x4.extract_lane(i8x16.add(v128.load32_zero(from), i32x4.splat(BLACK)), 0));
  undoLeft(from, to, 4, (<usize>width) << 2);
}

/**
 * Any other row. `modes` has a byte for each block of `1 << bits` pixels. Writes this row's first pixel after the last
 * pixel of `above`: it counts as the top-right neighbour of this row's last pixel.
 */
export function predictRow(from: usize, to: usize, above: usize, width: i32, modes: usize, bits: i32): void {
  const first = i8x16.add(v128.load32_zero(from), v128.load32_zero(above));
  const end = (<usize>width) << 2;
  v128.store32_lane(to, first, 0);
  v128.store32_lane(above + end, first, 0);
  const blockBytes: usize = (<usize>4) << bits;
  let at: usize = 4;
  for (let blockEnd = blockBytes; at < end; blockEnd += blockBytes, modes++) {
    const until = min(blockEnd, end);
    predictBlock(load<u8>(modes), from, to, above, at, until);
    at = until;
  }
}

function predictBlock(mode: i32, from: usize, to: usize, above: usize, at: usize, end: usize): void {
  switch (mode) {
    case 1:
      undoLeft(from, to, at, end);
      break;
    case 2:
      undoNeighbour(from, to, above, at, end);
      break;
    case 3:
      undoNeighbour(from, to, above + 4, at, end);
      break;
    case 4:
      undoNeighbour(from, to, above - 4, at, end);
      break;
    case 5:
      undoAverage3(from, to, above, at, end);
      break;
    case 6:
      undoAverage2OfLeft(from, to, above - 4, at, end);
      break;
    case 7:
      undoAverage2OfLeft(from, to, above, at, end);
      break;
    case 8:
      undoAverage2(from, to, above - 4, above, at, end);
      break;
    case 9:
      undoAverage2(from, to, above, above + 4, at, end);
      break;
    case 10:
      undoAverage4(from, to, above, at, end);
      break;
    case 11:
      undoSelect(from, to, above, at, end);
      break;
    case 12:
      undoClampAddSubtractFull(from, to, above, at, end);
      break;
    case 13:
      undoClampAddSubtractHalf(from, to, above, at, end);
      break;
    default:
      for (; at < end; at += 16) v128.store(to + at, i8x16.add(v128.load(from + at), i32x4.splat(BLACK)));
  }
}

function undoLeft(from: usize, to: usize, at: usize, end: usize): void {
  const zero = i32x4.splat(0);
  let left = v128.load32_splat(to + at - 4);
  for (; at < end; at += 16) {
    let sum = v128.load(from + at);
    sum = i8x16.add(
      sum,
      v128.shuffle<u8>(zero, sum, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
    );
    sum = i8x16.add(sum, v128.shuffle<u8>(zero, sum, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23));
    sum = i8x16.add(sum, left);
    v128.store(to + at, sum);
    left = v128.shuffle<u8>(sum, sum, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15);
  }
}

function undoNeighbour(from: usize, to: usize, row: usize, at: usize, end: usize): void {
  for (; at < end; at += 16) v128.store(to + at, i8x16.add(v128.load(from + at), v128.load(row + at)));
}

function undoAverage2(from: usize, to: usize, one: usize, other: usize, at: usize, end: usize): void {
  for (; at < end; at += 16) {
    const mean = i8x16.avgr_u(v128.not(v128.load(one + at)), v128.not(v128.load(other + at)));
    v128.store(to + at, i8x16.add(v128.load(from + at), v128.not(mean)));
  }
}

function undoAverage2OfLeft(from: usize, to: usize, row: usize, at: usize, end: usize): void {
  let left = v128.not(v128.load32_zero(to + at - 4));
  for (; at < end; at += 4) {
    const mean = i8x16.avgr_u(left, v128.not(v128.load32_zero(row + at)));
    left = i8x16.sub(mean, v128.load32_zero(from + at));
    v128.store32_lane(to + at, v128.not(left), 0);
  }
}

function undoAverage3(from: usize, to: usize, above: usize, at: usize, end: usize): void {
  let left = v128.not(v128.load32_zero(to + at - 4));
  for (; at < end; at += 4) {
    const top = v128.not(v128.load32_zero(above + at));
    const topRight = v128.not(v128.load32_zero(above + at, 4));
    left = i8x16.sub(i8x16.avgr_u(i8x16.avgr_u(left, topRight), top), v128.load32_zero(from + at));
    v128.store32_lane(to + at, v128.not(left), 0);
  }
}

function undoAverage4(from: usize, to: usize, above: usize, at: usize, end: usize): void {
  let left = v128.not(v128.load32_zero(to + at - 4));
  let topLeft = v128.not(v128.load32_zero(above + at - 4));
  for (; at < end; at += 4) {
    const top = v128.not(v128.load32_zero(above + at));
    const topRight = v128.not(v128.load32_zero(above + at, 4));
    const mean = i8x16.avgr_u(i8x16.avgr_u(left, topLeft), i8x16.avgr_u(top, topRight));
    left = i8x16.sub(mean, v128.load32_zero(from + at));
    v128.store32_lane(to + at, v128.not(left), 0);
    topLeft = top;
  }
}

/** The sum of the absolute differences of the four channels of the first pixel, in the first lane. */
function differenceOf(one: v128, other: v128): v128 {
  const difference = v128.or(i8x16.sub_sat_u(one, other), i8x16.sub_sat_u(other, one));
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(difference));
}

/** Select(L, T, TL): the left or the top pixel, whichever is nearer to L + T - TL. */
function undoSelect(from: usize, to: usize, above: usize, at: usize, end: usize): void {
  let left = v128.load32_zero(to + at - 4);
  let topLeft = v128.load32_zero(above + at - 4);
  for (; at < end; at += 4) {
    const top = v128.load32_zero(above + at);
    const isLeft = i32x4.lt_s(differenceOf(top, topLeft), differenceOf(left, topLeft));
    left = i8x16.add(v128.bitselect(left, top, isLeft), v128.load32_zero(from + at));
    v128.store32_lane(to + at, left, 0);
    topLeft = top;
  }
}

function undoClampAddSubtractFull(from: usize, to: usize, above: usize, at: usize, end: usize): void {
  let left = i16x8.extend_low_i8x16_u(v128.load32_zero(to + at - 4));
  let topLeft = i16x8.extend_low_i8x16_u(v128.load32_zero(above + at - 4));
  for (; at < end; at += 4) {
    const top = i16x8.extend_low_i8x16_u(v128.load32_zero(above + at));
    const predicted = i16x8.add(left, i16x8.sub(top, topLeft));
    const pixel = i8x16.add(i8x16.narrow_i16x8_u(predicted, predicted), v128.load32_zero(from + at));
    v128.store32_lane(to + at, pixel, 0);
    left = i16x8.extend_low_i8x16_u(pixel);
    topLeft = top;
  }
}

function undoClampAddSubtractHalf(from: usize, to: usize, above: usize, at: usize, end: usize): void {
  let left = i16x8.extend_low_i8x16_u(v128.load32_zero(to + at - 4));
  let topLeft = i16x8.extend_low_i8x16_u(v128.load32_zero(above + at - 4));
  for (; at < end; at += 4) {
    const top = i16x8.extend_low_i8x16_u(v128.load32_zero(above + at));
    const mean = i16x8.shr_u(i16x8.add(left, top), 1);
    const rise = i16x8.sub(mean, topLeft);
    // Half, rounded towards zero.
    const half = i16x8.shr_s(i16x8.sub(rise, i16x8.shr_s(rise, 15)), 1);
    const predicted = i16x8.add(mean, half);
    const pixel = i8x16.add(i8x16.narrow_i16x8_u(predicted, predicted), v128.load32_zero(from + at));
    v128.store32_lane(to + at, pixel, 0);
    left = i16x8.extend_low_i8x16_u(pixel);
    topLeft = top;
  }
}
