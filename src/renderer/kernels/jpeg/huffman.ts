/*
 * Huffman tables (T.81, annex C and F.2.2.3). A table has three lookups, indexed with the next ten bits:
 *
 *   at 0           u32  a whole coefficient: value << 16 | RRRR << 8 | length, where `length` counts the bits of the code
 *                       and of the SSSS bits after it; 0 when they are more than ten bits. EOB is a run of EOB_RUN
 *                       zeros, which takes the index past 63.
 *   SYMBOL_LOOKUP  u16  the code alone: code length << 8 | RS; 0 when the code is longer than ten bits.
 *   SKIP_LOOKUP    u16  as many whole coefficients as fit: coefficients << 8 | whether EOB follows << 7 | length
 *
 * Codes of 11 to 16 bits are found by their length: MAXCODE is the first code past those of the length, aligned left in
 * 16 bits; VALOFFSET is VALPTR - MINCODE, and a code plus VALOFFSET is its index in HUFFVAL.
 */
export const LOOKAHEAD_BITS: i32 = 10;
const LOOKAHEADS: i32 = 1024;
export const SYMBOL_LOOKUP: usize = 4096;
export const SKIP_LOOKUP: usize = 6144;
const MAXCODE: usize = 8192;
const VALOFFSET: usize = 8192 + 72;
const HUFFVAL: usize = 8192 + 144;
const TABLE_BYTES: usize = 8192 + 144 + 256;

/**
 * A table as DHT defines it: BITS (16 bytes), HUFFVAL (256 bytes), whether it is defined, whether its lookups are
 * built.
 */
const DEFINITION_BYTES: usize = 274;
const IS_DEFINED: usize = 272;
const IS_BUILT: usize = 273;

/** Index Tc * 4 + Th: 0 to 3 are DC tables, 4 to 7 AC tables. */
const DEFINITIONS: usize = memory.data(8 * 274, 16);
const TABLES: usize = memory.data(8 * (8192 + 144 + 256), 16);

/** The body of a DHT segment with the four typical tables of T.81, K.3.3: Tc and Th, BITS and HUFFVAL of each. */
const DEFAULT_DHT_BYTES: i32 = 416;
const DEFAULT_DHT: usize = memory.data<u8>([
  0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 0, 2, 1, 3, 3,
  2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125, 1, 2, 3, 0, 4, 17, 5, 18, 33, 49, 65, 6, 19, 81, 97, 7, 34, 113, 20, 50,
  129, 145, 161, 8, 35, 66, 177, 193, 21, 82, 209, 240, 36, 51, 98, 114, 130, 9, 10, 22, 23, 24, 25, 26, 37,
  38, 39, 40, 41, 42, 52, 53, 54, 55, 56, 57, 58, 67, 68, 69, 70, 71, 72, 73, 74, 83, 84, 85, 86, 87, 88, 89,
  90, 99, 100, 101, 102, 103, 104, 105, 106, 115, 116, 117, 118, 119, 120, 121, 122, 131, 132, 133, 134, 135,
  136, 137, 138, 146, 147, 148, 149, 150, 151, 152, 153, 154, 162, 163, 164, 165, 166, 167, 168, 169, 170,
  178, 179, 180, 181, 182, 183, 184, 185, 186, 194, 195, 196, 197, 198, 199, 200, 201, 202, 210, 211, 212,
  213, 214, 215, 216, 217, 218, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 241, 242, 243, 244, 245,
  246, 247, 248, 249, 250, 1, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  10, 11, 17, 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119, 0, 1, 2, 3, 17, 4, 5, 33, 49, 6, 18, 65, 81,
  7, 97, 113, 19, 34, 50, 129, 8, 20, 66, 145, 161, 177, 193, 9, 35, 51, 82, 240, 21, 98, 114, 209, 10, 22,
  36, 52, 225, 37, 241, 23, 24, 25, 26, 38, 39, 40, 41, 42, 53, 54, 55, 56, 57, 58, 67, 68, 69, 70, 71, 72,
  73, 74, 83, 84, 85, 86, 87, 88, 89, 90, 99, 100, 101, 102, 103, 104, 105, 106, 115, 116, 117, 118, 119, 120,
  121, 122, 130, 131, 132, 133, 134, 135, 136, 137, 138, 146, 147, 148, 149, 150, 151, 152, 153, 154, 162,
  163, 164, 165, 166, 167, 168, 169, 170, 178, 179, 180, 181, 182, 183, 184, 185, 186, 194, 195, 196, 197,
  198, 199, 200, 201, 202, 210, 211, 212, 213, 214, 215, 216, 217, 218, 226, 227, 228, 229, 230, 231, 232,
  233, 234, 242, 243, 244, 245, 246, 247, 248, 249, 250,
]);

/** The run of zeros that stands for EOB. */
export const EOB_RUN: u32 = 64;

/** The bits match no code. */
export const NO_CODE: i32 = -1;

/** Tables 0 and 1 start as those of T.81, annex K.3, which Motion JPEG frames omit. */
export function clearTables(): void {
  memory.fill(DEFINITIONS, 0, 8 * DEFINITION_BYTES);
  readDht(DEFAULT_DHT, DEFAULT_DHT_BYTES);
}

