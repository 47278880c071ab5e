/**
 * Undoes a row's filter (PNG specification, third edition, 9). Rows have room for 15 bytes more. Loops carry the pixel to
 * the left in a vector; its lanes past the pixel hold nothing of meaning, and what they write the next pixel overwrites.
 */

/** False for an unknown filter. `above` is zeros for the first row of a pass. */
export function unfilter(
  filter: i32,
  from: usize,
  to: usize,
  above: usize,
  bytes: usize,
  pixelBytes: usize,
): bool {
  switch (filter) {
    case 0:
      memory.copy(to, from, bytes);
      return true;
    case 1:
      addLeft(from, to, bytes, pixelBytes);
      return true;
    case 2:
      for (let at: usize = 0; at < bytes; at += 16) {
        v128.store(to + at, i8x16.add(v128.load(from + at), v128.load(above + at)));
      }
      return true;
    case 3:
      if (pixelBytes < 3) addNarrowMean(from, to, above, bytes, pixelBytes);
      else addMean(from, to, above, bytes, pixelBytes);
      return true;
    case 4:
      if (pixelBytes < 3) addNarrowPaeth(from, to, above, bytes, pixelBytes);
      else addPaeth(from, to, above, bytes, pixelBytes);
      return true;
    default:
      return false;
  }
}

function addLeft(from: usize, to: usize, bytes: usize, pixelBytes: usize): void {
  let left = i32x4.splat(0);
  switch (<i32>pixelBytes) {
    case 1:
      addLeftBytes(from, to, bytes);
      break;
    case 2:
    case 4:
      addLeftPowers(from, to, bytes, pixelBytes);
      break;
    case 3:
      for (let at: usize = 0; at < bytes; at += 3) {
        left = i8x16.add(left, v128.load32_zero(from + at));
        v128.store32_lane(to + at, left, 0);
      }
      break;
    default:
      for (let at: usize = 0; at < bytes; at += pixelBytes) {
        left = i8x16.add(left, v128.load64_zero(from + at));
        v128.store64_lane(to + at, left, 0);
      }
  }
}

/** Sums within a vector in steps of 1, 2, 4 and 8 bytes. */
function addLeftBytes(from: usize, to: usize, bytes: usize): void {
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

function addLeftPowers(from: usize, to: usize, bytes: usize, pixelBytes: usize): void {
  let left = i32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = v128.load(from + at);
    if (pixelBytes === 2) sum = addShifted2(sum);
    sum = i8x16.add(addShifted8(addShifted4(sum)), left);
    v128.store(to + at, sum);
    left =
      pixelBytes === 2
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

/** Means round down, which the vector instruction does of complements: ~avgr(~a, ~b). */
function addMean(from: usize, to: usize, above: usize, bytes: usize, pixelBytes: usize): void {
  let left = i32x4.splat(-1);
  if (pixelBytes <= 4) {
    for (let at: usize = 0; at < bytes; at += pixelBytes) {
      const mean = i8x16.avgr_u(left, v128.not(v128.load32_zero(above + at)));
      left = i8x16.sub(mean, v128.load32_zero(from + at));
      v128.store32_lane(to + at, v128.not(left), 0);
    }
    return;
  }
  for (let at: usize = 0; at < bytes; at += pixelBytes) {
    const mean = i8x16.avgr_u(left, v128.not(v128.load64_zero(above + at)));
    left = i8x16.sub(mean, v128.load64_zero(from + at));
    v128.store64_lane(to + at, v128.not(left), 0);
  }
}

function addNarrowMean(from: usize, to: usize, above: usize, bytes: usize, pixelBytes: usize): void {
  for (let at: usize = 0; at < bytes; at++) {
    const left: u32 = at < pixelBytes ? 0 : load<u8>(to + at - pixelBytes);
    store<u8>(to + at, <u8>(load<u8>(from + at) + ((left + load<u8>(above + at)) >> 1)));
  }
}

/** The nearest of left, above and above left to left + above - above left, as 16-bit lanes. */
function paeth(left: v128, top: v128, corner: v128): v128 {
  const toLeft = i16x8.sub(top, corner);
  const toTop = i16x8.sub(left, corner);
  const farLeft = i16x8.abs(toLeft);
  const farTop = i16x8.abs(toTop);
  const farCorner = i16x8.abs(i16x8.add(toLeft, toTop));
  const nearest = i16x8.min_s(farCorner, i16x8.min_s(farLeft, farTop));
  const topOrCorner = v128.bitselect(top, corner, i16x8.eq(nearest, farTop));
  return v128.bitselect(left, topOrCorner, i16x8.eq(nearest, farLeft));
}

function addPaeth(from: usize, to: usize, above: usize, bytes: usize, pixelBytes: usize): void {
  let left = i32x4.splat(0);
  let corner = left;
  if (pixelBytes <= 4) {
    for (let at: usize = 0; at < bytes; at += pixelBytes) {
      const top = i16x8.extend_low_i8x16_u(v128.load32_zero(above + at));
      const predicted = paeth(left, top, corner);
      const pixel = i8x16.add(i8x16.narrow_i16x8_u(predicted, predicted), v128.load32_zero(from + at));
      v128.store32_lane(to + at, pixel, 0);
      left = i16x8.extend_low_i8x16_u(pixel);
      corner = top;
    }
    return;
  }
  for (let at: usize = 0; at < bytes; at += pixelBytes) {
    const top = i16x8.extend_low_i8x16_u(v128.load64_zero(above + at));
    const predicted = paeth(left, top, corner);
    const pixel = i8x16.add(i8x16.narrow_i16x8_u(predicted, predicted), v128.load64_zero(from + at));
    v128.store64_lane(to + at, pixel, 0);
    left = i16x8.extend_low_i8x16_u(pixel);
    corner = top;
  }
}

function addNarrowPaeth(from: usize, to: usize, above: usize, bytes: usize, pixelBytes: usize): void {
  for (let at: usize = 0; at < bytes; at++) {
    const isFirst = at < pixelBytes;
    const left: i32 = isFirst ? 0 : load<u8>(to + at - pixelBytes);
    const corner: i32 = isFirst ? 0 : load<u8>(above + at - pixelBytes);
    const top: i32 = load<u8>(above + at);
    const farLeft = abs(top - corner);
    const farTop = abs(left - corner);
    const farCorner = abs(left + top - corner - corner);
    const predicted = farLeft <= farTop && farLeft <= farCorner ? left : farTop <= farCorner ? top : corner;
    store<u8>(to + at, <u8>(load<u8>(from + at) + predicted));
  }
}
