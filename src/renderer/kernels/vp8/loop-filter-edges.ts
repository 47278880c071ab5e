/**
 * The loop filter across a horizontal edge, 16 samples at once (RFC 6386, 15.2 and 15.3). P0 is at `before`, Q0 at
 * `behind`; P1 to P3 and Q1 to Q3 are `stride` bytes apart from there. Returns whether anything changed. Saturating
 * sums are the clamps of the RFC. Samples with the sign bit flipped are signed: p0, q0 are u2s(P0), u2s(Q0).
 */

function distance(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

/** |P0 − Q0| × 2 + |P1 − Q1| / 2, which is compared with the edge limit. */
function edgeSize(p1: v128, p0: v128, q0: v128, q1: v128): v128 {
  const step = distance(p0, q0);
  const half = v128.and(i16x8.shr_u(distance(p1, q1), 1), i8x16.splat(0x7f));
  return i8x16.add_sat_u(i8x16.add_sat_u(step, step), half);
}

/** common_adjust's filter value before rounding, from signed samples. */
function baseStep(outer: v128, p0: v128, q0: v128): v128 {
  const step = i8x16.sub_sat_s(q0, p0);
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(outer, step), step), step);
}

export function simpleLoopFilter(before: usize, behind: usize, stride: usize, edgeLimit: i32): bool {
  const p1 = v128.load(before - stride);
  const p0 = v128.load(before);
  const q0 = v128.load(behind);
  const q1 = v128.load(behind + stride);
  const mask = i8x16.le_u(edgeSize(p1, p0, q0, q1), i8x16.splat(<i8>edgeLimit));
  if (!v128.any_true(mask)) return false;
  const sign = i8x16.splat(-128);
  const s0 = v128.xor(p0, sign);
  const t0 = v128.xor(q0, sign);
  const outer = i8x16.sub_sat_s(v128.xor(p1, sign), v128.xor(q1, sign));
  const step = v128.and(baseStep(outer, s0, t0), mask);
  const down = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(3)), 3);
  const up = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(4)), 3);
  v128.store(before, v128.xor(i8x16.add_sat_s(s0, down), sign));
  v128.store(behind, v128.xor(i8x16.sub_sat_s(t0, up), sign));
  return true;
}

/** MBfilter changes three samples on either side of a macroblock edge, subblock_filter two. */
export function normalLoopFilter(
  before: usize,
  behind: usize,
  stride: usize,
  isSubblockEdge: bool,
  edgeLimit: i32,
  interiorLimit: i32,
  hevThreshold: i32,
): bool {
  const p1 = v128.load(before - stride);
  const p0 = v128.load(before);
  const q0 = v128.load(behind);
  const q1 = v128.load(behind + stride);
  const p2 = v128.load(before - 2 * stride);
  const q2 = v128.load(behind + 2 * stride);
  const near = i8x16.max_u(distance(p1, p0), distance(q1, q0));
  const far = i8x16.max_u(
    i8x16.max_u(distance(p2, p1), distance(q2, q1)),
    i8x16.max_u(distance(v128.load(before - 3 * stride), p2), distance(v128.load(behind + 3 * stride), q2)),
  );
  const mask = v128.and(
    i8x16.le_u(i8x16.max_u(near, far), i8x16.splat(<i8>interiorLimit)),
    i8x16.le_u(edgeSize(p1, p0, q0, q1), i8x16.splat(<i8>edgeLimit)),
  );
  if (!v128.any_true(mask)) return false;
  const hev = i8x16.gt_u(near, i8x16.splat(<i8>hevThreshold));
  const sign = i8x16.splat(-128);
  const s1 = v128.xor(p1, sign);
  const s0 = v128.xor(p0, sign);
  const t0 = v128.xor(q0, sign);
  const t1 = v128.xor(q1, sign);
  const outer = i8x16.sub_sat_s(s1, t1);

  if (isSubblockEdge) {
    const step = v128.and(baseStep(v128.and(outer, hev), s0, t0), mask);
    const down = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(3)), 3);
    const up = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(4)), 3);
    const half = v128.andnot(i8x16.shr_s(i8x16.add(up, i8x16.splat(1)), 1), hev);
    v128.store(before - stride, v128.xor(i8x16.add_sat_s(s1, half), sign));
    v128.store(before, v128.xor(i8x16.add_sat_s(s0, down), sign));
    v128.store(behind, v128.xor(i8x16.sub_sat_s(t0, up), sign));
    v128.store(behind + stride, v128.xor(i8x16.sub_sat_s(t1, half), sign));
    return true;
  }

  const step = v128.and(baseStep(outer, s0, t0), mask);
  const hevStep = v128.and(step, hev);
  const down = i8x16.shr_s(i8x16.add_sat_s(hevStep, i8x16.splat(3)), 3);
  const up = i8x16.shr_s(i8x16.add_sat_s(hevStep, i8x16.splat(4)), 3);
  // 27, 18 and 9 times the filter value, in 128ths.
  const smooth = v128.andnot(step, hev);
  const nine = i16x8.splat(9);
  const low = i16x8.mul(i16x8.extend_low_i8x16_s(smooth), nine);
  const high = i16x8.mul(i16x8.extend_high_i8x16_s(smooth), nine);
  const round = i16x8.splat(63);
  const lowThird = i16x8.add(low, round);
  const highThird = i16x8.add(high, round);
  const lowSecond = i16x8.add(lowThird, low);
  const highSecond = i16x8.add(highThird, high);
  const third = i8x16.narrow_i16x8_s(i16x8.shr_s(lowThird, 7), i16x8.shr_s(highThird, 7));
  const second = i8x16.narrow_i16x8_s(i16x8.shr_s(lowSecond, 7), i16x8.shr_s(highSecond, 7));
  const first = i8x16.narrow_i16x8_s(
    i16x8.shr_s(i16x8.add(lowSecond, low), 7),
    i16x8.shr_s(i16x8.add(highSecond, high), 7),
  );
  const s2 = v128.xor(p2, sign);
  const t2 = v128.xor(q2, sign);
  v128.store(before - 2 * stride, v128.xor(i8x16.add_sat_s(s2, third), sign));
  v128.store(before - stride, v128.xor(i8x16.add_sat_s(s1, second), sign));
  // Each sample either has high edge variance or not, so one of the two steps is 0.
  v128.store(before, v128.xor(i8x16.add_sat_s(i8x16.add_sat_s(s0, down), first), sign));
  v128.store(behind, v128.xor(i8x16.sub_sat_s(i8x16.sub_sat_s(t0, up), first), sign));
  v128.store(behind + stride, v128.xor(i8x16.sub_sat_s(t1, second), sign));
  v128.store(behind + 2 * stride, v128.xor(i8x16.sub_sat_s(t2, third), sign));
  return true;
}
