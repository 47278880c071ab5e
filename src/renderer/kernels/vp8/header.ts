import { isOverrun, readBool, readerOf, readLiteral, readOptional } from "./bits";
import { setFilters } from "./filter-levels";
import { readQuantisers } from "./quantisers";
import { TOKEN_PROBABILITIES, UPDATE_PROBABILITIES } from "./token-probabilities";

/** The frame header in the first partition (RFC 6386, 9.2–9.11 and 19.2), of a key frame. */

/** Which band of probabilities the coefficient at a position uses; one more entry for what follows the last. */
const BANDS: usize = memory.data<u8>([0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7]);

/** Probabilities laid out by position: 4 block types × 17 positions × 3 contexts × 16 bytes, 11 of them used. */
export const TOKENS: usize = memory.data(3264, 16);
export const TOKENS_OF_CONTEXT: usize = 16;
export const TOKENS_OF_POSITION: usize = 48;
export const TOKENS_OF_TYPE: usize = 816;

export const SEGMENT_PROBABILITIES: usize = memory.data(4);
const SEGMENT_QUANTISERS: usize = memory.data(4);
const SEGMENT_LEVELS: usize = memory.data(4);
const MODE_DELTAS: usize = memory.data(8);

export let isSegmentCoded: bool = false;
/** That a macroblock has coefficients; -1 when none is skipped. */
export let skipProbability: i32 = -1;
/** 0 none, 1 simple, 2 normal. */
export let filterType: i32 = 0;

/** Reads the header. Gives the number of coefficient partitions, or 0 when the partition ends early. */
export function readHeader(): i32 {
  const reader = readerOf(0);
  // Colour space, and whether samples need clamping: they are clamped.
  readLiteral(reader, 2);
  const hasSegments = readBool(reader, 128) !== 0;
  const isAbsolute = readSegments(reader, hasSegments);
  const isSimple = readBool(reader, 128) !== 0;
  const level = readLiteral(reader, 6);
  const sharpness = readLiteral(reader, 3);
  const hasDeltas = readBool(reader, 128) !== 0;
  readModeDeltas(reader, hasDeltas);
  filterType = level === 0 ? 0 : isSimple ? 1 : 2;
  for (let segment = 0; segment < 4; segment++) {
    let base = level;
    if (hasSegments) {
      const own = <i32>load<i8>(SEGMENT_LEVELS + <usize>segment);
      base = isAbsolute ? own : level + own;
    }
    // Of the deltas, a key frame knows that of its own reference and that of subblock modes.
    const whole = hasDeltas ? base + <i32>load<i8>(MODE_DELTAS) : base;
    setFilters(segment, whole, hasDeltas ? whole + <i32>load<i8>(MODE_DELTAS, 4) : whole, sharpness);
  }
  const partitions = 1 << readLiteral(reader, 2);
  readQuantisers(hasSegments, isAbsolute, SEGMENT_QUANTISERS);
  // Whether probabilities outlive the frame.
  readBool(reader, 128);
  readTokenProbabilities(reader);
  skipProbability = readBool(reader, 128) !== 0 ? readLiteral(reader, 8) : -1;
  return isOverrun(reader) ? 0 : partitions;
}

function readSegments(reader: usize, hasSegments: bool): bool {
  let isAbsolute = true;
  isSegmentCoded = false;
  store<u32>(SEGMENT_QUANTISERS, 0);
  store<u32>(SEGMENT_LEVELS, 0);
  store<u32>(SEGMENT_PROBABILITIES, 0xffffffff);
  if (!hasSegments) return isAbsolute;
  isSegmentCoded = readBool(reader, 128) !== 0;
  if (readBool(reader, 128) !== 0) {
    isAbsolute = readBool(reader, 128) !== 0;
    for (let segment: usize = 0; segment < 4; segment++) {
      store<i8>(SEGMENT_QUANTISERS + segment, <i8>readOptional(reader, 7));
    }
    for (let segment: usize = 0; segment < 4; segment++) {
      store<i8>(SEGMENT_LEVELS + segment, <i8>readOptional(reader, 6));
    }
  }
  if (!isSegmentCoded) return isAbsolute;
  for (let node: usize = 0; node < 3; node++) {
    if (readBool(reader, 128) !== 0) store<u8>(SEGMENT_PROBABILITIES + node, <u8>readLiteral(reader, 8));
  }
  return isAbsolute;
}

function readModeDeltas(reader: usize, hasDeltas: bool): void {
  store<u64>(MODE_DELTAS, 0);
  if (!hasDeltas || readBool(reader, 128) === 0) return;
  for (let delta: usize = 0; delta < 8; delta++) {
    store<i8>(MODE_DELTAS + delta, <i8>readOptional(reader, 6));
  }
}

function readTokenProbabilities(reader: usize): void {
  for (let type: usize = 0; type < 4; type++) {
    for (let position: usize = 0; position < 17; position++) {
      const band = <usize>load<u8>(BANDS + position);
      for (let entry: usize = 0; entry < 33; entry++) {
        const from = TOKEN_PROBABILITIES + (type * 8 + band) * 33 + entry;
        const context = entry / 11;
        const to = TOKENS + type * TOKENS_OF_TYPE + position * TOKENS_OF_POSITION;
        store<u8>(to + context * TOKENS_OF_CONTEXT + (entry - context * 11), load<u8>(from));
      }
    }
    for (let band: usize = 0; band < 8; band++) readBand(reader, type, band);
  }
}

function readBand(reader: usize, type: usize, band: usize): void {
  for (let entry: usize = 0; entry < 33; entry++) {
    if (readBool(reader, load<u8>(UPDATE_PROBABILITIES + (type * 8 + band) * 33 + entry)) === 0) continue;
    const probability = <u8>readLiteral(reader, 8);
    const context = entry / 11;
    const at = TOKENS + type * TOKENS_OF_TYPE + context * TOKENS_OF_CONTEXT + (entry - context * 11);
    for (let position: usize = 0; position < 17; position++) {
      if (<usize>load<u8>(BANDS + position) === band)
        store<u8>(at + position * TOKENS_OF_POSITION, probability);
    }
  }
}
