/**
 * Lookup tables of the Huffman codes of a block (RFC 1951, 3.2.2). Two levels; the first is indexed with the next 11 bits
 * (literal/length) or 8 bits (distance), the second with the bits after those. An entry has 32 bits:
 *
 *   bits 0–7    how many bits the code takes at this level
 *   bits 8–15   a literal: LITERAL (bit 15) and the number of literals, 1 or 2, in bits 8 and 9
 *               a length or distance: the number of extra bits in bits 8–11
 *               a pointer: SUBTABLE (bit 14) and the number of index bits of the subtable in bits 8–11
 *               the end of the block, or no code: END_OF_BLOCK (bit 13)
 *   bits 16–31  the literals, the first in the lower byte; the base of the length or distance; the index of the
 *               subtable; 0 for the end of the block and 1 for bits that are no code
 *
 * One entry holds two literals where both codes fit the 11 bits of the first level.
 */
import { bitBuffer, bitCount, dropBits, readBits, refill } from "../bit-reader";

export const LITERAL: u32 = 0x8000;
export const SUBTABLE: u32 = 0x4000;
export const END_OF_BLOCK: u32 = 0x2000;

export const LITERAL_LENGTH_BITS: i32 = 11;
export const DISTANCE_BITS: i32 = 8;
const CODE_BITS_MAX: i32 = 15;

/**
 * Sized for the worst case: a subtable has at least two codes, and at most as many entries as a code of 15 bits
 * requires. That makes 2048 + 143 * 16 entries for 286 symbols, and 256 + 15 * 128 for 30.
 */
export const literalLengthTable: usize = memory.data(4336 * 4, 16);
export const distanceTable: usize = memory.data(2176 * 4, 16);

const lengthBases: usize = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
]);
const lengthExtras: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const distanceBases: usize = memory.data<u16>([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
]);

const counts: usize = memory.data(64, 16);
const nextCodes: usize = memory.data(64, 16);

/** The entry of a literal/length symbol, without the length of its code. */
function literalLengthEntry(symbol: i32): u32 {
  if (symbol < 256) return ((<u32>symbol) << 16) | LITERAL | 0x100;
  if (symbol === 256) return END_OF_BLOCK;
  if (symbol > 285) return END_OF_BLOCK | 0x10000;
  const index: usize = symbol - 257;
  return ((<u32>load<u16>(lengthBases + (index << 1))) << 16) | ((<u32>load<u8>(lengthExtras + index)) << 8);
}

function distanceEntry(symbol: i32): u32 {
  if (symbol > 29) return END_OF_BLOCK | 0x10000;
  const extra: u32 = symbol < 4 ? 0 : (symbol - 2) >> 1;
  return ((<u32>load<u16>(distanceBases + ((<usize>symbol) << 1))) << 16) | (extra << 8);
}

const LITERAL_LENGTH: i32 = 0;
const DISTANCE: i32 = 1;
const CODE_LENGTH: i32 = 2;

/** Builds the literal/length table from the code lengths (bytes) of `symbols` symbols. False when they form no code. */
function buildLiteralLengthTable(lengths: usize, symbols: i32): bool {
  if (load<u8>(lengths, 256) === 0) return false;
  if (!build(lengths, symbols, literalLengthTable, LITERAL_LENGTH_BITS, LITERAL_LENGTH)) return false;
  packLiteralPairs();
  return true;
}

function buildDistanceTable(lengths: usize, symbols: i32): bool {
  return build(lengths, symbols, distanceTable, DISTANCE_BITS, DISTANCE);
}

/** Builds the table of the code length alphabet in place of the distance table. An entry's value is the symbol. */
function buildCodeLengthTable(lengths: usize, symbols: i32): bool {
  return build(lengths, symbols, distanceTable, DISTANCE_BITS, CODE_LENGTH);
}

function reverse(code: u32, length: i32): u32 {
  let reversed: u32 = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}

function entryOf(kind: i32, symbol: i32): u32 {
  if (kind === CODE_LENGTH) return (<u32>symbol) << 16;
  return kind === LITERAL_LENGTH ? literalLengthEntry(symbol) : distanceEntry(symbol);
}

/**
 * Fills a table. As in zlib, an incomplete code is valid if it has one symbol of one bit, or no symbol (a block without
 * matches).
 */
