import { boolDecoder, isPastEnd, readBool, readLiteral, readOptionalSigned } from "./boolean-decoder";
import { COEFF_UPDATE_PROBS, DEFAULT_COEFF_PROBS } from "./token-probabilities";

/** The frame header of a key frame in the first partition (RFC 6386, 9.2–9.11 and 19.2). */

/** coeff_bands, with one more entry for the position after the last coefficient. */
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

/**
 * Loop filter parameters by segment and by whether a macroblock is B_PRED (RFC 6386, 9.6, 15.2 and 15.3), 4 bytes each:
 * edge limit (0: no filtering), interior limit, hev threshold, unused.
 */
const LOOP_FILTERS: usize = memory.data(32, 16);

/** Highest loop filter level of the segments. */
export let strongestFilterLevel: i32 = 0;

export function loopFilterOf(segmentId: i32, isBPred: bool): usize {
  return LOOP_FILTERS + ((<usize>segmentId * 2 + (isBPred ? 1 : 0)) << 2);
}

function setLoopFilterLevels(segmentId: i32, level: i32, subblockLevel: i32, sharpness: i32): void {
  if (segmentId === 0) strongestFilterLevel = 0;
  setLoopFilterLevel(loopFilterOf(segmentId, false), level, sharpness);
  setLoopFilterLevel(loopFilterOf(segmentId, true), subblockLevel, sharpness);
}

function setLoopFilterLevel(filter: usize, unclamped: i32, sharpness: i32): void {
  const level = min(max(unclamped, 0), 63);
  strongestFilterLevel = max(strongestFilterLevel, level);
  let interiorLimit = level;
  if (sharpness > 0) {
    interiorLimit >>= sharpness > 4 ? 2 : 1;
    interiorLimit = min(interiorLimit, 9 - sharpness);
  }
  interiorLimit = max(interiorLimit, 1);
  store<u8>(filter, level === 0 ? 0 : <u8>(2 * level + interiorLimit));
  store<u8>(filter, <u8>interiorLimit, 1);
  store<u8>(filter, level >= 40 ? 2 : level >= 15 ? 1 : 0, 2);
}

/** dc_qlookup and ac_qlookup: dequantisation factors by index (RFC 6386, 14.1). */
const DC_QLOOKUP: usize = memory.data<u8>([
  4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 25,
  25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 46, 47, 48, 49,
  50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76,
  76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 91, 93, 95, 96, 98, 100, 101, 102, 104, 106, 108,
  110, 112, 114, 116, 118, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 143, 145, 148, 151, 154, 157,
]);
const AC_QLOOKUP: usize = memory.data<u16>([
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
  32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58,
  60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108,
  110, 112, 114, 116, 119, 122, 125, 128, 131, 134, 137, 140, 143, 146, 149, 152, 155, 158, 161, 164, 167,
  170, 173, 177, 181, 185, 189, 193, 197, 201, 205, 209, 213, 217, 221, 225, 229, 234, 239, 245, 249, 254,
  259, 264, 269, 274, 279, 284,
]);

const INDEX_MAX: i32 = 127;
/** The DC factor of chroma is at most 132. */
const CHROMA_DC_INDEX_MAX: i32 = 117;
/** The AC factor of Y2 is at least 8. */
const Y2_AC_FACTOR_MIN: i32 = 8;

/** Dequantisation factors of a segment: DC and AC of Y, of Y2, of U and V; 16 bits each. */
const DEQUANT_FACTORS_BYTES: usize = 16;
const DEQUANT_FACTORS: usize = memory.data(64, 16);

export function dequantFactors(segmentId: i32): usize {
  return DEQUANT_FACTORS + <usize>segmentId * DEQUANT_FACTORS_BYTES;
}

function dcFactor(index: i32, indexMax: i32): i32 {
  return load<u8>(DC_QLOOKUP + <usize>min(max(index, 0), indexMax));
}

function acFactor(index: i32): i32 {
  return load<u16>(AC_QLOOKUP + ((<usize>min(max(index, 0), INDEX_MAX)) << 1));
}

/** Reads quant_indices (RFC 6386, 9.6). `segmentQuantisers` are four bytes, absolute or added to y_ac_qi. */
function readQuantisers(hasSegments: bool, isAbsolute: bool, segmentQuantisers: usize): void {
  const decoder = boolDecoder(0);
  const base = readLiteral(decoder, 7);
  const yDc = readOptionalSigned(decoder, 4);
  const y2Dc = readOptionalSigned(decoder, 4);
  const y2Ac = readOptionalSigned(decoder, 4);
  const uvDc = readOptionalSigned(decoder, 4);
  const uvAc = readOptionalSigned(decoder, 4);
  for (let segmentId = 0; segmentId < 4; segmentId++) {
    let index = base;
    if (hasSegments) {
      const own = <i32>load<i8>(segmentQuantisers + <usize>segmentId);
      index = isAbsolute ? own : base + own;
    }
    const factors = dequantFactors(segmentId);
    store<u16>(factors, dcFactor(index + yDc, INDEX_MAX));
    store<u16>(factors, acFactor(index), 2);
    store<u16>(factors, dcFactor(index + y2Dc, INDEX_MAX) * 2, 4);
    store<u16>(factors, max((acFactor(index + y2Ac) * 155) / 100, Y2_AC_FACTOR_MIN), 6);
    store<u16>(factors, dcFactor(index + uvDc, CHROMA_DC_INDEX_MAX), 8);
    store<u16>(factors, acFactor(index + uvAc), 10);
  }
}
