/** Inverse color, subtract-green and color-indexing transforms (RFC 9649, 3.5.2 to 3.5.4) on rows of ARGB words, blue in the first byte. */

/** Adds green to red and blue. */
export function undoSubtractGreen(from: usize, to: usize, width: i32): void {
  const zero = i32x4.splat(0);
  const end = from + ((<usize>width) << 2);
  for (; from < end; from += 16, to += 16) {
    const pixels = v128.load(from);
    const green = v128.shuffle<u8>(pixels, zero, 1, 16, 1, 16, 5, 16, 5, 16, 9, 16, 9, 16, 13, 16, 13, 16);
    v128.store(to, i8x16.add(pixels, green));
  }
}

/**
 * Inverse color transform. `colorTransformElements` has a pixel for each block of `1 << bits` pixels: green_to_red in
 * the blue byte, green_to_blue in the green byte, red_to_blue in the red byte; signed, in 32nds.
 */
export function undoColourTransform(
  from: usize,
  to: usize,
  width: i32,
  colorTransformElements: usize,
  bits: i32,
): void {
  const end = from + ((<usize>width) << 2);
  const blockBytes: usize = (<usize>4) << bits;
  const lowBytes = i16x8.splat(0xff);
  for (let block = from; block < end; block += blockBytes, colorTransformElements += 4) {
    const greenToRed: i32 = load<i8>(colorTransformElements);
    const greenToBlue: i32 = load<i8>(colorTransformElements, 1);
    const redToBlue: i32 = load<i8>(colorTransformElements, 2);
    const ofGreen = i32x4.splat((greenToRed << 16) | (greenToBlue & 0xffff));
    const ofRed = i32x4.splat(redToBlue & 0xffff);
    const blockEnd = min(block + blockBytes, end);
    for (let at = block; at < blockEnd; at += 16) {
      let pixels = v128.load(at);
      const green = i16x8.shr_s(
        v128.shuffle<u8>(pixels, pixels, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13),
        8,
      );
      const addedByGreen = i16x8.shr_s(i16x8.mul(green, ofGreen), 5);
      pixels = i8x16.add(pixels, v128.and(addedByGreen, lowBytes));
      const red = i32x4.shr_s(i32x4.shl(pixels, 8), 24);
      const addedByRed = i16x8.shr_s(i16x8.mul(red, ofRed), 5);
      v128.store(to + (at - from), i8x16.add(pixels, v128.and(addedByRed, lowBytes)));
    }
  }
}

/**
 * Inverse color indexing. The green byte has `1 << bundling` indexes, the first lowest; `table` has the pixels of each
 * of its 256 values. May write up to seven pixels past `width`.
 */
export function undoColourIndexing(from: usize, to: usize, width: i32, table: usize, bundling: i32): void {
  const end = to + ((<usize>width) << 2);
  switch (bundling) {
    case 0:
      for (; to < end; to += 4, from += 4)
        store<u32>(to, load<u32>(table + ((<usize>load<u8>(from, 1)) << 2)));
      break;
    case 1:
      for (; to < end; to += 8, from += 4)
        store<u64>(to, load<u64>(table + ((<usize>load<u8>(from, 1)) << 3)));
      break;
    case 2:
      for (; to < end; to += 16, from += 4)
        v128.store(to, v128.load(table + ((<usize>load<u8>(from, 1)) << 4)));
      break;
    default:
      for (; to < end; to += 32, from += 4) {
        const pixels = table + ((<usize>load<u8>(from, 1)) << 5);
        v128.store(to, v128.load(pixels));
        v128.store(to, v128.load(pixels, 16), 16);
      }
  }
}

/**
 * Builds the table for `undoColourIndexing` from the color table of `count` colours, which is coded as differences.
 * Indexes past its end are transparent black.
 */
export function buildColourTable(colours: usize, count: i32, table: usize, bundling: i32): void {
  let colour = i32x4.splat(0);
  for (let index = 0; index < count; index++) {
    const at = colours + ((<usize>index) << 2);
    colour = i8x16.add(colour, v128.load32_zero(at));
    v128.store32_lane(at, colour, 0);
  }
  const pixels = 1 << bundling;
  const bits = 8 >> bundling;
  for (let byte = 0; byte < 256; byte++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      const index = (byte >> (pixel * bits)) & ((1 << bits) - 1);
      const named = index < count ? load<u32>(colours + ((<usize>index) << 2)) : 0;
      store<u32>(table + ((<usize>(byte * pixels + pixel)) << 2), named);
    }
  }
}
