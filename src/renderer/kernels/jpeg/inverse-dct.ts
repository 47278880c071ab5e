/*
 * Inverse DCTs of size 8, 4, 2 and 1 from the lowest coefficients of a block (C. Loeffler, A. Ligtenberg and G.
 * Moschytz, "Practical fast 1-D DCT algorithms with 11 multiplications", ICASSP 1989): columns, then rows. The 8 × 8
 * one computes the same samples as the accurate integer transform of the JPEG Group's library (jidctint.c).
 *
 * Fixed point: constants have 13 fraction bits (CONST_BITS), values between the passes 2 (PASS1_BITS). The first pass
 * shifts down by 13 - 2 = 11, the second by 13 + 2 + 3 = 18, where 3 divides by 8 (T.81, A.3.3). In 8-bit pictures, a
 * sample is at most one level from the rounded real-valued transform: rounding between the passes moves it by less than
 * 1/8 × (1 + 7√2) / 8 = 0.17 levels, the constants by less than 0.2, and the last rounding by at most 0.5.
 *
 * Constants, in 8192ths: 4433 = √2 c6, 6270 = √2 (c2 - c6), 15137 = √2 (c2 + c6), 10703 = √2 c2, 9633 = √2 c3; the odd
 * part of 8 × 8 has sums of the others multiplied out, so that each row is one dot product. ck = cos(kπ / 16).
 */
import { highWords, lowWords } from "../interleave.ts";

const WORKSPACE: usize = memory.data(128, 16);

/** Writes the samples of a block of `dctSize` × `dctSize` coefficients, which it dequantises first. */
export function inverseDct(dctSize: i32, block: usize, quantisers: usize, to: usize, lineBytes: usize): void {
  if (dctSize === 8) idct8x8(block, quantisers, to, lineBytes);
  else if (dctSize === 4) idct4x4(block, quantisers, to, lineBytes);
  else if (dctSize === 2) idct2x2(block, quantisers, to, lineBytes);
  else store<u8>(to, dcSample(block, quantisers));
}

/** Writes the samples of a block in which at most the DC coefficient is nonzero. */
export function inverseDctDcOnly(
  dctSize: i32,
  block: usize,
  quantisers: usize,
  to: usize,
  lineBytes: usize,
): void {
  const sample = dcSample(block, quantisers);
  const four = u64(sample) * 0x01010101;
  const samples = (four << 32) | four;
  for (let line: i32 = 0; line < dctSize; line++) {
    if (dctSize === 8) store<u64>(to, samples);
    else if (dctSize === 4) store<u32>(to, u32(samples));
    else if (dctSize === 2) store<u16>(to, u16(samples));
    else store<u8>(to, sample);
    to += lineBytes;
  }
}

function dcSample(block: usize, quantisers: usize): u8 {
  return clamped(((i32(load<i16>(block)) * i32(load<u16>(quantisers)) + 4) >> 3) + 128);
}

function clamped(value: i32): u8 {
  return u8(min(255, max(0, value)));
}

function idct2x2(block: usize, quantisers: usize, to: usize, lineBytes: usize): void {
  const a = i32(load<i16>(block)) * i32(load<u16>(quantisers));
  const b = i32(load<i16>(block, 2)) * i32(load<u16>(quantisers, 2));
  const c = i32(load<i16>(block, 4)) * i32(load<u16>(quantisers, 4));
  const d = i32(load<i16>(block, 6)) * i32(load<u16>(quantisers, 6));
  store<u8>(to, clamped(((a + b + c + d + 4) >> 3) + 128));
  store<u8>(to, clamped(((a - b + c - d + 4) >> 3) + 128), 1);
  store<u8>(to + lineBytes, clamped(((a + b - c - d + 4) >> 3) + 128));
  store<u8>(to + lineBytes, clamped(((a - b - c + d + 4) >> 3) + 128), 1);
}

function dequantiseFour(block: usize, quantisers: usize): v128 {
  return i32x4.mul(v128.load_ext<i16>(block), v128.load_ext<u16>(quantisers));
}

