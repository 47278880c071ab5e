/**
 * Inflates a zlib stream (RFC 1950, 1951) in chunks. Output goes into a sliding buffer, which keeps the 32 KB before
 * `outStart` that matches may refer to. `phase` is the point at which to resume.
 */

import { allocate } from "../allocator";
import {
  alignToByte,
  bitBuffer,
  bitCount,
  at as bitsAt,
  end as bitsEnd,
  dropBits,
  isLast,
  isPastEnd,
  needsInput,
  readBits,
  STEP_BYTES_MAX,
  SYMBOL_BYTES_MAX,
  saveBits,
  skipBytes,
} from "../bit-reader";
import {
  DISTANCE_BITS,
  distanceTable,
  END_OF_BLOCK,
  LITERAL,
  LITERAL_LENGTH_BITS,
  literalLengthTable,
  readDynamicHuffmanCodes,
  SUBTABLE,
  useFixedHuffmanCodes,
} from "./huffman-tables";

export const INFLATED: i32 = 0;
export const INFLATE_NEEDS_INPUT: i32 = 1;
export const INFLATE_DAMAGED: i32 = 2;
export const INFLATE_SHORT: i32 = 3;
export const INFLATE_ENDED: i32 = 4;

const HISTORY_BYTES: usize = 32768;
/** Output bytes of a call, so few that they are still in the processor's cache when their rows are read. */
const CHUNK_BYTES: usize = 98304;
/** The longest match, plus the bytes that vector stores write past it. */
const SLACK_BYTES: usize = 258 + 64;

const ZLIB_HEADER: i32 = 0;
const BLOCK_HEADER: i32 = 1;
const STORED_BLOCK: i32 = 2;
const HUFFMAN_BLOCK: i32 = 3;
const ENDED: i32 = 4;

let phase: i32 = 0;
let bfinal: bool = false;
let storedLeft: usize = 0;
let buffer: usize = 0;
let bufferEnd: usize = 0;
/** End of the output. */
export let outEnd: usize = 0;
/** Start of the unread output. */
export let outStart: usize = 0;

/** Starts a stream whose output is read in chunks of up to `pieceBytes`. False when out of memory. */
export function startInflate(pieceBytes: usize): bool {
  const bytes = HISTORY_BYTES + CHUNK_BYTES + pieceBytes;
  buffer = allocate(bytes + SLACK_BYTES);
  bufferEnd = buffer + bytes;
  outStart = buffer;
  outEnd = buffer;
  phase = ZLIB_HEADER;
  bfinal = false;
  return buffer !== 0;
}

/** Marks `bytes` of the output as read. */
export function readOutput(bytes: usize): void {
  outStart += bytes;
}

/**
 * Inflates until the buffer is full (`INFLATED`). `INFLATE_ENDED`: the stream ended, possibly with new output.
 * `INFLATE_SHORT`: the input ended before the stream, and the output must not be read.
 */
export function inflate(): i32 {
  const oldest = min(outStart, outEnd < buffer + HISTORY_BYTES ? buffer : outEnd - HISTORY_BYTES);
  if (oldest > buffer) {
    memory.copy(buffer, oldest, outEnd - oldest);
    outStart -= oldest - buffer;
    outEnd -= oldest - buffer;
  }
  let status = INFLATED;
  while (status === INFLATED && outEnd < bufferEnd) {
    if (phase === ENDED) return INFLATE_ENDED;
    status = step();
    if (isPastEnd()) return INFLATE_SHORT;
  }
  return status;
}

function step(): i32 {
  switch (phase) {
    case ZLIB_HEADER:
      return readZlibHeader();
    case BLOCK_HEADER:
      return readBlockHeader();
    case STORED_BLOCK:
      return copyStored();
    default:
      return inflateCodes();
  }
}

function endBlock(): i32 {
  phase = bfinal ? ENDED : BLOCK_HEADER;
  return INFLATED;
}

function readZlibHeader(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return INFLATE_NEEDS_INPUT;
  const method = readBits(8);
  const flags = readBits(8);
  const isDeflate = (method & 15) === 8 && method >> 4 <= 7;
  if (!isDeflate || ((method << 8) | flags) % 31 !== 0 || (flags & 0x20) !== 0) return INFLATE_DAMAGED;
  phase = BLOCK_HEADER;
  return INFLATED;
}

function readBlockHeader(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return INFLATE_NEEDS_INPUT;
  bfinal = readBits(1) === 1;
  const btype = readBits(2);
  if (btype === 3) return INFLATE_DAMAGED;
  if (btype === 0) {
    dropBits(<u32>(bitCount & 7));
    const len = readBits(16);
    if (readBits(16) !== (len ^ 0xffff)) return INFLATE_DAMAGED;
    alignToByte();
    storedLeft = len;
    phase = STORED_BLOCK;
    return INFLATED;
  }
  phase = HUFFMAN_BLOCK;
  return (btype === 1 ? useFixedHuffmanCodes() : readDynamicHuffmanCodes()) ? INFLATED : INFLATE_DAMAGED;
}

