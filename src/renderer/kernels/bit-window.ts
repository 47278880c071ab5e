/**
 * Bits of the compressed bytes, lowest first, through a window that the caller fills again and again.
 * Past the end of the last window come zeros; `isPastEnd` tells.
 */

/** Bytes held at a time. */
const WINDOW_BYTES: usize = 262144;
/** Zeros behind the last byte. */
const TAIL_BYTES: usize = 64;

/** More than any step takes that is not resumed half-way: WebP's five prefix codes are at most 3208 lengths of 14 bits. */
export const STEP_BYTES_MAX: usize = 8192;
/** More than a symbol or a copy takes. */
export const SYMBOL_BYTES_MAX: usize = 64;

let window: usize = 0;
/** The next byte that is not in `held`. */
export let at: usize = 0;
export let end: usize = 0;
export let isLast: bool = false;
export let held: u64 = 0;
export let heldCount: u64 = 0;

/** Bytes of memory that a window takes. Behind it memory must go on for `STEP_BYTES_MAX`. */
export function windowBytes(): usize {
  return WINDOW_BYTES + TAIL_BYTES;
}

/** Begins with nothing in the window. */
export function startBits(memory: usize): void {
  window = memory;
  at = memory;
  end = memory;
  isLast = false;
  held = 0;
  heldCount = 0;
}

/** Moves what is left to the front. Gives where the next bytes go; there is room for `roomBytes`. */
export function makeRoom(): usize {
  const left = end - at;
  memory.copy(window, at, left);
  at = window;
  end = window + left;
  return end;
}

export function roomBytes(): usize {
  return window + WINDOW_BYTES - end;
}

export function feed(bytes: usize, isEnd: bool): void {
  end += bytes;
  isLast = isEnd;
  if (isEnd) memory.fill(end, 0, TAIL_BYTES);
}

/** Whether fewer than `bytes` are at hand and more will come. */
export function needsInput(bytes: usize): bool {
  return !isLast && at + bytes > end;
}

/** Gives back the whole bytes that are held and drops the bits before them. */
export function alignToByte(): void {
  at -= <usize>(heldCount >> 3);
  held = 0;
  heldCount = 0;
}

export function skipBytes(bytes: usize): void {
  at += bytes;
}

/** Whether bits were taken that the input does not have. */
export function isPastEnd(): bool {
  return at > end && (<u64>(at - end)) << 3 > heldCount;
}

/** Tops up to at least 56 bits. */
export function refill(): void {
  held |= load<u64>(at) << heldCount;
  at += <usize>((63 - heldCount) >> 3);
  heldCount |= 56;
}

/** The next `count` bits, at most 32. */
export function readBits(count: u32): u32 {
  if (heldCount < count) refill();
  const bits = <u32>(held & (((<u64>1) << count) - 1));
  held >>= count;
  heldCount -= count;
  return bits;
}

export function dropBits(count: u32): void {
  held >>= count;
  heldCount -= count;
}

/** Puts back what a loop has kept in its own variables. */
export function saveBits(nextAt: usize, bits: u64, count: u64): void {
  at = nextAt;
  held = bits;
  heldCount = count;
}
