/**
 * Expands rows of samples to RGBA. Uses the upper byte of 16-bit samples, as libpng's `png_set_strip_16` does. Writes
 * up to 31 bytes past the row.
 */

/** The upper bytes of `samples` samples of 16 bits. */
export function narrowSamples(from: usize, to: usize, samples: i32): void {
  const end = to + samples;
  for (; to < end; to += 16, from += 32) {
    const low = v128.load(from);
    const high = v128.load(from, 16);
    v128.store(to, v128.shuffle<u8>(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
  }
}

export function expandGreyAlpha(from: usize, to: usize, width: i32): void {
  const end = to + ((<usize>width) << 2);
  for (; to < end; to += 16, from += 8) {
    const pixels = v128.load64_zero(from);
    v128.store(to, v128.shuffle<u8>(pixels, pixels, 0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7));
  }
}

export function expandGrey(from: usize, to: usize, width: i32): void {
  const opaque = i32x4.splat(<i32>0xff000000);
  const end = to + ((<usize>width) << 2);
  for (; to < end; to += 16, from += 4) {
    const grey = v128.load32_zero(from);
    const rgba = v128.shuffle<u8>(grey, grey, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    v128.store(to, v128.or(rgba, opaque));
  }
}

export function expandRgb(from: usize, to: usize, width: i32): void {
  const opaque = i32x4.splat(<i32>0xff000000);
  const end = to + ((<usize>width) << 2);
  for (; to < end; to += 16, from += 12) {
    const rgb = v128.load(from);
    const rgba = v128.shuffle<u8>(rgb, rgb, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
    v128.store(to, v128.or(rgba, opaque));
  }
}

/** tRNS of grey and RGB: makes a pixel transparent if its `bpp` stored bytes equal the bytes at `transparentBytes`. */
export function applyTransparentPixel(
  from: usize,
  to: usize,
  width: i32,
  transparentBytes: usize,
  bpp: usize,
): void {
  const end = to + ((<usize>width) << 2);
  const first = load<u8>(transparentBytes);
  for (; to < end; to += 4, from += bpp) {
    if (load<u8>(from) === first && memory.compare(from, transparentBytes, bpp) === 0) store<u8>(to, 0, 3);
  }
}

/** Expands bytes of 8 / `depth` indexes each. `table` has the pixels of each value of a byte. */
export function expandIndexes(from: usize, to: usize, width: i32, depth: i32, table: usize): void {
  const end = to + ((<usize>width) << 2);
  switch (depth) {
    case 8:
      for (; to < end; to += 4, from++) store<u32>(to, load<u32>(table + ((<usize>load<u8>(from)) << 2)));
      break;
    case 4:
      for (; to < end; to += 8, from++) store<u64>(to, load<u64>(table + ((<usize>load<u8>(from)) << 3)));
      break;
    case 2:
      for (; to < end; to += 16, from++) v128.store(to, v128.load(table + ((<usize>load<u8>(from)) << 4)));
      break;
    default:
      for (; to < end; to += 32, from++) {
        const pixels = table + ((<usize>load<u8>(from)) << 5);
        v128.store(to, v128.load(pixels));
        v128.store(to, v128.load(pixels, 16), 16);
      }
  }
}

/** Builds the table for `expandIndexes` from the RGBA of each index. */
export function buildIndexTable(colours: usize, depth: i32, table: usize): void {
  const pixels = 8 / depth;
  const mask = (1 << depth) - 1;
  for (let byte = 0; byte < 256; byte++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      const index = (byte >> (8 - depth * (pixel + 1))) & mask;
      store<u32>(table + ((<usize>(byte * pixels + pixel)) << 2), load<u32>(colours + ((<usize>index) << 2)));
    }
  }
}
