import { DAMAGED, DONE, NEEDS_INPUT, UNIT_BYTES_MAX, WINDOW, WINDOW_BYTES } from "./layout.ts";

/*
 * The bits of a scan. The next one is the topmost of `bits`, of which `count` are there. Readers of blocks keep the
 * three in locals and give them back with `keepBits`.
 */
export let bits: u64 = 0;
export let count: i32 = 0;
export let at: usize = 0;

let end: usize = 0;
let isFinal: bool = false;
let isAtMarker: bool = false;
let nextRestart: i32 = 0;

/** Bits that were made up since a marker was met; they are the last of `count`. */
let inventedBits: i32 = 0;

/** A unit may be begun up to here without running out of the window. */
export let unitsEnd: usize = 0;

export function keepBits(newBits: u64, newCount: i32, newAt: usize): void {
  bits = newBits;
  count = newCount;
  at = newAt;
}

export function beginInput(): void {
  at = WINDOW;
  isFinal = false;
  nextRestart = 0;
  closeWindow(WINDOW);
  dropBits();
}

/** A marker behind the last byte stops all who read. */
function closeWindow(newEnd: usize): void {
  end = newEnd;
  store<u32>(end, 0xd9ff);
  store<u32>(end + 4, 0);
  // Before the window when it holds no whole unit.
  unitsEnd = isFinal ? end : max(end, WINDOW + usize(UNIT_BYTES_MAX - 1)) - usize(UNIT_BYTES_MAX);
}

function dropBits(): void {
  bits = 0;
  count = 0;
  inventedBits = 0;
  isAtMarker = false;
}

/** Moves what is left to the window's start. Gives the bytes that may be written behind it. */
export function inputRoom(): i32 {
  const left = end - at;
  memory.copy(WINDOW, at, left);
  at = WINDOW;
  closeWindow(WINDOW + left);
  return WINDOW_BYTES - i32(left);
}

export function inputEnd(): usize {
  return end;
}

export function addInput(bytes: i32, isLast: bool): void {
  isFinal = isLast;
  closeWindow(end + bytes);
}

/** Fills `bits` to 32 and more. Past a marker, which data cannot hold, come zeros. */
export function fill(): void {
  const four = bswap<u32>(load<u32>(at));
  // Whether none of the four bytes is 0xff, with which a marker or a stuffed zero would begin.
  if (count <= 32 && !isAtMarker && ((~four - 0x01010101) & four & 0x80808080) === 0) {
    bits |= u64(four) << u64(32 - count);
    count += 32;
    at += 4;
    return;
  }
  while (count <= 56) {
    let byte: u64 = 0;
    if (!isAtMarker) {
      byte = load<u8>(at);
      if (byte === 0xff) {
        let next = at + 1;
        while (load<u8>(next) === 0xff && next < end) next++;
        if (load<u8>(next) === 0) {
          at = next + 1;
        } else {
          isAtMarker = true;
          byte = 0;
        }
      } else {
        at++;
      }
    }
    if (isAtMarker) inventedBits += 8;
    bits |= byte << u64(56 - count);
    count += 8;
  }
}

/** Whether bits were read that the file does not have. */
export function isStarved(): bool {
  return inventedBits > count;
}

/** Goes behind the restart marker that is due (T.81, F.2.2.4). Any other is damage. */
export function passRestart(): i32 {
  dropBits();
  while (at + 1 < end) {
    const marker = load<u8>(at + 1);
    if (load<u8>(at) !== 0xff || marker === 0xff) {
      at++;
    } else if (marker === 0) {
      at += 2;
    } else {
      if (i32(marker) !== 0xd0 + nextRestart) return DAMAGED;
      at += 2;
      nextRestart = (nextRestart + 1) & 7;
      return DONE;
    }
  }
  return isFinal ? DAMAGED : NEEDS_INPUT;
}
