/*
 * Prefix codes (T.81, annex C and F.2.2.3). A built table holds, by the next ten bits:
 *   COMBINED  u32: a whole coefficient, value << 16 | zeros before it << 8 | bits; 0 when ten bits do not hold it.
 *             The end of a block is 64 zeros, which leads past the last coefficient.
 *   CODES     u16: bits << 8 | symbol; 0 when the code is longer.
 *   SKIPS     u16: as many whole coefficients as fit: coefficients << 8 | ends the block << 7 | bits
 * and for longer codes by their length: LIMITS (first code past it, left in 16 bits) and OFFSETS of its symbols.
 */
export const LOOK_BITS: i32 = 10;
const LOOKS: i32 = 1024;
export const CODES: usize = 4096;
export const SKIPS: usize = 6144;
const LIMITS: usize = 8192;
const OFFSETS: usize = 8192 + 72;
const SYMBOLS: usize = 8192 + 144;
const TABLE_BYTES: usize = 8192 + 144 + 256;

/** A definition: 16 counts, 256 symbols, whether there is one, whether its table is built. */
const DEFINITION_BYTES: usize = 274;
const IS_DEFINED: usize = 272;
const IS_BUILT: usize = 273;

/** Tables 0–3 are for DC, 4–7 for AC. */
const DEFINITIONS: usize = memory.data(8 * 274, 16);
const TABLES: usize = memory.data(8 * (8192 + 144 + 256), 16);

export const END_RUN: u32 = 64;

/** No symbol: the bits are no code. */
export const NO_SYMBOL: i32 = -1;

export function forgetTables(): void {
  memory.fill(DEFINITIONS, 0, 8 * DEFINITION_BYTES);
}

/** Reads a segment of definitions (T.81, B.2.4.2). They are built when a scan uses them. */
export function defineTables(from: usize, length: i32): bool {
  let at = from;
  const end = from + usize(length);
  while (at < end) {
    if (at + 17 > end) return false;
    const kind = i32(load<u8>(at)) >> 4;
    const destination = i32(load<u8>(at)) & 15;
    if (kind > 1 || destination > 3) return false;
    let symbols: i32 = 0;
    for (let bits: i32 = 1; bits <= 16; bits++) symbols += i32(load<u8>(at + bits));
    if (symbols > 256 || at + 17 + symbols > end) return false;
    const definition = DEFINITIONS + usize(kind * 4 + destination) * DEFINITION_BYTES;
    memory.fill(definition, 0, DEFINITION_BYTES);
    memory.copy(definition, at + 1, 16 + symbols);
    store<u8>(definition + IS_DEFINED, 1);
    at += usize(17 + symbols);
  }
  return true;
}

/** The table's address; 0 when it is not defined or its codes cannot be. */
export function tableAt(index: i32): usize {
  const definition = DEFINITIONS + usize(index) * DEFINITION_BYTES;
  const table = TABLES + usize(index) * TABLE_BYTES;
  if (load<u8>(definition + IS_BUILT)) return table;
  if (!load<u8>(definition + IS_DEFINED)) return 0;
  const isDc = index < 4;
  if (!buildCodes(definition, table, isDc)) return 0;
  for (let look: i32 = 0; look < LOOKS; look++) {
    store<u32>(table + (look << 2), combined(table, look, isDc));
    if (!isDc) store<u16>(table + SKIPS + (look << 1), u16(skip(table, look)));
  }
  store<u8>(definition + IS_BUILT, 1);
  return table;
}

function buildCodes(definition: usize, table: usize, isDc: bool): bool {
  memory.fill(table, 0, TABLE_BYTES);
  memory.copy(table + SYMBOLS, definition + 16, 256);
  let code: i32 = 0;
  let first: i32 = 0;
  for (let bits: i32 = 1; bits <= 16; bits++) {
    const ofLength = i32(load<u8>(definition + bits - 1));
    store<i32>(table + OFFSETS + (bits << 2), first - code);
    for (let index: i32 = first; index < first + ofLength; index++, code++) {
      if (code >= 1 << bits) return false;
      const symbol = i32(load<u8>(table + SYMBOLS + index));
      if (isDc && symbol > 15) return false;
      if (bits > LOOK_BITS) continue;
      const spare = LOOK_BITS - bits;
      for (let tail: i32 = 0; tail < 1 << spare; tail++) {
        store<u16>(table + CODES + (((code << spare) | tail) << 1), u16((bits << 8) | symbol));
      }
    }
    first += ofLength;
    store<u32>(table + LIMITS + (bits << 2), u32(code) << (16 - bits));
    code <<= 1;
  }
  // Stops the search for a length.
  store<u32>(table + LIMITS + (17 << 2), 0xffffffff);
  return true;
}

function combined(table: usize, look: i32, isDc: bool): u32 {
  const code = i32(load<u16>(table + CODES + (look << 1)));
  if (code === 0) return 0;
  const length = code >> 8;
  const run = isDc ? 0 : (code & 255) >> 4;
  const size = code & 15;
  if (length + size > LOOK_BITS) return 0;
  if (size === 0) {
    if (isDc) return u32(length);
    return run === 0 ? (END_RUN << 8) | u32(length) : 0;
  }
  const magnitude = (look >> (LOOK_BITS - length - size)) & ((1 << size) - 1);
  return (u32(extend(magnitude, size)) << 16) | u32(run << 8) | u32(length + size);
}

function skip(table: usize, look: i32): i32 {
  let used: i32 = 0;
  let passed: i32 = 0;
  let ends: i32 = 0;
  while (used < LOOK_BITS) {
    const code = i32(load<u16>(table + CODES + (((look << used) & (LOOKS - 1)) << 1)));
    const length = code >> 8;
    if (code === 0 || used + length > LOOK_BITS) break;
    const run = (code & 255) >> 4;
    const size = code & 15;
    const isEnd = size === 0 && run !== 15;
    if (isEnd && run !== 0) break;
    used += length + size;
    if (isEnd) {
      ends = 128;
      break;
    }
    passed += run + 1;
  }
  return (passed << 8) | ends | used;
}

/** A coefficient from its magnitude's bits (T.81, F.2.2.1). */
export function extend(magnitude: i32, size: i32): i32 {
  return magnitude < 1 << (size - 1) ? magnitude + (-1 << size) + 1 : magnitude;
}

/** A code longer than ten bits at the top of `bits`: length << 8 | symbol. */
export function longCode(table: usize, bits: u64): i32 {
  const code = u32(bits >> 48);
  let length: i32 = LOOK_BITS + 1;
  while (code >= load<u32>(table + LIMITS + (length << 2))) length++;
  if (length > 16) return NO_SYMBOL;
  const index = i32(code >> (16 - length)) + load<i32>(table + OFFSETS + (length << 2));
  return (length << 8) | i32(load<u8>(table + SYMBOLS + (index & 255)));
}
