import { boolDecoder, isPastEnd, readBool, readLiteral, readOptionalSigned } from "./boolean-decoder";
import { setLoopFilterLevels } from "./loop-filter-levels";
import { readQuantisers } from "./quantisers";
import { COEFF_UPDATE_PROBS, DEFAULT_COEFF_PROBS } from "./token-probabilities";

/** The frame header of a key frame in the first partition (RFC 6386, 9.2–9.11 and 19.2). */

/** coeff_bands; one more entry for the position behind the last coefficient. */
const COEFF_BANDS: usize = memory.data<u8>([0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7]);

/** Coefficient probabilities by position instead of band: 4 block types × 17 positions × 3 contexts × 16 bytes, 11 of them used. */
export const COEFF_PROBS: usize = memory.data(3264, 16);
export const PROBS_OF_CONTEXT: usize = 16;
export const PROBS_OF_POSITION: usize = 48;
export const PROBS_OF_TYPE: usize = 816;

export const SEGMENT_TREE_PROBS: usize = memory.data(4);
const SEGMENT_QUANTISERS: usize = memory.data(4);
const SEGMENT_LOOP_FILTER_LEVELS: usize = memory.data(4);
const LOOP_FILTER_DELTAS: usize = memory.data(8);

export let hasSegmentMap: bool = false;
/** prob_skip_false; -1 without mb_skip_coeff. */
export let probSkipFalse: i32 = -1;
/** 0 none, 1 simple, 2 normal. */
export let filterType: i32 = 0;

/** Reads the header. Returns the number of DCT token partitions, or 0 when the partition ends early. */
export function readHeader(): i32 {
  const decoder = boolDecoder(0);
  // color_space and clamping_type. Samples are always clamped.
  readLiteral(decoder, 2);
  const hasSegments = readBool(decoder, 128) !== 0;
  const isAbsolute = readSegments(decoder, hasSegments);
  const isSimple = readBool(decoder, 128) !== 0;
  const level = readLiteral(decoder, 6);
  const sharpness = readLiteral(decoder, 3);
  const hasDeltas = readBool(decoder, 128) !== 0;
  readLoopFilterDeltas(decoder, hasDeltas);
  filterType = level === 0 ? 0 : isSimple ? 1 : 2;
  for (let segmentId = 0; segmentId < 4; segmentId++) {
    let base = level;
    if (hasSegments) {
      const own = <i32>load<i8>(SEGMENT_LOOP_FILTER_LEVELS + <usize>segmentId);
      base = isAbsolute ? own : level + own;
    }
    // Two of the deltas apply in a key frame: ref_frame_delta of intra frames, mode_delta of B_PRED.
    const whole = hasDeltas ? base + <i32>load<i8>(LOOP_FILTER_DELTAS) : base;
    setLoopFilterLevels(
      segmentId,
      whole,
      hasDeltas ? whole + <i32>load<i8>(LOOP_FILTER_DELTAS, 4) : whole,
      sharpness,
    );
  }
  const partitions = 1 << readLiteral(decoder, 2);
  readQuantisers(hasSegments, isAbsolute, SEGMENT_QUANTISERS);
  // refresh_entropy_probs
  readBool(decoder, 128);
  readCoeffProbs(decoder);
  probSkipFalse = readBool(decoder, 128) !== 0 ? readLiteral(decoder, 8) : -1;
  return isPastEnd(decoder) ? 0 : partitions;
}

function readSegments(decoder: usize, hasSegments: bool): bool {
  let isAbsolute = true;
  hasSegmentMap = false;
  store<u32>(SEGMENT_QUANTISERS, 0);
  store<u32>(SEGMENT_LOOP_FILTER_LEVELS, 0);
  store<u32>(SEGMENT_TREE_PROBS, 0xffffffff);
  if (!hasSegments) return isAbsolute;
  hasSegmentMap = readBool(decoder, 128) !== 0;
  if (readBool(decoder, 128) !== 0) {
    isAbsolute = readBool(decoder, 128) !== 0;
    for (let segmentId: usize = 0; segmentId < 4; segmentId++) {
      store<i8>(SEGMENT_QUANTISERS + segmentId, <i8>readOptionalSigned(decoder, 7));
    }
    for (let segmentId: usize = 0; segmentId < 4; segmentId++) {
      store<i8>(SEGMENT_LOOP_FILTER_LEVELS + segmentId, <i8>readOptionalSigned(decoder, 6));
    }
  }
  if (!hasSegmentMap) return isAbsolute;
  for (let node: usize = 0; node < 3; node++) {
    if (readBool(decoder, 128) !== 0) store<u8>(SEGMENT_TREE_PROBS + node, <u8>readLiteral(decoder, 8));
  }
  return isAbsolute;
}

function readLoopFilterDeltas(decoder: usize, hasDeltas: bool): void {
  store<u64>(LOOP_FILTER_DELTAS, 0);
  if (!hasDeltas || readBool(decoder, 128) === 0) return;
  for (let delta: usize = 0; delta < 8; delta++) {
    store<i8>(LOOP_FILTER_DELTAS + delta, <i8>readOptionalSigned(decoder, 6));
  }
}

function readCoeffProbs(decoder: usize): void {
  for (let type: usize = 0; type < 4; type++) {
    for (let position: usize = 0; position < 17; position++) {
      const band = <usize>load<u8>(COEFF_BANDS + position);
      for (let entry: usize = 0; entry < 33; entry++) {
        const from = DEFAULT_COEFF_PROBS + (type * 8 + band) * 33 + entry;
        const context = entry / 11;
        const to = COEFF_PROBS + type * PROBS_OF_TYPE + position * PROBS_OF_POSITION;
        store<u8>(to + context * PROBS_OF_CONTEXT + (entry - context * 11), load<u8>(from));
      }
    }
    for (let band: usize = 0; band < 8; band++) readBand(decoder, type, band);
  }
}

function readBand(decoder: usize, type: usize, band: usize): void {
  for (let entry: usize = 0; entry < 33; entry++) {
    if (readBool(decoder, load<u8>(COEFF_UPDATE_PROBS + (type * 8 + band) * 33 + entry)) === 0) continue;
    const probability = <u8>readLiteral(decoder, 8);
    const context = entry / 11;
    const at = COEFF_PROBS + type * PROBS_OF_TYPE + context * PROBS_OF_CONTEXT + (entry - context * 11);
    for (let position: usize = 0; position < 17; position++) {
      if (<usize>load<u8>(COEFF_BANDS + position) === band)
        store<u8>(at + position * PROBS_OF_POSITION, probability);
    }
  }
}
