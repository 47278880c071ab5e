import {
  DC,
  HORIZONTAL,
  HORIZONTAL_DOWN,
  LEFT_DOWN,
  RIGHT_DOWN,
  TRUE_MOTION,
  VERTICAL,
  VERTICAL_LEFT,
  VERTICAL_RIGHT,
} from "./modes";

/**
 * Predicts a 4 × 4 subblock (RFC 6386, 12.3), row by row. `above` are the 8 samples above it and to the right of those,
 * `left` the 4 beside it from the lowest up, `corner` the one above those.
 *
 * All directional modes are means of 2 or 3 neighbours along one edge, which runs from the lowest sample on the left
 * over the corner to the right: they are all computed, and a mode picks its own.
 */
export function predictSubblock(mode: i32, above: u64, left: u32, corner: u32): v128 {
  if (mode === DC) return i8x16.splat(<i8>((sum(<u32>above) + sum(left) + 4) >> 3));
  // Lowest twice, the left upwards, corner, above from the left, last twice more: lanes 0–15.
  const last = above >> 56;
  const edge = i64x2.replace_lane(
    i64x2.splat((<u64>left & 0xff) | ((<u64>left) << 8) | ((<u64>corner) << 40) | (above << 48)),
    1,
    (above >> 16) | (last << 48) | (last << 56),
  );
  if (mode === TRUE_MOTION) return trueMotion(edge);
  const second = i8x16.shuffle(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const third = i8x16.shuffle(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  // (a + 2b + c + 2) / 4 from means that round up: that of a and c must round down.
  const outer = i8x16.sub(i8x16.avgr_u(edge, third), v128.and(v128.xor(edge, third), i8x16.splat(1)));
  const threes = i8x16.avgr_u(second, outer);
  if (mode === VERTICAL) return i8x16.shuffle(threes, threes, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8);
  if (mode === HORIZONTAL)
    return i8x16.shuffle(threes, threes, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
  if (mode === LEFT_DOWN) {
    return i8x16.shuffle(threes, threes, 6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12);
  }
  if (mode === RIGHT_DOWN)
    return i8x16.shuffle(threes, threes, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4);
  const twos = i8x16.avgr_u(edge, second);
  if (mode === VERTICAL_RIGHT) {
    return i8x16.shuffle(threes, twos, 21, 22, 23, 24, 4, 5, 6, 7, 3, 21, 22, 23, 2, 4, 5, 6);
  }
  if (mode === VERTICAL_LEFT) {
    return i8x16.shuffle(threes, twos, 22, 23, 24, 25, 6, 7, 8, 9, 23, 24, 25, 10, 7, 8, 9, 11);
  }
  if (mode === HORIZONTAL_DOWN) {
    return i8x16.shuffle(threes, twos, 20, 4, 5, 6, 19, 3, 20, 4, 18, 2, 19, 3, 17, 1, 18, 2);
  }
  // Horizontal up.
  return i8x16.shuffle(threes, twos, 19, 2, 18, 1, 18, 1, 17, 0, 17, 0, 16, 16, 16, 16, 16, 16);
}

function sum(four: u32): u32 {
  const pairs = (four & 0x00ff00ff) + ((four >> 8) & 0x00ff00ff);
  return (pairs + (pairs >> 16)) & 0xffff;
}

/** Left plus above minus corner. */
function trueMotion(edge: v128): v128 {
  const zero = i32x4.splat(0);
  const corner = i8x16.shuffle(edge, zero, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16);
  const above = i8x16.shuffle(edge, zero, 6, 16, 7, 16, 8, 16, 9, 16, 6, 16, 7, 16, 8, 16, 9, 16);
  const difference = i16x8.sub(above, corner);
  const upper = i8x16.shuffle(edge, zero, 4, 16, 4, 16, 4, 16, 4, 16, 3, 16, 3, 16, 3, 16, 3, 16);
  const lower = i8x16.shuffle(edge, zero, 2, 16, 2, 16, 2, 16, 2, 16, 1, 16, 1, 16, 1, 16, 1, 16);
  return i8x16.narrow_i16x8_u(i16x8.add(upper, difference), i16x8.add(lower, difference));
}
