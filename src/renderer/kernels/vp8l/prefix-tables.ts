/**
 * Lookup tables of canonical prefix codes (RFC 9649, 3.7.2.1): two levels of 16-bit entries. An entry is `symbol << 4 |
 * code length`. The first level is indexed with the next 8 bits, or fewer if the longest code is shorter. There `offset
 * << 4 | 8 + bits`, a length above 8, points to a subtable, indexed with the `bits` after those 8.
 */

const ROOT_BITS: i32 = 8;
const LENGTH_MAX: i32 = 15;
/**
 * Largest number of entries of a code of 2328 symbols and 15 bits with 8 root bits, as zlib's `enough.c` counts them.
 */
const ENTRIES_MAX: i32 = 2704;
const SYMBOLS_MAX: i32 = 2328;

/** Address of the table of `buildTable`. */
export const builtTable: usize = memory.data(ENTRIES_MAX * 2 + 16, 16);
const sorted: usize = memory.data(SYMBOLS_MAX * 2, 16);
const counts: usize = memory.data(64, 16);
const offsets: usize = memory.data(64, 16);

/** The index mask of the first level; set by `buildTable`. */
export let rootMask: u32 = 0;

/** The entry for the next bits, first or second level: `symbol << 4 | length`. */
export function lookUp(table: usize, mask: u32, bits: u64): u32 {
  const entry: u32 = load<u16>(table + ((<u32>bits & mask) << 1));
  const length = entry & 15;
  if (length <= 8) return entry;
  const within = (<u32>bits >> 8) & ((1 << (length - 8)) - 1);
  return load<u16>(table + (((entry >> 4) + within) << 1));
}

function countOf(length: i32): i32 {
  return load<i32>(counts + ((<usize>length) << 2));
}

/** The next code of that length, with reversed bits. */
function nextKey(key: u32, length: i32): u32 {
  let step: u32 = 1 << (length - 1);
  while (key & step) step >>= 1;
  return step === 0 ? key : (key & (step - 1)) + step;
}

function fill(from: i32, step: i32, end: i32, entry: u32): void {
  for (let index = from; index < end; index += step) store<u16>(builtTable + ((<usize>index) << 1), entry);
}

/**
 * Builds the table of a code from the code lengths (bytes) of `symbols` symbols. Returns its number of entries, or 0
 * when the code is empty, over-subscribed or incomplete. A code of one symbol takes no bits.
 */
export function buildTable(lengths: usize, symbols: i32): i32 {
  memory.fill(counts, 0, 64);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = counts + ((<usize>load<u8>(lengths + symbol)) << 2);
    store<i32>(count, load<i32>(count) + 1);
  }
  store<i32>(counts, 0);
  let total = 0;
  let longest = 0;
  let space = 1;
  for (let length = 1; length <= LENGTH_MAX; length++) {
    const count = countOf(length);
    store<i32>(offsets + ((<usize>length) << 2), total);
    total += count;
    space = (space << 1) - count;
    if (count > 0) longest = length;
    if (space < 0) return 0;
  }
  if (total === 0 || (space !== 0 && total > 1)) return 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = load<u8>(lengths + symbol);
    if (length === 0) continue;
    const place = offsets + ((<usize>length) << 2);
    const index = load<i32>(place);
    store<u16>(sorted + ((<usize>index) << 1), <u16>symbol);
    store<i32>(place, index + 1);
  }
  if (total === 1) {
    rootMask = 0;
    store<u16>(builtTable, load<u16>(sorted) << 4);
    return 1;
  }
  return fillTables(longest);
}

function fillTables(longest: i32): i32 {
  const rootBits = min(ROOT_BITS, longest);
  rootMask = (1 << rootBits) - 1;
  let next = sorted;
  let key: u32 = 0;
  for (let length = 1; length <= rootBits; length++) {
    for (let left = countOf(length); left > 0; left--, next += 2) {
      fill(key, 1 << length, 1 << rootBits, ((<u32>load<u16>(next)) << 4) | length);
      key = nextKey(key, length);
    }
  }
  let tableStart = 0;
  let tableEnd = 1 << rootBits;
  let prefix: u32 = u32.MAX_VALUE;
  for (let length = rootBits + 1; length <= longest; length++) {
    for (; countOf(length) > 0; next += 2) {
      if ((key & rootMask) !== prefix) {
        prefix = key & rootMask;
        const bits = secondBits(length, longest);
        tableStart = tableEnd;
        tableEnd += 1 << bits;
        if (tableEnd > ENTRIES_MAX) return 0;
        store<u16>(builtTable + (prefix << 1), (tableStart << 4) | (ROOT_BITS + bits));
      }
      const within = <i32>(key >> ROOT_BITS);
      fill(tableStart + within, 1 << (length - ROOT_BITS), tableEnd, ((<u32>load<u16>(next)) << 4) | length);
      key = nextKey(key, length);
      store<i32>(counts + ((<usize>length) << 2), countOf(length) - 1);
    }
  }
  return tableEnd;
}

/** Index bits of the subtable whose shortest code has this length: as many as the codes with its prefix need. */
function secondBits(from: i32, longest: i32): i32 {
  let length = from;
  let space = 1 << (length - ROOT_BITS);
  while (length < longest) {
    space -= countOf(length);
    if (space <= 0) break;
    length++;
    space <<= 1;
  }
  return length - ROOT_BITS;
}
