/**
 * Reads bits, least significant first (RFC 1951, 3.1.1; RFC 9649, 3.2), from an input window that the caller refills.
 * Past the end of the input it supplies zero bits; `isPastEnd` reports whether any of them was read.
 *
 * `bitBuffer` has `bitCount` bits, the next one lowest; `at` is the address of the first byte not yet loaded into it. A
 * decoding step begins only when `needsInput` is false: the window then has the step's maximum input, so no step
 * suspends half-way. Inner loops copy the state into locals and write it back with `saveBits`.
 */

const WINDOW_BYTES: usize = 262144;
/** Zero bytes after the end of the input. */
const TAIL_BYTES: usize = 64;

/**
 * Upper bound of a step's input bytes. The largest step reads the five prefix codes of WebP: at most 3208 code lengths
 * of 14 bits.
 */
export const STEP_BYTES_MAX: usize = 8192;
/** Upper bound of the input bytes of a literal, or of a length with its distance. */
export const SYMBOL_BYTES_MAX: usize = 64;

let window: usize = 0;
export let at: usize = 0;
export let end: usize = 0;
export let isLast: bool = false;
export let bitBuffer: u64 = 0;
export let bitCount: u64 = 0;

/** Bytes of memory for the window. It must be followed by `STEP_BYTES_MAX` more bytes. */
export function windowBytes(): usize {
  return WINDOW_BYTES + TAIL_BYTES;
}

/** Starts with an empty window. */
export function startBitReader(memory: usize): void {
  window = memory;
  at = memory;
  end = memory;
  isLast = false;
  bitBuffer = 0;
  bitCount = 0;
}

/** Moves the unread bytes to the front. Returns the address for new bytes; there is room for `roomBytes`. */
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

/** Whether the window has fewer than `bytes` bytes and the input has not ended. */
export function needsInput(bytes: usize): bool {
  return !isLast && at + bytes > end;
}

/** Drops the bits up to the next byte boundary, and returns the buffer's whole bytes to the window. */
export function alignToByte(): void {
  at -= <usize>(bitCount >> 3);
  bitBuffer = 0;
  bitCount = 0;
}

export function skipBytes(bytes: usize): void {
  at += bytes;
}

/** Whether bits past the end of the input were read. */
export function isPastEnd(): bool {
  return at > end && (<u64>(at - end)) << 3 > bitCount;
}

/** Tops up to at least 56 bits. */
export function refill(): void {
  bitBuffer |= load<u64>(at) << bitCount;
  at += <usize>((63 - bitCount) >> 3);
  bitCount |= 56;
}

/** The next `count` bits, at most 32. */
export function readBits(count: u32): u32 {
  if (bitCount < count) refill();
  const bits = <u32>(bitBuffer & (((<u64>1) << count) - 1));
  bitBuffer >>= count;
  bitCount -= count;
  return bits;
}

export function dropBits(count: u32): void {
  bitBuffer >>= count;
  bitCount -= count;
}

/** Writes back the state that a loop kept in locals. */
export function saveBits(nextAt: usize, bits: u64, count: u64): void {
  at = nextAt;
  bitBuffer = bits;
  bitCount = count;
}
