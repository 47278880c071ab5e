/**
 * Strengths of the loop filter by segment and by whether a macroblock has subblock modes (RFC 6386, 15.1, 15.2):
 * 4 bytes, namely edge limit (0: no filtering), interior limit, threshold of high edge variance, unused.
 */
const FILTERS: usize = memory.data(32, 16);

export function filterOf(segment: i32, hasSubblocks: bool): usize {
  return FILTERS + ((<usize>segment * 2 + (hasSubblocks ? 1 : 0)) << 2);
}

export function setFilters(segment: i32, level: i32, subblockLevel: i32, sharpness: i32): void {
  setFilter(filterOf(segment, false), level, sharpness);
  setFilter(filterOf(segment, true), subblockLevel, sharpness);
}

function setFilter(filter: usize, unclamped: i32, sharpness: i32): void {
  const level = min(max(unclamped, 0), 63);
  let interior = level;
  if (sharpness > 0) {
    interior >>= sharpness > 4 ? 2 : 1;
    interior = min(interior, 9 - sharpness);
  }
  interior = max(interior, 1);
  store<u8>(filter, level === 0 ? 0 : <u8>(2 * level + interior));
  store<u8>(filter, <u8>interior, 1);
  store<u8>(filter, level >= 40 ? 2 : level >= 15 ? 1 : 0, 2);
}
