/** Rows of pixels, blue first, as rows of what is asked for. Writes up to 15 bytes more. */

export function copyRgba(from: usize, to: usize, width: i32): void {
  const end = from + ((<usize>width) << 2);
  for (; from < end; from += 16, to += 16) {
    const pixels = v128.load(from);
    v128.store(to, v128.shuffle<u8>(pixels, pixels, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
  }
}

export function copyOpaqueRgba(from: usize, to: usize, width: i32): void {
  const end = from + ((<usize>width) << 2);
  const opaque = i32x4.splat(<i32>0xff000000);
  for (; from < end; from += 16, to += 16) {
    const pixels = v128.load(from);
    const rgba = v128.shuffle<u8>(pixels, pixels, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
    v128.store(to, v128.or(rgba, opaque));
  }
}

export function copyGreen(from: usize, to: usize, width: i32): void {
  const end = from + ((<usize>width) << 2);
  for (; from < end; from += 16, to += 4) {
    const pixels = v128.load(from);
    const green = v128.shuffle<u8>(pixels, pixels, 1, 5, 9, 13, 1, 5, 9, 13, 1, 5, 9, 13, 1, 5, 9, 13);
    v128.store32_lane(to, green, 0);
  }
}
