/** What the kernel's calls answer. */
export const DONE: i32 = 0;
/** The window holds too little to go on: feed more of the scan. */
export const NEEDS_INPUT: i32 = 1;
/** Rows lie in the output and must be taken before the next call. */
export const HAS_ROWS: i32 = 2;
export const DAMAGED: i32 = -1;

/** The window on a scan's data. Segments pass through it too, which are shorter than 64 KB. */
export const WINDOW_BYTES: i32 = 131072;

/**
 * What the largest unit can take from the window: ten blocks of 64 coefficients, each at most 31 bits, each byte of
 * which may be followed by a stuffed zero.
 */
export const UNIT_BYTES_MAX: i32 = 8192;

/** Blocks of one unit (ITU-T T.81, B.2.3). */
export const UNIT_BLOCKS_MAX: i32 = 10;

export const WINDOW: usize = memory.data(131072 + 64, 16);

/** Position in the 8 × 8 block, row by row, of each coefficient in the order of the file (T.81, figure 5). */
export const ZIGZAG: usize = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]);

/**
 * For each edge of a reduced block (1, 2, 4, 8): byte offset of each coefficient in the reduced block, and past its
 * 64 coefficients for those that it leaves out, and for 80 indices past the last, where damaged runs end.
 */
const SLOTS: usize = memory.data(4 * 144, 16);
export const DROPPED_SLOT: u32 = 128;

/** One block in reading; what it leaves out is written behind it. */
export const BLOCK: usize = memory.data(160, 16);

/** 0 for an edge of 1, 1 for 2, 2 for 4 and 3 for 8. */
export function edgeIndex(edge: i32): i32 {
  return ctz(edge);
}

export function slotsOf(edge: i32): usize {
  return SLOTS + usize(edgeIndex(edge) * 144);
}

/** Index of the last coefficient that a reduced block keeps. */
export function lastKept(edge: i32): i32 {
  return edge === 8 ? 63 : edge === 4 ? 24 : edge === 2 ? 4 : 0;
}

export function fillSlots(): void {
  for (let edge: i32 = 1; edge <= 8; edge <<= 1) {
    const slots = slotsOf(edge);
    memory.fill(slots, u8(DROPPED_SLOT), 144);
    for (let index: i32 = 0; index < 64; index++) {
      const place = i32(load<u8>(ZIGZAG + index));
      const x = place & 7;
      const y = place >> 3;
      if (x < edge && y < edge) store<u8>(slots + index, u8((y * edge + x) * 2));
    }
  }
}

let heapEnd: usize = 0;

/** Memory past this was never written and still is zero. */
let writtenEnd: usize = 0;

export function freeAll(): void {
  heapEnd = (__heap_base + 15) & ~15;
}

/** Zeroed memory, or 0 when the platform gives no more. */
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
