/**
 * Reconstructs filtered rows (PNG specification, third edition, 9.2). Rows have room for 15 more bytes. Loops keep the
 * pixel to the left in a vector. The lanes past that pixel are garbage, which the next store overwrites.
 */

/** False for an unknown filter type. `above` is zeros for the first row of a pass. */
export function unfilter(filter: i32, from: usize, to: usize, above: usize, bytes: usize, bpp: usize): bool {
  switch (filter) {
    // None
    case 0:
      memory.copy(to, from, bytes);
      return true;
    // Sub
    case 1:
      undoSub(from, to, bytes, bpp);
      return true;
    // Up
    case 2:
      for (let at: usize = 0; at < bytes; at += 16) {
        v128.store(to + at, i8x16.add(v128.load(from + at), v128.load(above + at)));
      }
      return true;
    // Average
    case 3:
      if (bpp < 3) undoAverageNarrow(from, to, above, bytes, bpp);
      else undoAverage(from, to, above, bytes, bpp);
      return true;
    // Paeth
    case 4:
      if (bpp < 3) undoPaethNarrow(from, to, above, bytes, bpp);
      else undoPaeth(from, to, above, bytes, bpp);
      return true;
    default:
      return false;
  }
}

function undoSub(from: usize, to: usize, bytes: usize, bpp: usize): void {
  let left = i32x4.splat(0);
  switch (<i32>bpp) {
    case 1:
      undoSubBytes(from, to, bytes);
      break;
    case 2:
    case 4:
      undoSubVectors(from, to, bytes, bpp);
      break;
    case 3:
      for (let at: usize = 0; at < bytes; at += 3) {
        left = i8x16.add(left, v128.load32_zero(from + at));
        v128.store32_lane(to + at, left, 0);
      }
      break;
    default:
      for (let at: usize = 0; at < bytes; at += bpp) {
        left = i8x16.add(left, v128.load64_zero(from + at));
        v128.store64_lane(to + at, left, 0);
      }
  }
}

/** A prefix sum within the vector: adds it to itself shifted by 1, 2, 4 and 8 bytes. */
function undoSubBytes(from: usize, to: usize, bytes: usize): void {
  const zero = i32x4.splat(0);
  let left = zero;
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = v128.load(from + at);
    sum = i8x16.add(
      sum,
      v128.shuffle<u8>(zero, sum, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30),
    );
    sum = addShifted2(sum);
    sum = i8x16.add(addShifted8(addShifted4(sum)), left);
    v128.store(to + at, sum);
    left = i8x16.splat(i8x16.extract_lane_u(sum, 15));
  }
}

function undoSubVectors(from: usize, to: usize, bytes: usize, bpp: usize): void {
  let left = i32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = v128.load(from + at);
    if (bpp === 2) sum = addShifted2(sum);
    sum = i8x16.add(addShifted8(addShifted4(sum)), left);
    v128.store(to + at, sum);
    left =
      bpp === 2
        ? v128.shuffle<u8>(sum, sum, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15)
        : v128.shuffle<u8>(sum, sum, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15);
  }
}

function addShifted2(sum: v128): v128 {
  const zero = i32x4.splat(0);
  return i8x16.add(
    sum,
    v128.shuffle<u8>(zero, sum, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29),
  );
}

