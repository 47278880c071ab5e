import {
  B_HD_PRED,
  B_LD_PRED,
  B_RD_PRED,
  B_VL_PRED,
  B_VR_PRED,
  DC_PRED,
  H_PRED,
  TM_PRED,
  V_PRED,
} from "./macroblock-header";

/**
 * Predicts a 4 × 4 subblock (RFC 6386, 12.3), row by row. `above` are the 8 samples A above it and above right, `left` the 4
 * samples L from the bottom up, `corner` is P.
 *
 * The directional modes are means of 2 or 3 neighbours along the edge E, which runs from the lowest left sample over the
 * corner to the right. All those means are computed, and a mode picks its own with one shuffle.
 */
export function predictSubblock(mode: i32, above: u64, left: u32, corner: u32): v128 {
  if (mode === DC_PRED) return i8x16.splat(<i8>((sum(<u32>above) + sum(left) + 4) >> 3));
  // Lanes 0–15: the lowest left sample twice, the left ones upwards, the corner, those above, the last of them twice more.
  const last = above >> 56;
  const edge = i64x2.replace_lane(
    i64x2.splat((<u64>left & 0xff) | ((<u64>left) << 8) | ((<u64>corner) << 40) | (above << 48)),
    1,
    (above >> 16) | (last << 48) | (last << 56),
  );
  if (mode === TM_PRED) return tmPred(edge);
  const second = i8x16.shuffle(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const third = i8x16.shuffle(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  // (a + 2b + c + 2) / 4 by means that round up: the mean of a and c must round down.
  const outer = i8x16.sub(i8x16.avgr_u(edge, third), v128.and(v128.xor(edge, third), i8x16.splat(1)));
  const threes = i8x16.avgr_u(second, outer);
  if (mode === V_PRED) return i8x16.shuffle(threes, threes, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8);
  if (mode === H_PRED) return i8x16.shuffle(threes, threes, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
  if (mode === B_LD_PRED) {
    return i8x16.shuffle(threes, threes, 6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12);
  }
  if (mode === B_RD_PRED)
    return i8x16.shuffle(threes, threes, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4);
  const twos = i8x16.avgr_u(edge, second);
  if (mode === B_VR_PRED) {
    return i8x16.shuffle(threes, twos, 21, 22, 23, 24, 4, 5, 6, 7, 3, 21, 22, 23, 2, 4, 5, 6);
  }
  if (mode === B_VL_PRED) {
    return i8x16.shuffle(threes, twos, 22, 23, 24, 25, 6, 7, 8, 9, 23, 24, 25, 10, 7, 8, 9, 11);
  }
  if (mode === B_HD_PRED) {
    return i8x16.shuffle(threes, twos, 20, 4, 5, 6, 19, 3, 20, 4, 18, 2, 19, 3, 17, 1, 18, 2);
  }
  // B_HU_PRED
  return i8x16.shuffle(threes, twos, 19, 2, 18, 1, 18, 1, 17, 0, 17, 0, 16, 16, 16, 16, 16, 16);
}

function sum(four: u32): u32 {
  const pairs = (four & 0x00ff00ff) + ((four >> 8) & 0x00ff00ff);
  return (pairs + (pairs >> 16)) & 0xffff;
}

/** B_TM_PRED: left + above - corner. */
function tmPred(edge: v128): v128 {
  const zero = i32x4.splat(0);
  const corner = i8x16.shuffle(edge, zero, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16, 5, 16);
  const above = i8x16.shuffle(edge, zero, 6, 16, 7, 16, 8, 16, 9, 16, 6, 16, 7, 16, 8, 16, 9, 16);
  const difference = i16x8.sub(above, corner);
  const upper = i8x16.shuffle(edge, zero, 4, 16, 4, 16, 4, 16, 4, 16, 3, 16, 3, 16, 3, 16, 3, 16);
  const lower = i8x16.shuffle(edge, zero, 2, 16, 2, 16, 2, 16, 2, 16, 1, 16, 1, 16, 1, 16, 1, 16);
  return i8x16.narrow_i16x8_u(i16x8.add(upper, difference), i16x8.add(lower, difference));
}
