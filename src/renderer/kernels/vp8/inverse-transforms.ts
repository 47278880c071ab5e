/** Inverse transforms (RFC 6386, 14.3–14.5). They set the coefficients that they read to 0. */

/**
 * The inverse Walsh-Hadamard transform of the Y2 block. Its 16 outputs are the DC coefficients of the Y blocks. Without
 * `isWhole`, only its DC coefficient is nonzero, and all outputs are equal.
 */
export function inverseWht(from: usize, to: usize, isWhole: bool): void {
  if (!isWhole) {
    const dc = (<i32>load<i16>(from) + 3) >> 3;
    store<i16>(from, 0);
    for (let block: usize = 0; block < 16; block++) store<i16>(to + (block << 5), <i16>dc);
    return;
  }
  const row0 = v128.load16x4_s(from);
  const row1 = v128.load16x4_s(from, 8);
  const row2 = v128.load16x4_s(from, 16);
  const row3 = v128.load16x4_s(from, 24);
  const outer = i32x4.add(row0, row3);
  const inner = i32x4.add(row1, row2);
  const innerDifference = i32x4.sub(row1, row2);
  const outerDifference = i32x4.sub(row0, row3);
  v128.store(from, i32x4.splat(0));
  v128.store(from, i32x4.splat(0), 16);
  inverseWhtRow(i32x4.add(outer, inner), to);
  inverseWhtRow(i32x4.add(outerDifference, innerDifference), to + 128);
  inverseWhtRow(i32x4.sub(outer, inner), to + 256);
  inverseWhtRow(i32x4.sub(outerDifference, innerDifference), to + 384);
}

function inverseWhtRow(row: v128, to: usize): void {
  const a = i32x4.extract_lane(row, 0) + 3;
  const b = i32x4.extract_lane(row, 1);
  const c = i32x4.extract_lane(row, 2);
  const d = i32x4.extract_lane(row, 3);
  store<i16>(to, <i16>((a + d + b + c) >> 3));
  store<i16>(to, <i16>((a - d + b - c) >> 3), 32);
  store<i16>(to, <i16>((a + d - b - c) >> 3), 64);
  store<i16>(to, <i16>((a - d - b + c) >> 3), 96);
}

/** Adds the inverse DCT of a block with only a DC coefficient to its prediction: 4 × 4 samples, row by row. */
export function addInverseDctDc(prediction: v128, coefficients: usize): v128 {
  const dc = i16x8.splat(<i16>((<i32>load<i16>(coefficients) + 4) >> 3));
  store<i16>(coefficients, 0);
  return i8x16.narrow_i16x8_u(
    i16x8.add(i16x8.extend_low_i8x16_u(prediction), dc),
    i16x8.add(i16x8.extend_high_i8x16_u(prediction), dc),
  );
}

/**
 * Adds the inverse DCT of a block: columns, then rows; the RFC's rounding requires this order. Bit-exact with the RFC.
 */
export function addInverseDct(prediction: v128, coefficients: usize): v128 {
  // √2 cos(π/8) − 1 = 20091 / 65536, and √2 sin(π/8) = 35468 / 65536. In a signed 16-bit lane, 35468 becomes 35468 −
  // 65536, so the factor is 1 too small and the value is added once more.
  const k1 = i32x4.splat(20091);
  const k2 = i32x4.splat(0x8a8c);

  let a = v128.load16x4_s(coefficients);
  let b = v128.load16x4_s(coefficients, 8);
  let c = v128.load16x4_s(coefficients, 16);
  let d = v128.load16x4_s(coefficients, 24);
  v128.store(coefficients, i32x4.splat(0));
  v128.store(coefficients, i32x4.splat(0), 16);

  let even = i32x4.add(a, c);
  let odd = i32x4.sub(a, c);
  // The dot product multiplies 16-bit halves; the high halves of the constants are 0.
  let low = i32x4.sub(
    i32x4.add(b, i32x4.shr_s(i32x4.dot_i16x8_s(b, k2), 16)),
    i32x4.add(d, i32x4.shr_s(i32x4.dot_i16x8_s(d, k1), 16)),
  );
  let high = i32x4.add(
    i32x4.add(b, i32x4.shr_s(i32x4.dot_i16x8_s(b, k1), 16)),
    i32x4.add(d, i32x4.shr_s(i32x4.dot_i16x8_s(d, k2), 16)),
  );
  let top = i16x8.narrow_i32x4_s(i32x4.add(even, high), i32x4.add(odd, low));
  let bottom = i16x8.narrow_i32x4_s(i32x4.sub(odd, low), i32x4.sub(even, high));

  const left = i16x8.shuffle(top, bottom, 0, 4, 8, 12, 1, 5, 9, 13);
  const right = i16x8.shuffle(top, bottom, 2, 6, 10, 14, 3, 7, 11, 15);
  a = i32x4.add(i32x4.extend_low_i16x8_s(left), i32x4.splat(4));
  b = i32x4.extend_high_i16x8_s(left);
  c = i32x4.extend_low_i16x8_s(right);
  d = i32x4.extend_high_i16x8_s(right);
  even = i32x4.add(a, c);
  odd = i32x4.sub(a, c);
  low = i32x4.sub(
    i32x4.add(b, i32x4.shr_s(i32x4.dot_i16x8_s(b, k2), 16)),
    i32x4.add(d, i32x4.shr_s(i32x4.dot_i16x8_s(d, k1), 16)),
  );
  high = i32x4.add(
    i32x4.add(b, i32x4.shr_s(i32x4.dot_i16x8_s(b, k1), 16)),
    i32x4.add(d, i32x4.shr_s(i32x4.dot_i16x8_s(d, k2), 16)),
  );
  top = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(even, high), 3), i32x4.shr_s(i32x4.add(odd, low), 3));
  bottom = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.sub(odd, low), 3), i32x4.shr_s(i32x4.sub(even, high), 3));
  return i8x16.narrow_i16x8_u(
    i16x8.add_sat_s(
      i16x8.extend_low_i8x16_u(prediction),
      i16x8.shuffle(top, bottom, 0, 4, 8, 12, 1, 5, 9, 13),
    ),
    i16x8.add_sat_s(
      i16x8.extend_high_i8x16_u(prediction),
      i16x8.shuffle(top, bottom, 2, 6, 10, 14, 3, 7, 11, 15),
    ),
  );
}
