/**
 * Loop filter parameters by segment and by whether a macroblock is B_PRED (RFC 6386, 9.6, 15.2 and 15.3), 4 bytes each:
 * edge limit (0: no filtering), interior limit, hev threshold, unused.
 */
const LOOP_FILTERS: usize = memory.data(32, 16);

/** Of the picture's segments. */
export let strongestFilterLevel: i32 = 0;

export function loopFilterOf(segmentId: i32, isBPred: bool): usize {
  return LOOP_FILTERS + ((<usize>segmentId * 2 + (isBPred ? 1 : 0)) << 2);
}

export function setLoopFilterLevels(segmentId: i32, level: i32, subblockLevel: i32, sharpness: i32): void {
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
