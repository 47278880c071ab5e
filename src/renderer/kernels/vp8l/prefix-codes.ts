/** Reads prefix codes, and groups of five of them (RFC 9649, 3.7.2). */

import { allocate } from "../allocator";
import { bitBuffer, bitCount, dropBits, isPastEnd, readBits, refill } from "../bit-reader";
import { buildTable, builtTable, lookUp, rootMask } from "./prefix-tables";
import { DAMAGED, GO_ON, TOO_COMPLEX } from "./status";

const SYMBOLS_MAX: i32 = 2328;
const CODE_LENGTH_CODES: i32 = 19;
const codeLengthOrder: usize = memory.data<u8>([
  17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
]);
const lengths: usize = memory.data(SYMBOLS_MAX, 16);
const codeLengthLengths: usize = memory.data(32, 16);

/*
 * The record of a group: address and index mask of the tables of green (with lengths and cache codes), red, blue, alpha
 * and distance, 8 bytes each; then of the packed table; then the alpha of all pixels (in the top byte) when its code
 * takes no bits, else 0.
 */
export const GROUP_BYTES: usize = 64;
export const GREEN: usize = 0;
export const RED: usize = 8;
export const BLUE: usize = 16;
export const ALPHA: usize = 24;
export const DISTANCE: usize = 32;
export const PACKED: usize = 40;
export const PACKED_MASK: usize = 44;
export const ALPHA_BITS: usize = 48;

/*
 * The packed table decodes the green, red and blue of a pixel in one lookup if their codes fit its index bits. An
 * entry:
 *
 *   bits 0–3    number of bits that the entry decodes
 *   bits 4–7    what remains: 0 nothing; RED_BLUE_LEFT red, blue and alpha; ALPHA_LEFT alpha; NOT_PACKED everything, from
 *               green on; CACHE_CODE: it is a color cache code
 *   bits 8–31   blue, green, red; of CACHE_CODE the index in the color cache
 */
export const RED_BLUE_LEFT: u32 = 0x10;
export const ALPHA_LEFT: u32 = 0x20;
export const NOT_PACKED: u32 = 0x40;
export const CACHE_CODE: u32 = 0x80;
export const PACKED_BITS_MAX: i32 = 10;

/**
 * Reads a code of `symbols` symbols into a table at `builtTable`. Returns its number of entries, 0 when the code is
 * invalid.
 */
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
  const table = builtTable;
  const mask = rootMask;
  let left = symbols;
  if (readBits(1) === 1) {
    left = <i32>readBits(2 + 2 * readBits(3)) + 2;
    if (left > symbols) return false;
  }
  let symbol = 0;
  let previous: u8 = 8;
  for (; symbol < symbols && left > 0; left--) {
    if (bitCount < 16) refill();
    const entry = lookUp(table, mask, bitBuffer);
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

/** Bytes left for tables. */
let bytesLeft: usize = 0;

export function limitTables(bytes: usize): void {
  bytesLeft = bytes;
}

function keep(source: usize, bytes: usize): usize {
  if (bytes > bytesLeft) return 0;
  const kept = allocate(bytes);
  if (kept === 0) return 0;
  bytesLeft -= (bytes + 15) & ~15;
  if (source !== 0) memory.copy(kept, source, bytes);
  return kept;
}

/**
 * Reads the five codes of a group into the record at `group`; if that is 0, only checks them. Returns `GO_ON` or a
 * failure.
 */
export function readGroup(group: usize, cacheBits: i32, packedBits: i32): i32 {
  const cacheSize = cacheBits === 0 ? 0 : 1 << cacheBits;
  for (let code = 0; code < 5; code++) {
    const entries = readCode(code === 0 ? 280 + cacheSize : code === 4 ? 40 : 256);
    if (entries === 0) return DAMAGED;
    if (group === 0) continue;
    const table = keep(builtTable, (<usize>entries) << 1);
    if (table === 0) return TOO_COMPLEX;
    store<usize>(group + ((<usize>code) << 3), table);
    store<u32>(group + ((<usize>code) << 3), rootMask, 4);
  }
  if (group === 0) return isPastEnd() ? DAMAGED : GO_ON;
  const hasOneAlpha = load<u32>(group, ALPHA + 4) === 0;
  const alpha: u32 = hasOneAlpha ? (<u32>load<u16>(load<usize>(group, ALPHA)) >> 4) << 24 : 0;
  store<u32>(group, alpha, ALPHA_BITS);
  const pixels = keep(0, (<usize>4) << packedBits);
  if (pixels === 0) return TOO_COMPLEX;
  store<usize>(group, pixels, PACKED);
  store<u32>(group, (1 << packedBits) - 1, PACKED_MASK);
  for (let bits = 0; bits < 1 << packedBits; bits++) {
    store<u32>(pixels + ((<usize>bits) << 2), packedEntry(group, bits, packedBits, hasOneAlpha));
  }
  return isPastEnd() ? DAMAGED : GO_ON;
}

/** The entry of the packed table for these bits. */
function packedEntry(group: usize, bits: u32, count: u32, hasOneAlpha: bool): u32 {
  const green = lookUp(load<usize>(group, GREEN), load<u32>(group, GREEN + 4), bits);
  let length = green & 15;
  if (length > count) return NOT_PACKED;
  if (green >> 4 > 255)
    return green >> 4 < 280 ? NOT_PACKED : (((green >> 4) - 280) << 8) | CACHE_CODE | length;
  const greenAlone = ((green >> 4) << 16) | RED_BLUE_LEFT | length;
  const red = lookUp(load<usize>(group, RED), load<u32>(group, RED + 4), bits >> length);
  length += red & 15;
  if (length > count) return greenAlone;
  const blue = lookUp(load<usize>(group, BLUE), load<u32>(group, BLUE + 4), bits >> length);
  length += blue & 15;
  if (length > count) return greenAlone;
  const colour = ((red >> 4) << 24) | ((green >> 4) << 16) | ((blue >> 4) << 8);
  return colour | length | (hasOneAlpha ? 0 : ALPHA_LEFT);
}