function addShifted4(sum: v128): v128 {
  const zero = i32x4.splat(0);
  return i8x16.add(
    sum,
    v128.shuffle<u8>(zero, sum, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
  );
}

function addShifted8(sum: v128): v128 {
  const zero = i32x4.splat(0);
  return i8x16.add(sum, v128.shuffle<u8>(zero, sum, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23));
}

/** The mean rounds down, but `avgr` rounds up. On complements it rounds down: ~avgr(~a, ~b). */
function undoAverage(from: usize, to: usize, above: usize, bytes: usize, bpp: usize): void {
  let left = i32x4.splat(-1);
  if (bpp <= 4) {
    for (let at: usize = 0; at < bytes; at += bpp) {
      const mean = i8x16.avgr_u(left, v128.not(v128.load32_zero(above + at)));
      left = i8x16.sub(mean, v128.load32_zero(from + at));
      v128.store32_lane(to + at, v128.not(left), 0);
    }
    return;
  }
  for (let at: usize = 0; at < bytes; at += bpp) {
    const mean = i8x16.avgr_u(left, v128.not(v128.load64_zero(above + at)));
    left = i8x16.sub(mean, v128.load64_zero(from + at));
    v128.store64_lane(to + at, v128.not(left), 0);
  }
}

function undoAverageNarrow(from: usize, to: usize, above: usize, bytes: usize, bpp: usize): void {
  for (let at: usize = 0; at < bytes; at++) {
    const left: u32 = at < bpp ? 0 : load<u8>(to + at - bpp);
    store<u8>(to + at, <u8>(load<u8>(from + at) + ((left + load<u8>(above + at)) >> 1)));
  }
}

/** PaethPredictor(a, b, c) in 16-bit lanes: the nearest of left, above and upper left to a + b - c. */
function paeth(left: v128, top: v128, upperLeft: v128): v128 {
  const toLeft = i16x8.sub(top, upperLeft);
  const toTop = i16x8.sub(left, upperLeft);
  const distanceLeft = i16x8.abs(toLeft);
  const distanceTop = i16x8.abs(toTop);
  const distanceUpperLeft = i16x8.abs(i16x8.add(toLeft, toTop));
  const nearest = i16x8.min_s(distanceUpperLeft, i16x8.min_s(distanceLeft, distanceTop));
  const topOrCorner = v128.bitselect(top, upperLeft, i16x8.eq(nearest, distanceTop));
  return v128.bitselect(left, topOrCorner, i16x8.eq(nearest, distanceLeft));
}

function undoPaeth(from: usize, to: usize, above: usize, bytes: usize, bpp: usize): void {
  let left = i32x4.splat(0);
  let upperLeft = left;
  if (bpp <= 4) {
    for (let at: usize = 0; at < bytes; at += bpp) {
      const top = i16x8.extend_low_i8x16_u(v128.load32_zero(above + at));
      const predicted = paeth(left, top, upperLeft);
      const pixel = i8x16.add(i8x16.narrow_i16x8_u(predicted, predicted), v128.load32_zero(from + at));
      v128.store32_lane(to + at, pixel, 0);
      left = i16x8.extend_low_i8x16_u(pixel);
      upperLeft = top;
    }
    return;
  }
  for (let at: usize = 0; at < bytes; at += bpp) {
    const top = i16x8.extend_low_i8x16_u(v128.load64_zero(above + at));
    const predicted = paeth(left, top, upperLeft);
    const pixel = i8x16.add(i8x16.narrow_i16x8_u(predicted, predicted), v128.load64_zero(from + at));
    v128.store64_lane(to + at, pixel, 0);
    left = i16x8.extend_low_i8x16_u(pixel);
    upperLeft = top;
  }
}

function undoPaethNarrow(from: usize, to: usize, above: usize, bytes: usize, bpp: usize): void {
  for (let at: usize = 0; at < bytes; at++) {
    const isFirst = at < bpp;
    const left: i32 = isFirst ? 0 : load<u8>(to + at - bpp);
    const upperLeft: i32 = isFirst ? 0 : load<u8>(above + at - bpp);
    const top: i32 = load<u8>(above + at);
    const distanceLeft = abs(top - upperLeft);
    const distanceTop = abs(left - upperLeft);
    const distanceUpperLeft = abs(left + top - upperLeft - upperLeft);
    const predicted =
      distanceLeft <= distanceTop && distanceLeft <= distanceUpperLeft
        ? left
        : distanceTop <= distanceUpperLeft
          ? top
          : upperLeft;
    store<u8>(to + at, <u8>(load<u8>(from + at) + predicted));
  }
}
