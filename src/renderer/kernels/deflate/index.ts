/**
 * Deflates (RFC 1951) a buffer into one zlib stream (RFC 1950): the longest of a few earlier strings at each place,
 * and Huffman codes made for every block. Of numbers of colours, where a literal costs nearly what a match does, putting
 * matches off for longer ones gains a hundredth and takes a third more time.
 */
import { resetArena, take } from "../arena";
import { beginBits, endBits, putBits } from "./bits";
import { addLiteral, addMatch, beginBlocks, blockBytes, isBlockFull, writeBlock } from "./block";
import { beginMatches, distance, findMatch, LENGTH_MIN, matchesBytes } from "./matches";

/** A little more than the pixels of the largest preview, its result, and what is kept of both. */
const MEMORY_BYTES_MAX: usize = 8 << 20;

const SLACK_BYTES: usize = 16;
/** Largest sum of bytes that the second sum of Adler-32 can take up in 32 bits. */
const ADLER_BYTES: usize = 5552;
const ADLER_MODULUS: u32 = 65521;

let input: usize = 0;
let inputBytes: i32 = 0;
let output: usize = 0;

/** Reserves memory for `bytes` of input. Codes have at most `codeBitsMax` bits, 9 to 15. Answers 1 when that is too much, else 0. */
export function begin(bytes: i32, codeBitsMax: i32): i32 {
  resetArena(MEMORY_BYTES_MAX);
  inputBytes = bytes;
  input = take(<usize>bytes + SLACK_BYTES);
  const matches = take(matchesBytes());
  const blocks = take(blockBytes());
  // Codes made for a block take no more than nine bits a byte on the whole, and its tables half a KB of every 16.
  output = take(<usize>bytes + (<usize>bytes >> 2) + 1024);
  if (input === 0 || matches === 0 || blocks === 0 || output === 0) return 1;
  beginMatches(matches, input, bytes);
  beginBlocks(blocks, codeBitsMax);
  return 0;
}

/** Where the input goes before `deflate`. */
export function inputAt(): usize {
  return input;
}

export function outputAt(): usize {
  return output;
}

/** Deflates the input; gives how many bytes stand at `outputAt`. */
export function deflate(): i32 {
  beginBits(output);
  // A window of 32 KB, the usual effort, and what makes both bytes a multiple of 31.
  putBits(0x9c78, 16);
  let at: i32 = 0;
  while (at < inputBytes) {
    const length = findMatch(at);
    if (length < LENGTH_MIN) {
      addLiteral(load<u8>(input + at));
      at++;
    } else {
      addMatch(length, distance);
      at += length;
    }
    if (isBlockFull()) writeBlock(false);
  }
  writeBlock(true);
  return <i32>(endBits(adler32()) - output);
}

function adler32(): u32 {
  let low: u32 = 1;
  let high: u32 = 0;
  const end = input + inputBytes;
  for (let at = input; at < end; ) {
    const stop = min(end, at + ADLER_BYTES);
    for (; at < stop; at++) {
      low += load<u8>(at);
      high += low;
    }
    low %= ADLER_MODULUS;
    high %= ADLER_MODULUS;
  }
  return (high << 16) | low;
}
