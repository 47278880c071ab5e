/*
 * Converts a line of each component's samples to four bytes a pixel: RGBA, or CMYK where 0 is no ink. YCbCr follows
 * T.871, in 16-bit fixed point with the rounding of the JPEG Group's library (jdcolor.c): at most one level from the
 * rounded real-valued conversion.
 */
import { highBytes, highWords, lowBytes, lowWords } from "../interleave.ts";

/** Colour encodings of a file. */
export const GREY: i32 = 0;
export const RGB: i32 = 1;
export const YCBCR: i32 = 2;
export const CMYK: i32 = 3;
/** Adobe's CMYK: 255 is no ink. */
export const INVERTED_CMYK: i32 = 4;
/** Adobe's YCCK: YCbCr of inverted CMY, and inverted K. */
export const YCCK: i32 = 5;

export function writePixels(
  colours: i32,
  a: usize,
  b: usize,
  c: usize,
  d: usize,
  pixels: i32,
  to: usize,
): void {
  const opaque = i16x8.splat(255);
  const all = usize(pixels);
  if (colours === GREY) {
    for (let x: usize = 0; x < all; x += 8) {
      const grey = v128.load_ext<u8>(a + x);
      interleave(grey, grey, grey, opaque, to + (x << 2));
    }
  } else if (colours === YCBCR || colours === YCCK) {
    for (let x: usize = 0; x < all; x += 8) {
      const fourth = colours === YCBCR ? opaque : i16x8.sub(i16x8.splat(255), v128.load_ext<u8>(d + x));
      writeFromYcc(
        v128.load_ext<u8>(a + x),
        v128.load_ext<u8>(b + x),
        v128.load_ext<u8>(c + x),
        fourth,
        to + (x << 2),
      );
    }
  } else {
    const flip = i16x8.splat(colours === INVERTED_CMYK ? 255 : 0);
    for (let x: usize = 0; x < all; x += 8) {
      const first = v128.xor(v128.load_ext<u8>(a + x), flip);
      const second = v128.xor(v128.load_ext<u8>(b + x), flip);
      const third = v128.xor(v128.load_ext<u8>(c + x), flip);
      const fourth = colours === RGB ? opaque : v128.xor(v128.load_ext<u8>(d + x), flip);
      interleave(first, second, third, fourth, to + (x << 2));
    }
  }
}

/** Writes eight pixels. The 16-bit channels are clamped to bytes. */
function interleave(red: v128, green: v128, blue: v128, fourth: v128, to: usize): void {
  const redBlue = i8x16.narrow_i16x8_u(red, blue);
  const greenFourth = i8x16.narrow_i16x8_u(green, fourth);
  const redGreen = lowBytes(redBlue, greenFourth);
  const blueFourth = highBytes(redBlue, greenFourth);
  v128.store(to, lowWords(redGreen, blueFourth));
  v128.store(to, highWords(redGreen, blueFourth), 16);
}

/**
 * Constants are 65536ths and must fit a signed 16-bit lane, so whole multiples are added separately: red = Y + Cr +
 * 0.402 Cr, blue = Y + 2 Cb - 0.228 Cb, green = Y - Cr + (0.28586 Cr - 0.34414 Cb).
 */
function writeFromYcc(y: v128, cb: v128, cr: v128, fourth: v128, to: usize): void {
  const half = i32x4.splat(32768);
  const cb128 = i16x8.sub(cb, i16x8.splat(128));
  const cr128 = i16x8.sub(cr, i16x8.splat(128));
  const toRed = i16x8.splat(26345);
  const toBlue = i16x8.splat(-14942);
  const red = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.extmul_low_i16x8_s(cr128, toRed), half), 16),
    i32x4.shr_s(i32x4.add(i32x4.extmul_high_i16x8_s(cr128, toRed), half), 16),
  );
  const blue = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.extmul_low_i16x8_s(cb128, toBlue), half), 16),
    i32x4.shr_s(i32x4.add(i32x4.extmul_high_i16x8_s(cb128, toBlue), half), 16),
  );
  const toGreen = i16x8(-22554, 18734, -22554, 18734, -22554, 18734, -22554, 18734);
  const low = lowWords(cb128, cr128);
  const high = highWords(cb128, cr128);
  const green = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, toGreen), half), 16),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, toGreen), half), 16),
  );
  interleave(
    i16x8.add(i16x8.add(y, cr128), red),
    i16x8.add(i16x8.sub(y, cr128), green),
    i16x8.add(i16x8.add(y, i16x8.shl(cb128, 1)), blue),
    fourth,
    to,
  );
}
