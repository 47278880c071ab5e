/** A block of literals and matches with codes of its own (RFC 1951, 3.2.7). */
import { putBits } from "./bits";
import { makeCodes } from "./codes";

/** More of them share the cost of their tables, fewer fit their codes better. */
const TOKENS_MAX: i32 = 16384;

const LITERALS: i32 = 286;
const DISTANCES: i32 = 30;
const LENGTHS: i32 = 19;
const END: i32 = 256;
const LENGTH_BITS_MAX: i32 = 7;

/** A literal is its byte; a match `length << 16 | distance`, which is more. */
let tokens: usize = 0;
let count: i32 = 0;
let codeBitsMax: i32 = 0;

const literals: usize = memory.data(286 * 4, 16);
const distances: usize = memory.data(30 * 4, 16);
const lengths: usize = memory.data(19 * 4, 16);
const literalCodes: usize = memory.data(286 * 4, 16);
const distanceCodes: usize = memory.data(30 * 4, 16);
const lengthCodes: usize = memory.data(19 * 4, 16);

/** The code lengths of both alphabets, run by run: `extra << 8 | symbol`. */
const runs: usize = memory.data(316 * 2, 16);
/** In which order the lengths of the lengths' codes are written. */
const ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

export function blockBytes(): usize {
  return (<usize>TOKENS_MAX) << 2;
}

export function beginBlocks(table: usize, bitsMax: i32): void {
  tokens = table;
  codeBitsMax = bitsMax;
  forget();
}

function forget(): void {
  count = 0;
  memory.fill(literals, 0, (<usize>LITERALS) << 2);
  memory.fill(distances, 0, (<usize>DISTANCES) << 2);
}

/** Whether no more fit. */
export function isBlockFull(): bool {
  return count === TOKENS_MAX;
}

function increase(table: usize, symbol: i32): void {
  const slot = table + ((<usize>symbol) << 2);
  store<i32>(slot, load<i32>(slot) + 1);
}

export function addLiteral(byte: u32): void {
  store<u32>(tokens + ((<usize>count) << 2), byte);
  count++;
  increase(literals, byte);
}

export function addMatch(length: i32, distance: i32): void {
  store<u32>(tokens + ((<usize>count) << 2), ((<u32>length) << 16) | distance);
  count++;
  increase(literals, lengthSymbol(length));
  increase(distances, distanceSymbol(distance));
}

/** Symbols of lengths have two bits of them below their highest, but for the first eight and the last (3.2.5). */
function lengthSymbol(length: i32): i32 {
  if (length === 258) return 285;
  const above = length - 3;
  if (above < 8) return 257 + above;
  const top = 31 - clz(above);
  return 257 + ((top - 1) << 2) + ((above >> (top - 2)) & 3);
}

/** Symbols of distances have one bit of them below their highest, but for the first four (3.2.5). */
function distanceSymbol(distance: i32): i32 {
  const above = distance - 1;
  if (above < 4) return above;
  const top = 31 - clz(above);
  return (top << 1) + ((above >> (top - 1)) & 1);
}

/** Decoders want complete codes, which have two symbols at least. */
function useTwo(table: usize, symbols: i32): void {
  let used: i32 = 0;
  for (let symbol: i32 = 0; symbol < symbols; symbol++) {
    if (load<i32>(table + ((<usize>symbol) << 2)) !== 0) used++;
  }
  for (let symbol: i32 = 0; used < 2; symbol++) {
    if (load<i32>(table + ((<usize>symbol) << 2)) !== 0) continue;
    increase(table, symbol);
    used++;
  }
}

/** Writes what was added and begins the next block. */
export function writeBlock(isLast: bool): void {
  increase(literals, END);
  useTwo(literals, LITERALS);
  useTwo(distances, DISTANCES);
  makeCodes(literals, LITERALS, codeBitsMax, literalCodes);
  makeCodes(distances, DISTANCES, codeBitsMax, distanceCodes);
  putBits((isLast ? 1 : 0) | (2 << 1), 3);
  writeTables();
  writeTokens();
  forget();
}