function copyStored(): i32 {
  if (storedLeft === 0) return endBlock();
  if (bitsAt >= bitsEnd) return isLast ? INFLATE_SHORT : INFLATE_NEEDS_INPUT;
  const bytes = min(storedLeft, min(bitsEnd - bitsAt, bufferEnd - outEnd));
  memory.copy(outEnd, bitsAt, bytes);
  skipBytes(bytes);
  outEnd += bytes;
  storedLeft -= bytes;
  return INFLATED;
}

function inflateCodes(): i32 {
  let to = outEnd;
  let at = bitsAt;
  let bits = bitBuffer;
  let count = bitCount;
  const atMax = isLast ? bitsEnd + 8 : bitsEnd - SYMBOL_BYTES_MAX;
  const toEnd = bufferEnd;
  const lengthMask: u32 = (1 << LITERAL_LENGTH_BITS) - 1;
  const distanceMask: u32 = (1 << DISTANCE_BITS) - 1;
  let status = INFLATED;
  while (to < toEnd) {
    if (at > atMax) {
      status = isLast ? INFLATE_SHORT : INFLATE_NEEDS_INPUT;
      break;
    }
    bits |= load<u64>(at) << count;
    at += <usize>((63 - count) >> 3);
    count |= 56;
    let entry = load<u32>(literalLengthTable + ((<u32>bits & lengthMask) << 2));
    if (entry & LITERAL) {
      store<u16>(to, <u16>(entry >> 16));
      to += (entry >> 8) & 3;
      bits >>= <u64>(entry & 0xff);
      count -= <u64>(entry & 0xff);
      entry = load<u32>(literalLengthTable + ((<u32>bits & lengthMask) << 2));
      if (entry & LITERAL) {
        store<u16>(to, <u16>(entry >> 16));
        to += (entry >> 8) & 3;
        bits >>= <u64>(entry & 0xff);
        count -= <u64>(entry & 0xff);
        entry = load<u32>(literalLengthTable + ((<u32>bits & lengthMask) << 2));
        if (entry & LITERAL) {
          store<u16>(to, <u16>(entry >> 16));
          to += (entry >> 8) & 3;
          bits >>= <u64>(entry & 0xff);
          count -= <u64>(entry & 0xff);
          continue;
        }
      }
    }
    bits >>= <u64>(entry & 0xff);
    count -= <u64>(entry & 0xff);
    if (entry & SUBTABLE) {
      const within = <u32>bits & ((1 << ((entry >> 8) & 15)) - 1);
      entry = load<u32>(literalLengthTable + (((entry >> 16) + within) << 2));
      bits >>= <u64>(entry & 0xff);
      count -= <u64>(entry & 0xff);
      if (entry & LITERAL) {
        store<u8>(to, <u8>(entry >> 16));
        to++;
        continue;
      }
    }
    if (entry & END_OF_BLOCK) {
      if (entry >> 16) status = INFLATE_DAMAGED;
      else endBlock();
      break;
    }
    const lengthExtra = (entry >> 8) & 15;
    const length: usize = (entry >> 16) + (<u32>bits & ((1 << lengthExtra) - 1));
    bits >>= <u64>lengthExtra;
    count -= <u64>lengthExtra;
    bits |= load<u64>(at) << count;
    at += <usize>((63 - count) >> 3);
    count |= 56;
    entry = load<u32>(distanceTable + ((<u32>bits & distanceMask) << 2));
    bits >>= <u64>(entry & 0xff);
    count -= <u64>(entry & 0xff);
    if (entry & SUBTABLE) {
      const within = <u32>bits & ((1 << ((entry >> 8) & 15)) - 1);
      entry = load<u32>(distanceTable + (((entry >> 16) + within) << 2));
      bits >>= <u64>(entry & 0xff);
      count -= <u64>(entry & 0xff);
    }
    const distanceExtra = (entry >> 8) & 15;
    const distance: usize = (entry >> 16) + (<u32>bits & ((1 << distanceExtra) - 1));
    bits >>= <u64>distanceExtra;
    count -= <u64>distanceExtra;
    if (entry & END_OF_BLOCK || distance > to - buffer) {
      status = INFLATE_DAMAGED;
      break;
    }
    copyMatch(to, distance, length);
    to += length;
  }
  outEnd = to;
  saveBits(at, bits, count);
  return status;
}

/** Copies a match from `distance` bytes earlier; overlapping bytes repeat. May write up to 15 bytes past the match. */
function copyMatch(to: usize, distance: usize, length: usize): void {
  const end = to + length;
  if (distance >= 16) {
    for (; to < end; to += 16) v128.store(to, v128.load(to - distance));
  } else if (distance === 1) {
    const run = i8x16.splat(load<i8>(to - 1));
    for (; to < end; to += 16) v128.store(to, run);
  } else if (distance >= 8) {
    for (; to < end; to += 8) store<u64>(to, load<u64>(to - distance));
  } else {
    for (; to < end; to++) store<u8>(to, load<u8>(to - distance));
  }
}
