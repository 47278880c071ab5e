import { DAMAGED, DONE, MCU_BYTES_MAX, NEEDS_INPUT, RST_MISSING, WINDOW, WINDOW_BYTES } from "./memory.ts";

/*
 * The bits of a scan's entropy-coded segment, most significant first (T.81, F.2.2.5). `bitBuffer` has `bitCount` bits,
 * the next one topmost; `nextByte` is the address of the first byte that is not in it. Block readers copy the three
 * into locals, which the compiler keeps in registers, and write them back with `saveBits`.
 */
export let bitBuffer: u64 = 0;
export let bitCount: i32 = 0;
export let nextByte: usize = 0;

let end: usize = 0;
let isFinal: bool = false;
let isAtMarker: bool = false;
let nextRst: i32 = 0;

/** Number of zero bits appended to `bitBuffer` since a marker was reached. They are the last of its `bitCount` bits. */
let paddingBits: i32 = 0;

/** An MCU that starts at or before this address ends inside the input window. */
export let mcuStartMax: usize = 0;

export function saveBits(newBits: u64, newCount: i32, newAt: usize): void {
  bitBuffer = newBits;
  bitCount = newCount;
  nextByte = newAt;
}

export function beginInput(): void {
  nextByte = WINDOW;
  isFinal = false;
  nextRst = 0;
  setInputEnd(WINDOW);
  clearBits();
}

/** Writes an EOI marker after the last byte, so that `fillBits` stops without comparing addresses. */
function setInputEnd(newEnd: usize): void {
  end = newEnd;
  store<u32>(end, 0xd9ff);
  store<u32>(end + 4, 0);
  // This address is before the window if the window may not have a whole MCU.
  mcuStartMax = isFinal ? end : max(end, WINDOW + usize(MCU_BYTES_MAX - 1)) - usize(MCU_BYTES_MAX);
}

function clearBits(): void {
  bitBuffer = 0;
  bitCount = 0;
  paddingBits = 0;
  isAtMarker = false;
}

/** Moves the unread bytes to the start of the window. Returns the room in bytes at `inputAt`. */
export function inputRoom(): i32 {
  const available = end - nextByte;
  memory.copy(WINDOW, nextByte, available);
  nextByte = WINDOW;
  setInputEnd(WINDOW + available);
  return WINDOW_BYTES - i32(available);
}

export function inputAt(): usize {
  return end;
}

export function feed(bytes: i32, isLast: bool): void {
  isFinal = isLast;
  setInputEnd(end + bytes);
}

/**
 * Tops `bitBuffer` up to at least 32 bits and removes stuffed zero bytes. Appends zero bits once a marker is reached.
 */
export function fillBits(): void {
  const four = bswap<u32>(load<u32>(nextByte));
  // True when no byte of the four is 0xff, which starts a marker or precedes a stuffed zero.
  if (bitCount <= 32 && !isAtMarker && ((~four - 0x01010101) & four & 0x80808080) === 0) {
    bitBuffer |= u64(four) << u64(32 - bitCount);
    bitCount += 32;
    nextByte += 4;
    return;
  }
  while (bitCount <= 56) {
    let byte: u64 = 0;
    if (!isAtMarker) {
      byte = load<u8>(nextByte);
      if (byte === 0xff) {
        let next = nextByte + 1;
        while (load<u8>(next) === 0xff && next < end) next++;
        if (load<u8>(next) === 0) {
          nextByte = next + 1;
        } else {
          isAtMarker = true;
          byte = 0;
        }
      } else {
        nextByte++;
      }
    }
    if (isAtMarker) paddingBits += 8;
    bitBuffer |= byte << u64(56 - bitCount);
    bitCount += 8;
  }
}

/** Whether bits past the marker that ends the data were read. */
export function isPastEnd(): bool {
  return paddingBits > bitCount;
}

/** Discards the rest of a damaged restart interval: `isPastEnd` is true until `readRst`. */
export function leaveInterval(): void {
  clearBits();
  isAtMarker = true;
  paddingBits = 1;
}

const isRst = (marker: i32): bool => marker >= 0xd0 && marker <= 0xd7;

/** Whether the marker that ends the bits is an RSTm, so that the scan continues after it. */
export function isBeforeRst(): bool {
  let at = nextByte;
  while (at < end && load<u8>(at) === 0xff) at++;
  return isRst(load<u8>(at));
}

/**
 * Skips to the end of the expected RSTm marker (T.81, E.2.4). Resynchronises as the JPEG Group's library does: one of
 * the two following markers means that the expected one is missing, one of the two preceding is skipped, and any other
 * counts as the expected one. `DAMAGED` at the end of the data.
 */
export function readRst(): i32 {
  clearBits();
  while (nextByte + 1 < end) {
    const marker = i32(load<u8>(nextByte + 1));
    if (load<u8>(nextByte) !== 0xff || marker === 0xff) {
      nextByte++;
      continue;
    }
    const ahead = (marker - nextRst) & 7;
    if (!isRst(marker) || ahead >= 6) {
      nextByte += 2;
      continue;
    }
    nextRst = (nextRst + 1) & 7;
    if (ahead === 1 || ahead === 2) return RST_MISSING;
    nextByte += 2;
    return DONE;
  }
  return isFinal ? DAMAGED : NEEDS_INPUT;
}