function build(lengths: usize, symbols: i32, table: usize, rootBits: i32, kind: i32): bool {
  memory.fill(counts, 0, 64);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = counts + ((<usize>load<u8>(lengths + symbol)) << 2);
    store<i32>(count, load<i32>(count) + 1);
  }
  store<i32>(counts, 0);
  let space = 1;
  let code = 0;
  let longest = 0;
  for (let length = 1; length <= CODE_BITS_MAX; length++) {
    const count = load<i32>(counts + ((<usize>length) << 2));
    store<i32>(nextCodes + ((<usize>length) << 2), code);
    code = (code + count) << 1;
    if (count > 0) longest = length;
    space = (space << 1) - count;
    if (space < 0) return false;
  }
  if (space > 0 && (kind === CODE_LENGTH || longest > 1)) return false;
  const rootSize = 1 << rootBits;
  if (space > 0) {
    for (let index = 0; index < rootSize; index++)
      store<u32>(table + ((<usize>index) << 2), END_OF_BLOCK | 0x10000);
  }
  const bits = max(0, longest - rootBits);
  const size: u32 = 1 << bits;
  let tableEnd = rootSize;
  // Clear pointers of the previous block, which would pass for pointers of this block.
  for (let index = 0; index < rootSize; index++) {
    const entry = table + ((<usize>index) << 2);
    if (load<u32>(entry) & SUBTABLE) store<u32>(entry, 0);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <i32>load<u8>(lengths + symbol);
    if (length === 0) continue;
    const next = nextCodes + ((<usize>length) << 2);
    const reversedCode = reverse(load<u32>(next), length);
    store<u32>(next, load<u32>(next) + 1);
    const entry = entryOf(kind, symbol);
    if (length <= rootBits) {
      for (let index = reversedCode; index < <u32>rootSize; index += 1 << length) {
        store<u32>(table + ((<usize>index) << 2), entry | length);
      }
      continue;
    }
    const root = table + ((<usize>(reversedCode & (rootSize - 1))) << 2);
    if ((load<u32>(root) & SUBTABLE) === 0) {
      store<u32>(root, ((<u32>tableEnd) << 16) | SUBTABLE | (bits << 8) | rootBits);
      tableEnd += size;
    }
    const second = table + ((<usize>(load<u32>(root) >> 16)) << 2);
    for (let index = reversedCode >> rootBits; index < size; index += 1 << (length - rootBits)) {
      store<u32>(second + ((<usize>index) << 2), entry | (length - rootBits));
    }
  }
  return true;
}

/** Packs two literals into an entry. Runs from the top, because the second literal's entry has a lower index. */
function packLiteralPairs(): void {
  for (let index = (1 << LITERAL_LENGTH_BITS) - 1; index >= 0; index--) {
    const at = literalLengthTable + ((<usize>index) << 2);
    const first = load<u32>(at);
    if ((first & LITERAL) === 0) continue;
    const used = first & 0xff;
    const second = load<u32>(literalLengthTable + ((<usize>(index >> used)) << 2));
    if ((second & LITERAL) === 0 || used + (second & 0xff) > <u32>LITERAL_LENGTH_BITS) continue;
    const values = ((second & 0xff0000) << 8) | (first & 0xff0000);
    store<u32>(at, values | LITERAL | 0x200 | (used + (second & 0xff)));
  }
}

const codeLengthOrder: usize = memory.data<u8>([
  16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
]);
const lengths: usize = memory.data(512, 16);

/** BTYPE 01: the fixed codes (RFC 1951, 3.2.6). */
export function useFixedHuffmanCodes(): bool {
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  if (!buildLiteralLengthTable(lengths, 288)) return false;
  memory.fill(lengths, 5, 32);
  return buildDistanceTable(lengths, 32);
}

/**
 * BTYPE 10: HLIT, HDIST, HCLEN and the dynamic codes (RFC 1951, 3.2.7). In this function, HLIT, HDIST and HCLEN include
 * their offsets.
 */
export function readDynamicHuffmanCodes(): bool {
  const hlit = readBits(5) + 257;
  const hdist = readBits(5) + 1;
  const hclen = readBits(4) + 4;
  if (hlit > 286 || hdist > 30) return false;
  memory.fill(lengths, 0, 19);
  for (let index: u32 = 0; index < hclen; index++) {
    store<u8>(lengths + load<u8>(codeLengthOrder + index), <u8>readBits(3));
  }
  if (!buildCodeLengthTable(lengths, 19)) return false;
  const total = hlit + hdist;
  let previous: u8 = 0;
  for (let index: u32 = 0; index < total; ) {
    if (bitCount < 16) refill();
    const entry = load<u32>(distanceTable + ((<usize>(bitBuffer & 255)) << 2));
    dropBits(entry & 0xff);
    const symbol = entry >> 16;
    if (symbol < 16) {
      previous = <u8>symbol;
      store<u8>(lengths + index++, previous);
      continue;
    }
    if (symbol === 16 && index === 0) return false;
    const repeats = symbol === 16 ? 3 + readBits(2) : symbol === 17 ? 3 + readBits(3) : 11 + readBits(7);
    if (symbol !== 16) previous = 0;
    if (index + repeats > total) return false;
    memory.fill(lengths + index, previous, repeats);
    index += repeats;
  }
  return buildLiteralLengthTable(lengths, hlit) && buildDistanceTable(lengths + hlit, hdist);
}
