/** Reads prefix codes and makes groups of five of them ready for decoding (RFC 9649, 3.7.2.1). */
import { take } from "../arena";
import { dropBits, held, heldCount, readBits, refill } from "../bit-window";
import { buildTable, builtTable, lookUp, rootMask } from "./prefix-tables";

const SYMBOLS_MAX: i32 = 2328;
const CODE_LENGTH_CODES: i32 = 19;
const codeLengthOrder: usize = memory.data<u8>([
  17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
]);
const lengths: usize = memory.data(SYMBOLS_MAX, 16);
const codeLengthLengths: usize = memory.data(32, 16);

/*
 * A group: address and mask of the tables for green, red, blue, alpha and distance, then the table of whole pixels, its
 * mask, and the alpha of all its pixels where alpha takes no bits.
 */
export const GROUP_BYTES: usize = 64;
export const GREEN: usize = 0;
export const RED: usize = 8;
export const BLUE: usize = 16;
export const ALPHA: usize = 24;
export const DISTANCE: usize = 32;
export const PIXELS: usize = 40;
export const PIXELS_MASK: usize = 44;
export const ALPHA_BITS: usize = 48;

/*
 * An entry of the table of whole pixels: bits taken in the lowest 4, what is left to read in the next, then blue, green
 * and red. `REST`: red and blue are still to be read (then alpha), `REST_ALPHA`: alpha alone, `NOT_WHOLE`: begin with green. `CACHED`: the
 * pixel is the one of that number in the colour cache.
 */
export const REST: u32 = 0x10;
export const REST_ALPHA: u32 = 0x20;
export const NOT_WHOLE: u32 = 0x40;
export const CACHED: u32 = 0x80;
export const PIXELS_BITS_MAX: i32 = 10;

/** Reads one code of `symbols` symbols; its table is left in `builtTable`. Gives its entries, 0 when it is no code. */
function readCode(symbols: i32): i32 {
  memory.fill(lengths, 0, max(symbols, 256));
  if (readBits(1) === 1) {
    const hasTwo = readBits(1) === 1;
    const isWide = readBits(1) === 1;
    store<u8>(lengths + readBits(isWide ? 8 : 1), 1);
    if (hasTwo) store<u8>(lengths + readBits(8), 1);
    return buildTable(lengths, symbols);
  }
  memory.fill(codeLengthLengths, 0, CODE_LENGTH_CODES);
  const given = <i32>readBits(4) + 4;
  for (let index = 0; index < given; index++) {
    store<u8>(codeLengthLengths + load<u8>(codeLengthOrder + index), <u8>readBits(3));
  }
  if (!readLengths(symbols)) return 0;
  return buildTable(lengths, symbols);
}

function readLengths(symbols: i32): bool {
  if (buildTable(codeLengthLengths, CODE_LENGTH_CODES) === 0) return false;
  const table = builtTable();
  const mask = rootMask;
  let left = symbols;
  if (readBits(1) === 1) {
    left = <i32>readBits(2 + 2 * readBits(3)) + 2;
    if (left > symbols) return false;
  }
  let symbol = 0;
  let previous: u8 = 8;
  for (; symbol < symbols && left > 0; left--) {
    if (heldCount < 16) refill();
    const entry = lookUp(table, mask, held);
    dropBits(entry & 15);
    const code = entry >> 4;
    if (code < 16) {
      store<u8>(lengths + symbol++, <u8>code);
      if (code !== 0) previous = <u8>code;
      continue;
    }
    const repeats = code === 16 ? 3 + readBits(2) : code === 17 ? 3 + readBits(3) : 11 + readBits(7);
    if (symbol + <i32>repeats > symbols) return false;
    if (code === 16) memory.fill(lengths + symbol, previous, repeats);
    symbol += repeats;
  }
  return true;
}

export const GROUP_READY: i32 = 0;
export const GROUP_DAMAGED: i32 = 1;
export const GROUP_TOO_LARGE: i32 = 2;

/** Bytes left for tables; see `limitTables`. */
let bytesLeft: usize = 0;

export function limitTables(bytes: usize): void {
  bytesLeft = bytes;
}

function keep(source: usize, bytes: usize): usize {
  if (bytes > bytesLeft) return 0;
  const kept = take(bytes);
  if (kept === 0) return 0;
  bytesLeft -= (bytes + 15) & ~15;
  if (source !== 0) memory.copy(kept, source, bytes);
  return kept;
}

/** Reads the five codes of a group into the record at `group`; checks and drops them when that is 0. */
export function readGroup(group: usize, cacheSize: i32, pixelsBits: i32): i32 {
  for (let code = 0; code < 5; code++) {
    const entries = readCode(code === 0 ? 280 + cacheSize : code === 4 ? 40 : 256);
    if (entries === 0) return GROUP_DAMAGED;
    if (group === 0) continue;
    const table = keep(builtTable(), (<usize>entries) << 1);
    if (table === 0) return GROUP_TOO_LARGE;
    store<usize>(group + ((<usize>code) << 3), table);
    store<u32>(group + ((<usize>code) << 3), rootMask, 4);
  }
  if (group === 0) return GROUP_READY;
  const hasOneAlpha = load<u32>(group, ALPHA + 4) === 0;
  const alpha: u32 = hasOneAlpha ? (<u32>load<u16>(load<usize>(group, ALPHA)) >> 4) << 24 : 0;
  store<u32>(group, alpha, ALPHA_BITS);
  const pixels = keep(0, (<usize>4) << pixelsBits);
  if (pixels === 0) return GROUP_TOO_LARGE;
  store<usize>(group, pixels, PIXELS);
  store<u32>(group, (1 << pixelsBits) - 1, PIXELS_MASK);
  for (let bits = 0; bits < 1 << pixelsBits; bits++) {
    store<u32>(pixels + ((<usize>bits) << 2), wholePixel(group, bits, pixelsBits, hasOneAlpha));
  }
  return GROUP_READY;
}

/** The entry of the table of whole pixels for these bits. */
function wholePixel(group: usize, bits: u32, count: u32, hasOneAlpha: bool): u32 {
  const green = lookUp(load<usize>(group, GREEN), load<u32>(group, GREEN + 4), bits);
  let length = green & 15;
  if (length > count) return NOT_WHOLE;
  if (green >> 4 > 255) return green >> 4 < 280 ? NOT_WHOLE : (((green >> 4) - 280) << 8) | CACHED | length;
  const greenAlone = ((green >> 4) << 16) | REST | length;
  const red = lookUp(load<usize>(group, RED), load<u32>(group, RED + 4), bits >> length);
  length += red & 15;
  if (length > count) return greenAlone;
  const blue = lookUp(load<usize>(group, BLUE), load<u32>(group, BLUE + 4), bits >> length);
  length += blue & 15;
  if (length > count) return greenAlone;
  const colour = ((red >> 4) << 24) | ((green >> 4) << 16) | ((blue >> 4) << 8);
  return colour | length | (hasOneAlpha ? 0 : REST_ALPHA);
}