function lengthOf(codes: usize, symbol: i32): i32 {
  return <i32>(load<u32>(codes + ((<usize>symbol) << 2)) >> 16);
}

function countOf(codes: usize, symbols: i32, least: i32): i32 {
  let used = symbols;
  while (used > least && lengthOf(codes, used - 1) === 0) used--;
  return used;
}

function writeTables(): void {
  const literalCount = countOf(literalCodes, LITERALS, END + 1);
  const distanceCount = countOf(distanceCodes, DISTANCES, 1);
  memory.fill(lengths, 0, (<usize>LENGTHS) << 2);
  const all = literalCount + distanceCount;
  let runCount: i32 = 0;
  for (let at: i32 = 0; at < all; ) {
    const length = lengthAt(at, literalCount);
    let run: i32 = 1;
    while (at + run < all && lengthAt(at + run, literalCount) === length) run++;
    at += run;
    if (length !== 0) {
      runCount = addRun(runCount, length, 0);
      run--;
    }
    while (run >= 3) {
      const most = length !== 0 ? 6 : run < 11 ? 10 : 138;
      const taken = min(run, most);
      const symbol = length !== 0 ? 16 : taken < 11 ? 17 : 18;
      runCount = addRun(runCount, symbol, taken - (symbol === 18 ? 11 : 3));
      run -= taken;
    }
    for (; run > 0; run--) runCount = addRun(runCount, length, 0);
  }
  useTwo(lengths, LENGTHS);
  makeCodes(lengths, LENGTHS, LENGTH_BITS_MAX, lengthCodes);
  let written = LENGTHS;
  while (written > 4 && lengthOf(lengthCodes, load<u8>(ORDER + written - 1)) === 0) written--;
  putBits(<u64>(literalCount - 257) | ((<u64>(distanceCount - 1)) << 5) | ((<u64>(written - 4)) << 10), 14);
  for (let index: i32 = 0; index < written; index++) {
    putBits(<u64>lengthOf(lengthCodes, load<u8>(ORDER + index)), 3);
  }
  for (let index: i32 = 0; index < runCount; index++) {
    const run = <u32>load<u16>(runs + ((<usize>index) << 1));
    const symbol = run & 255;
    putCode(lengthCodes, symbol);
    if (symbol >= 16) putBits(run >> 8, symbol === 16 ? 2 : symbol === 17 ? 3 : 7);
  }
}

function lengthAt(at: i32, literalCount: i32): i32 {
  return at < literalCount ? lengthOf(literalCodes, at) : lengthOf(distanceCodes, at - literalCount);
}

function addRun(index: i32, symbol: i32, extra: i32): i32 {
  store<u16>(runs + ((<usize>index) << 1), <u16>((extra << 8) | symbol));
  increase(lengths, symbol);
  return index + 1;
}

function putCode(codes: usize, symbol: u32): void {
  const code = load<u32>(codes + ((<usize>symbol) << 2));
  putBits(code & 0xffff, code >> 16);
}

function writeTokens(): void {
  const end = tokens + ((<usize>count) << 2);
  for (let at = tokens; at < end; at += 4) {
    const token = load<u32>(at);
    if (token < 65536) putCode(literalCodes, token);
    else putMatch(<i32>(token >> 16), <i32>(token & 0xffff));
  }
  putCode(literalCodes, END);
}

function putMatch(length: i32, distance: i32): void {
  putCode(literalCodes, lengthSymbol(length));
  const longer = length - 3;
  if (longer >= 8 && length < 258) {
    const bits = 29 - clz(longer);
    putBits(longer & ((1 << bits) - 1), bits);
  }
  putCode(distanceCodes, distanceSymbol(distance));
  const farther = distance - 1;
  if (farther >= 4) {
    const bits = 30 - clz(farther);
    putBits(farther & ((1 << bits) - 1), bits);
  }
}
