/** Status codes that the exported functions return. */
export const DONE: i32 = 0;
/** The input window needs more bytes of the scan. */
export const NEEDS_INPUT: i32 = 1;
/** Rows are ready and must be read before the next call. */
export const HAS_ROWS: i32 = 2;
/** The expected RSTm marker is missing, and a later one follows. */
export const RST_MISSING: i32 = 3;
export const DAMAGED: i32 = -1;

/** Input window of a scan's data. Marker segments, which are shorter than 64 KB, pass through it too. */
export const WINDOW_BYTES: i32 = 131072;

/**
 * Upper bound of the bytes of an MCU: ten blocks of 64 coefficients of at most 31 bits (a code of 16 and SSSS = 15),
 * each byte followed by a stuffed zero: 2 * 10 * 64 * 31 / 8 = 4960.
 */
export const MCU_BYTES_MAX: i32 = 8192;

/** Blocks of one MCU (ITU-T T.81, B.2.3). */
export const MCU_BLOCKS_MAX: i32 = 10;

export const WINDOW: usize = memory.data(131072 + 64, 16);

/** Zig-zag sequence: the position in the 8 × 8 block, row by row, of coefficient ZZ(k) (T.81, figure A.6). */
export const ZZ: usize = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]);

/**
 * For each DCT size (1, 2, 4, 8): the byte offset of coefficient ZZ(k) in a block that keeps the lowest `size` × `size`
 * coefficients, or `DROPPED`. 144 entries, because EOB and runs in damaged data can reach up to 80 past the last index.
 */
const KEPT_OFFSETS: usize = memory.data(4 * 144, 16);
export const DROPPED: u32 = 128;

/** The block being read. Dropped coefficients are written after its 128 bytes. */
export const BLOCK: usize = memory.data(160, 16);

/** Base-2 logarithm of a DCT size (1, 2, 4 or 8). */
export function dctSizeLog2(dctSize: i32): i32 {
  return ctz(dctSize);
}

export function keptOffsets(dctSize: i32): usize {
  return KEPT_OFFSETS + usize(dctSizeLog2(dctSize) * 144);
}

/** The zig-zag index of the last kept coefficient. */
export function lastKeptIndex(dctSize: i32): i32 {
  return dctSize === 8 ? 63 : dctSize === 4 ? 24 : dctSize === 2 ? 4 : 0;
}

export function fillKeptOffsets(): void {
  for (let dctSize: i32 = 1; dctSize <= 8; dctSize <<= 1) {
    const offsets = keptOffsets(dctSize);
    memory.fill(offsets, u8(DROPPED), 144);
    for (let index: i32 = 0; index < 64; index++) {
      const place = i32(load<u8>(ZZ + index));
      const x = place & 7;
      const y = place >> 3;
      if (x < dctSize && y < dctSize) store<u8>(offsets + index, u8((y * dctSize + x) * 2));
    }
  }
}

let heapEnd: usize = 0;

/** Memory past this address was never written and is still zero. */
let writtenEnd: usize = 0;

export function freeMemory(): void {
  heapEnd = (__heap_base + 15) & ~15;
}

/** Allocates zeroed memory. Returns 0 when out of memory. */
export function reserve(bytes: usize): usize {
  const start = heapEnd;
  const end = (start + bytes + 15) & ~15;
  const missing = i32((end + 65535) >> 16) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) return 0;
  heapEnd = end;
  if (start < writtenEnd) memory.fill(start, 0, min(end, writtenEnd) - start);
  writtenEnd = max(writtenEnd, end);
  return start;
}
