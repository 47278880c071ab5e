import { AT, COUNT, RANGE, readBool, VALUE } from "./bits";
import { isSegmentCoded, SEGMENT_PROBABILITIES, skipProbability } from "./header";
import { MODE_PROBABILITIES } from "./mode-probabilities";

/** Prediction records of macroblocks (RFC 6386, 11 and 19.3). */

/** Modes of 16 × 16 luma and of chroma, and the first four of subblocks. */
export const DC: i32 = 0;
export const TRUE_MOTION: i32 = 1;
export const VERTICAL: i32 = 2;
export const HORIZONTAL: i32 = 3;
/** The other modes of subblocks. */
export const LEFT_DOWN: i32 = 4;
export const RIGHT_DOWN: i32 = 5;
export const VERTICAL_RIGHT: i32 = 6;
export const VERTICAL_LEFT: i32 = 7;
export const HORIZONTAL_DOWN: i32 = 8;
export const HORIZONTAL_UP: i32 = 9;

/** What the last record said. */
export let segment: i32 = 0;
export let isSkipped: bool = false;
export let hasSubblocks: bool = false;
export let lumaMode: i32 = 0;
export let chromaMode: i32 = 0;
/** Modes of the 16 subblocks. */
export const SUBBLOCKS: usize = memory.data(16, 16);

/** Pairs of branches; a branch above 0 is the next pair, else a mode, negated. */
const SUBBLOCK_TREE: usize = memory.data<i8>([
  0, 2, -1, 4, -2, 6, 8, 12, -3, 10, -5, -6, -4, 14, -7, 16, -8, -9,
]);

/** Reads a record. `above` and `left` are the four modes beside it, which it replaces. */
export function readModes(reader: usize, above: usize, left: usize): void {
  segment = 0;
  if (isSegmentCoded) {
    segment = readBool(reader, load<u8>(SEGMENT_PROBABILITIES)) << 1;
    segment |= readBool(reader, load<u8>(SEGMENT_PROBABILITIES + 1 + <usize>(segment >> 1)));
  }
  isSkipped = skipProbability >= 0 && readBool(reader, skipProbability) !== 0;
  hasSubblocks = readBool(reader, 145) === 0;
  if (hasSubblocks) {
    readSubblockModes(reader, above, left);
  } else {
    if (readBool(reader, 156) !== 0) lumaMode = readBool(reader, 128) !== 0 ? TRUE_MOTION : HORIZONTAL;
    else lumaMode = readBool(reader, 163) !== 0 ? VERTICAL : DC;
    const four = <u32>lumaMode * 0x01010101;
    store<u32>(above, four);
    store<u32>(left, four);
  }
  chromaMode = DC;
  if (readBool(reader, 142) === 0) return;
  if (readBool(reader, 114) === 0) chromaMode = VERTICAL;
  else chromaMode = readBool(reader, 183) !== 0 ? TRUE_MOTION : HORIZONTAL;
}

/** As `readBool`, with the reader's state in locals over all sixteen modes. */
function readSubblockModes(reader: usize, above: usize, left: usize): void {
  let value = load<u64>(reader, VALUE);
  let at = load<usize>(reader, AT);
  let range = load<u32>(reader, RANGE);
  let count = load<i32>(reader, COUNT);
  for (let block: usize = 0; block < 16; block++) {
    const column = block & 3;
    const row = block >> 2;
    const beside = <usize>load<u8>(above + column) * 10 + <usize>load<u8>(left + row);
    const probabilities = MODE_PROBABILITIES + beside * 9;
    let node = 0;
    do {
      if (count < 8) {
        const bytes = (64 - count) >> 3;
        value |= bswap<u64>(load<u64>(at)) >> <u64>count;
        count += bytes << 3;
        at += bytes;
      }
      const split = 1 + (((range - 1) * <u32>load<u8>(probabilities + (<usize>node >> 1))) >> 8);
      const edge = (<u64>split) << 56;
      if (value >= edge) {
        value -= edge;
        range -= split;
        node += 1;
      } else {
        range = split;
      }
      const shift = <u32>clz<u32>(range) - 24;
      range <<= shift;
      value <<= <u64>shift;
      count -= <i32>shift;
      node = load<i8>(SUBBLOCK_TREE + <usize>node);
    } while (node > 0);
    const mode = <u8>-node;
    store<u8>(above + column, mode);
    store<u8>(left + row, mode);
    store<u8>(SUBBLOCKS + block, mode);
  }
  store<u64>(reader, value, VALUE);
  store<usize>(reader, at, AT);
  store<u32>(reader, range, RANGE);
  store<i32>(reader, count, COUNT);
}