function idct4x4(block: usize, quantisers: usize, to: usize, lineBytes: usize): void {
  let r0 = dequantiseFour(block, quantisers);
  let r1 = dequantiseFour(block + 8, quantisers + 8);
  let r2 = dequantiseFour(block + 16, quantisers + 16);
  let r3 = dequantiseFour(block + 24, quantisers + 24);

  let even = i32x4.shl(i32x4.add(r0, r2), 2);
  let odd = i32x4.shl(i32x4.sub(r0, r2), 2);
  let both = i32x4.add(i32x4.mul(i32x4.add(r1, r3), i32x4.splat(4433)), i32x4.splat(1 << 10));
  let near = i32x4.shr_s(i32x4.add(both, i32x4.mul(r1, i32x4.splat(6270))), 11);
  let far = i32x4.shr_s(i32x4.sub(both, i32x4.mul(r3, i32x4.splat(15137))), 11);
  const c0 = i32x4.add(even, near);
  const c3 = i32x4.sub(even, near);
  const c1 = i32x4.add(odd, far);
  const c2 = i32x4.sub(odd, far);

  const low01 = v128.shuffle<i32>(c0, c1, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(c0, c1, 2, 6, 3, 7);
  const low23 = v128.shuffle<i32>(c2, c3, 0, 4, 1, 5);
  const high23 = v128.shuffle<i32>(c2, c3, 2, 6, 3, 7);
  r0 = i32x4.add(v128.shuffle<i64>(low01, low23, 0, 2), i32x4.splat(1 << 4));
  r1 = v128.shuffle<i64>(low01, low23, 1, 3);
  r2 = v128.shuffle<i64>(high01, high23, 0, 2);
  r3 = v128.shuffle<i64>(high01, high23, 1, 3);

  even = i32x4.shl(i32x4.add(r0, r2), 13);
  odd = i32x4.shl(i32x4.sub(r0, r2), 13);
  both = i32x4.mul(i32x4.add(r1, r3), i32x4.splat(4433));
  near = i32x4.add(both, i32x4.mul(r1, i32x4.splat(6270)));
  far = i32x4.sub(both, i32x4.mul(r3, i32x4.splat(15137)));
  // The vectors are columns of samples; they are transposed as bytes below.
  const s03 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(even, near), 18),
    i32x4.shr_s(i32x4.add(odd, far), 18),
  );
  const s12 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.sub(odd, far), 18),
    i32x4.shr_s(i32x4.sub(even, near), 18),
  );
  const columns = v128.xor(i8x16.narrow_i16x8_s(s03, s12), i8x16.splat(-128));
  const lines = v128.shuffle<i8>(columns, columns, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  v128.store_lane<i32>(to, lines, 0);
  v128.store_lane<i32>(to + lineBytes, lines, 1);
  v128.store_lane<i32>(to + lineBytes * 2, lines, 2);
  v128.store_lane<i32>(to + lineBytes * 3, lines, 3);
}

function dequantiseEight(block: usize, quantisers: usize, row: usize): v128 {
  return i16x8.mul(v128.load(block + row), v128.load(quantisers + row));
}