/** Reads the body of a DHT segment (T.81, B.2.4.2). Lookups are built when a scan first uses a table. */
export function readDht(from: usize, length: i32): bool {
  let at = from;
  const end = from + usize(length);
  while (at < end) {
    if (at + 17 > end) return false;
    const tc = i32(load<u8>(at)) >> 4;
    const th = i32(load<u8>(at)) & 15;
    if (tc > 1 || th > 3) return false;
    let symbols: i32 = 0;
    for (let bits: i32 = 1; bits <= 16; bits++) symbols += i32(load<u8>(at + bits));
    if (symbols > 256 || at + 17 + symbols > end) return false;
    const definition = DEFINITIONS + usize(tc * 4 + th) * DEFINITION_BYTES;
    memory.fill(definition, 0, DEFINITION_BYTES);
    memory.copy(definition, at + 1, 16 + symbols);
    store<u8>(definition + IS_DEFINED, 1);
    at += usize(17 + symbols);
  }
  return true;
}

/** The address of table Tc * 4 + Th; 0 when it is undefined or its BITS do not form a prefix code. */
export function huffmanTable(index: i32): usize {
  const definition = DEFINITIONS + usize(index) * DEFINITION_BYTES;
  const table = TABLES + usize(index) * TABLE_BYTES;
  if (load<u8>(definition + IS_BUILT)) return table;
  if (!load<u8>(definition + IS_DEFINED)) return 0;
  const isDc = index < 4;
  if (!buildLookups(definition, table, isDc)) return 0;
  for (let lookahead: i32 = 0; lookahead < LOOKAHEADS; lookahead++) {
    store<u32>(table + (lookahead << 2), coefficientEntry(table, lookahead, isDc));
    if (!isDc) store<u16>(table + SKIP_LOOKUP + (lookahead << 1), u16(skippedEntry(table, lookahead)));
  }
  store<u8>(definition + IS_BUILT, 1);
  return table;
}

function buildLookups(definition: usize, table: usize, isDc: bool): bool {
  memory.fill(table, 0, TABLE_BYTES);
  memory.copy(table + HUFFVAL, definition + 16, 256);
  let code: i32 = 0;
  let first: i32 = 0;
  for (let bits: i32 = 1; bits <= 16; bits++) {
    const count = i32(load<u8>(definition + bits - 1));
    store<i32>(table + VALOFFSET + (bits << 2), first - code);
    for (let index: i32 = first; index < first + count; index++, code++) {
      if (code >= 1 << bits) return false;
      const symbol = i32(load<u8>(table + HUFFVAL + index));
      if (isDc && symbol > 15) return false;
      if (bits > LOOKAHEAD_BITS) continue;
      const spare = LOOKAHEAD_BITS - bits;
      for (let tail: i32 = 0; tail < 1 << spare; tail++) {
        store<u16>(table + SYMBOL_LOOKUP + (((code << spare) | tail) << 1), u16((bits << 8) | symbol));
      }
    }
    first += count;
    store<u32>(table + MAXCODE + (bits << 2), u32(code) << (16 - bits));
    code <<= 1;
  }
  // A sentinel for the search in `decodeLong`.
  store<u32>(table + MAXCODE + (17 << 2), 0xffffffff);
  return true;
}

function coefficientEntry(table: usize, lookahead: i32, isDc: bool): u32 {
  const code = i32(load<u16>(table + SYMBOL_LOOKUP + (lookahead << 1)));
  if (code === 0) return 0;
  const length = code >> 8;
  const rrrr = isDc ? 0 : (code & 255) >> 4;
  const ssss = code & 15;
  if (length + ssss > LOOKAHEAD_BITS) return 0;
  if (ssss === 0) {
    if (isDc) return u32(length);
    return rrrr === 0 ? (EOB_RUN << 8) | u32(length) : 0;
  }
  const v = (lookahead >> (LOOKAHEAD_BITS - length - ssss)) & ((1 << ssss) - 1);
  return (u32(extend(v, ssss)) << 16) | u32(rrrr << 8) | u32(length + ssss);
}

function skippedEntry(table: usize, lookahead: i32): i32 {
  let used: i32 = 0;
  let skipped: i32 = 0;
  let ends: i32 = 0;
  while (used < LOOKAHEAD_BITS) {
    const code = i32(load<u16>(table + SYMBOL_LOOKUP + (((lookahead << used) & (LOOKAHEADS - 1)) << 1)));
    const length = code >> 8;
    if (code === 0 || used + length > LOOKAHEAD_BITS) break;
    const rrrr = (code & 255) >> 4;
    const ssss = code & 15;
    const isEnd = ssss === 0 && rrrr !== 15;
    if (isEnd && rrrr !== 0) break;
    used += length + ssss;
    if (isEnd) {
      ends = 128;
      break;
    }
    skipped += rrrr + 1;
  }
  return (skipped << 8) | ends | used;
}

/** EXTEND(V, T): a coefficient from the T bits after its code (T.81, F.2.2.1). */
export function extend(v: i32, t: i32): i32 {
  return v < 1 << (t - 1) ? v + (-1 << t) + 1 : v;
}

/** The code of more than ten bits at the top of `bits`: code length << 8 | RS. */
export function decodeLong(table: usize, bits: u64): i32 {
  const code = u32(bits >> 48);
  let length: i32 = LOOKAHEAD_BITS + 1;
  while (code >= load<u32>(table + MAXCODE + (length << 2))) length++;
  if (length > 16) return NO_CODE;
  const index = i32(code >> (16 - length)) + load<i32>(table + VALOFFSET + (length << 2));
  return (length << 8) | i32(load<u8>(table + HUFFVAL + (index & 255)));
}
