/**
 * Lookup tables of deflate's codes (RFC 1951), two levels of 32-bit entries: bits to drop in the lowest byte, then what is
 * to be done, then a value of 16 bits.
 *
 * A literal may bring the one behind it along when both codes fit the first level.
 */

export const LITERAL: u32 = 0x8000;
/** The value is where a second table begins; bits 8 to 11 say how many bits it is looked up with. */
export const SECOND: u32 = 0x4000;
/** The end of the block, or with a value other than 0 no code at all. */
export const END: u32 = 0x2000;

export const LENGTH_BITS: i32 = 11;
export const DISTANCE_BITS: i32 = 8;
const CODE_BITS_MAX: i32 = 15;

/** Second tables are as large as the longest code needs; each has two codes at least: 2048 + 143 * 16, 256 + 15 * 128. */
export const lengthTable: usize = memory.data(4336 * 4, 16);
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

/** What a symbol of the length code means, without its bits. */
function lengthEntry(symbol: i32): u32 {
  if (symbol < 256) return ((<u32>symbol) << 16) | LITERAL | 0x100;
  if (symbol === 256) return END;
  if (symbol > 285) return END | 0x10000;
  const index: usize = symbol - 257;
  return ((<u32>load<u16>(lengthBases + (index << 1))) << 16) | ((<u32>load<u8>(lengthExtras + index)) << 8);
}

function distanceEntry(symbol: i32): u32 {
  if (symbol > 29) return END | 0x10000;
  const extra: u32 = symbol < 4 ? 0 : (symbol - 2) >> 1;
  return ((<u32>load<u16>(distanceBases + ((<usize>symbol) << 1))) << 16) | (extra << 8);
}

/* What the symbols of a table are. */
const LENGTHS: i32 = 0;
const DISTANCES: i32 = 1;
const PLAIN: i32 = 2;

/** Builds the table of lengths and literals from `symbols` code lengths (bytes). False when they are no code. */
export function buildLengths(lengths: usize, symbols: i32): bool {
  if (load<u8>(lengths, 256) === 0) return false;
  if (!build(lengths, symbols, lengthTable, LENGTH_BITS, LENGTHS)) return false;
  joinLiterals();
  return true;
}

export function buildDistances(lengths: usize, symbols: i32): bool {
  return build(lengths, symbols, distanceTable, DISTANCE_BITS, DISTANCES);
}

/** Builds the code of the code lengths, whose entries have the symbol as value, in the table of distances. */
export function buildPlain(lengths: usize, symbols: i32): bool {
  return build(lengths, symbols, distanceTable, DISTANCE_BITS, PLAIN);
}

function reverse(code: u32, length: i32): u32 {
  let reversed: u32 = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}

function entryOf(kind: i32, symbol: i32): u32 {
  if (kind === PLAIN) return (<u32>symbol) << 16;
  return kind === LENGTHS ? lengthEntry(symbol) : distanceEntry(symbol);
}

/**
 * Fills a table. As in zlib, a code may be underfull when it has one symbol of one bit, or none (a block without
 * copies); bits that are no code read as `END` with a value.
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
  if (space > 0 && (kind === PLAIN || longest > 1)) return false;
  const rootSize = 1 << rootBits;
  if (space > 0) {
    for (let index = 0; index < rootSize; index++) store<u32>(table + ((<usize>index) << 2), END | 0x10000);
  }
  const bits = max(0, longest - rootBits);
  const size: u32 = 1 << bits;
  let tableEnd = rootSize;
  // Second tables are found by their pointers, which must not be left from the block before.
  for (let index = 0; index < rootSize; index++) {
    const entry = table + ((<usize>index) << 2);
    if (load<u32>(entry) & SECOND) store<u32>(entry, 0);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <i32>load<u8>(lengths + symbol);
    if (length === 0) continue;
    const next = nextCodes + ((<usize>length) << 2);
    const key = reverse(load<u32>(next), length);
    store<u32>(next, load<u32>(next) + 1);
    const entry = entryOf(kind, symbol);
    if (length <= rootBits) {
      for (let index = key; index < <u32>rootSize; index += 1 << length) {
        store<u32>(table + ((<usize>index) << 2), entry | length);
      }
      continue;
    }
    const root = table + ((<usize>(key & (rootSize - 1))) << 2);
    if ((load<u32>(root) & SECOND) === 0) {
      store<u32>(root, ((<u32>tableEnd) << 16) | SECOND | (bits << 8) | rootBits);
      tableEnd += size;
    }
    const second = table + ((<usize>(load<u32>(root) >> 16)) << 2);
    for (let index = key >> rootBits; index < size; index += 1 << (length - rootBits)) {
      store<u32>(second + ((<usize>index) << 2), entry | (length - rootBits));
    }
  }
  return true;
}

/** Has literals bring along the literal behind them. From the top, because what is behind stands further down. */
function joinLiterals(): void {
  for (let index = (1 << LENGTH_BITS) - 1; index >= 0; index--) {
    const at = lengthTable + ((<usize>index) << 2);
    const first = load<u32>(at);
    if ((first & LITERAL) === 0) continue;
    const used = first & 0xff;
    const second = load<u32>(lengthTable + ((<usize>(index >> used)) << 2));
    if ((second & LITERAL) === 0 || used + (second & 0xff) > <u32>LENGTH_BITS) continue;
    const values = ((second & 0xff0000) << 8) | (first & 0xff0000);
    store<u32>(at, values | LITERAL | 0x200 | (used + (second & 0xff)));
  }
}