/** Transforms the columns of `WORKSPACE` in place, rounds and shifts down by `shift`. */
function transformColumns(shift: i32): void {
  const r0 = v128.load(WORKSPACE);
  const r1 = v128.load(WORKSPACE, 16);
  const r2 = v128.load(WORKSPACE, 32);
  const r3 = v128.load(WORKSPACE, 48);
  const r4 = v128.load(WORKSPACE, 64);
  const r5 = v128.load(WORKSPACE, 80);
  const r6 = v128.load(WORKSPACE, 96);
  const r7 = v128.load(WORKSPACE, 112);
  const round = i32x4.splat(1 << (shift - 1));

  const sum = i16x8.add(r0, r4);
  const difference = i16x8.sub(r0, r4);
  const third = i16x8.add(r7, r3);
  const fourth = i16x8.add(r5, r1);

  // A vector has 32-bit lanes for four columns: each step runs for the left four and the right four.
  const evensLeft = lowWords(r2, r6);
  const evensRight = highWords(r2, r6);
  const forTwo = i16x8(4433, -10704, 4433, -10704, 4433, -10704, 4433, -10704);
  const forThree = i16x8(10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433);
  const twoLeft = i32x4.dot_i16x8_s(evensLeft, forTwo);
  const twoRight = i32x4.dot_i16x8_s(evensRight, forTwo);
  const threeLeft = i32x4.dot_i16x8_s(evensLeft, forThree);
  const threeRight = i32x4.dot_i16x8_s(evensRight, forThree);
  const zeroLeft = i32x4.add(i32x4.shl(i32x4.extend_low_i16x8_s(sum), 13), round);
  const zeroRight = i32x4.add(i32x4.shl(i32x4.extend_high_i16x8_s(sum), 13), round);
  const oneLeft = i32x4.add(i32x4.shl(i32x4.extend_low_i16x8_s(difference), 13), round);
  const oneRight = i32x4.add(i32x4.shl(i32x4.extend_high_i16x8_s(difference), 13), round);
  const even0Left = i32x4.add(zeroLeft, threeLeft);
  const even0Right = i32x4.add(zeroRight, threeRight);
  const even3Left = i32x4.sub(zeroLeft, threeLeft);
  const even3Right = i32x4.sub(zeroRight, threeRight);
  const even1Left = i32x4.add(oneLeft, twoLeft);
  const even1Right = i32x4.add(oneRight, twoRight);
  const even2Left = i32x4.sub(oneLeft, twoLeft);
  const even2Right = i32x4.sub(oneRight, twoRight);

  const sharedLeft = lowWords(third, fourth);
  const sharedRight = highWords(third, fourth);
  const forThird = i16x8(-6436, 9633, -6436, 9633, -6436, 9633, -6436, 9633);
  const forFourth = i16x8(9633, 6437, 9633, 6437, 9633, 6437, 9633, 6437);
  const thirdLeft = i32x4.dot_i16x8_s(sharedLeft, forThird);
  const thirdRight = i32x4.dot_i16x8_s(sharedRight, forThird);
  const fourthLeft = i32x4.dot_i16x8_s(sharedLeft, forFourth);
  const fourthRight = i32x4.dot_i16x8_s(sharedRight, forFourth);

  const outerLeft = lowWords(r7, r1);
  const outerRight = highWords(r7, r1);
  const innerLeft = lowWords(r5, r3);
  const innerRight = highWords(r5, r3);
  const forOdd0 = i16x8(-4927, -7373, -4927, -7373, -4927, -7373, -4927, -7373);
  const forOdd1 = i16x8(-4176, -20995, -4176, -20995, -4176, -20995, -4176, -20995);
  const forOdd2 = i16x8(-20995, 4177, -20995, 4177, -20995, 4177, -20995, 4177);
  const forOdd3 = i16x8(-7373, 4926, -7373, 4926, -7373, 4926, -7373, 4926);
  const odd0Left = i32x4.add(i32x4.dot_i16x8_s(outerLeft, forOdd0), thirdLeft);
  const odd0Right = i32x4.add(i32x4.dot_i16x8_s(outerRight, forOdd0), thirdRight);
  const odd1Left = i32x4.add(i32x4.dot_i16x8_s(innerLeft, forOdd1), fourthLeft);
  const odd1Right = i32x4.add(i32x4.dot_i16x8_s(innerRight, forOdd1), fourthRight);
  const odd2Left = i32x4.add(i32x4.dot_i16x8_s(innerLeft, forOdd2), thirdLeft);
  const odd2Right = i32x4.add(i32x4.dot_i16x8_s(innerRight, forOdd2), thirdRight);
  const odd3Left = i32x4.add(i32x4.dot_i16x8_s(outerLeft, forOdd3), fourthLeft);
  const odd3Right = i32x4.add(i32x4.dot_i16x8_s(outerRight, forOdd3), fourthRight);

  v128.store(WORKSPACE, sums(even0Left, even0Right, odd3Left, odd3Right, shift));
  v128.store(WORKSPACE, differences(even0Left, even0Right, odd3Left, odd3Right, shift), 112);
  v128.store(WORKSPACE, sums(even1Left, even1Right, odd2Left, odd2Right, shift), 16);
  v128.store(WORKSPACE, differences(even1Left, even1Right, odd2Left, odd2Right, shift), 96);
  v128.store(WORKSPACE, sums(even2Left, even2Right, odd1Left, odd1Right, shift), 32);
  v128.store(WORKSPACE, differences(even2Left, even2Right, odd1Left, odd1Right, shift), 80);
  v128.store(WORKSPACE, sums(even3Left, even3Right, odd0Left, odd0Right, shift), 48);
  v128.store(WORKSPACE, differences(even3Left, even3Right, odd0Left, odd0Right, shift), 64);
}

function sums(aLeft: v128, aRight: v128, bLeft: v128, bRight: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(aLeft, bLeft), shift),
    i32x4.shr_s(i32x4.add(aRight, bRight), shift),
  );
}

function differences(aLeft: v128, aRight: v128, bLeft: v128, bRight: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.sub(aLeft, bLeft), shift),
    i32x4.shr_s(i32x4.sub(aRight, bRight), shift),
  );
}

function transposeWorkspace(): void {
  const r0 = v128.load(WORKSPACE);
  const r1 = v128.load(WORKSPACE, 16);
  const r2 = v128.load(WORKSPACE, 32);
  const r3 = v128.load(WORKSPACE, 48);
  const r4 = v128.load(WORKSPACE, 64);
  const r5 = v128.load(WORKSPACE, 80);
  const r6 = v128.load(WORKSPACE, 96);
  const r7 = v128.load(WORKSPACE, 112);
  const a0 = lowWords(r0, r1);
  const a1 = highWords(r0, r1);
  const a2 = lowWords(r2, r3);
  const a3 = highWords(r2, r3);
  const a4 = lowWords(r4, r5);
  const a5 = highWords(r4, r5);
  const a6 = lowWords(r6, r7);
  const a7 = highWords(r6, r7);
  const b0 = v128.shuffle<i32>(a0, a2, 0, 4, 1, 5);
  const b1 = v128.shuffle<i32>(a0, a2, 2, 6, 3, 7);
  const b2 = v128.shuffle<i32>(a1, a3, 0, 4, 1, 5);
  const b3 = v128.shuffle<i32>(a1, a3, 2, 6, 3, 7);
  const b4 = v128.shuffle<i32>(a4, a6, 0, 4, 1, 5);
  const b5 = v128.shuffle<i32>(a4, a6, 2, 6, 3, 7);
  const b6 = v128.shuffle<i32>(a5, a7, 0, 4, 1, 5);
  const b7 = v128.shuffle<i32>(a5, a7, 2, 6, 3, 7);
  v128.store(WORKSPACE, v128.shuffle<i64>(b0, b4, 0, 2));
  v128.store(WORKSPACE, v128.shuffle<i64>(b0, b4, 1, 3), 16);
  v128.store(WORKSPACE, v128.shuffle<i64>(b1, b5, 0, 2), 32);
  v128.store(WORKSPACE, v128.shuffle<i64>(b1, b5, 1, 3), 48);
  v128.store(WORKSPACE, v128.shuffle<i64>(b2, b6, 0, 2), 64);
  v128.store(WORKSPACE, v128.shuffle<i64>(b2, b6, 1, 3), 80);
  v128.store(WORKSPACE, v128.shuffle<i64>(b3, b7, 0, 2), 96);
  v128.store(WORKSPACE, v128.shuffle<i64>(b3, b7, 1, 3), 112);
}

function idct8x8(block: usize, quantisers: usize, to: usize, lineBytes: usize): void {
  for (let row: usize = 0; row < 128; row += 16)
    v128.store(WORKSPACE + row, dequantiseEight(block, quantisers, row));
  transformColumns(11);
  transposeWorkspace();
  transformColumns(18);
  transposeWorkspace();
  for (let row: usize = 0; row < 128; row += 32) {
    const pair = i8x16.narrow_i16x8_s(v128.load(WORKSPACE + row), v128.load(WORKSPACE + row, 16));
    const samples = v128.xor(pair, i8x16.splat(-128));
    v128.store_lane<i64>(to, samples, 0);
    v128.store_lane<i64>(to + lineBytes, samples, 1);
    to += lineBytes * 2;
  }
}
