import { BLOCK_CONTENTS, COEFFICIENTS, DC_ONLY, EMPTY } from "./coefficients";
import { addInverseDct, addInverseDctDc } from "./inverse-transforms";
import {
  B_HD_PRED,
  B_LD_PRED,
  B_MODES,
  B_RD_PRED,
  B_VL_PRED,
  B_VR_PRED,
  DC_PRED,
  H_PRED,
  TM_PRED,
  V_PRED,
} from "./macroblock-header";

/** Intra prediction of macroblocks in place, plus the residue (RFC 6386, 12 and 14.5). */

const ABOVE: i32 = 1;
const LEFT: i32 = 2;

/** B_PRED: sixteen subblocks, each predicted from its reconstructed neighbours. */
export function reconstructBPred(at: usize, stride: usize, hasCoefficients: bool): void {
  const rightOfAbove = (<u64>load<u32>(at - stride + 16)) << 32;
  for (let row: usize = 0; row < 4; row++) {
    let block = at + row * 4 * stride;
    let above = block - stride;
    let corner = <u32>load<u8>(above - 1);
    let left =
      <u32>load<u8>(block + 3 * stride - 1) |
      ((<u32>load<u8>(block + 2 * stride - 1)) << 8) |
      ((<u32>load<u8>(block + stride - 1)) << 16) |
      ((<u32>load<u8>(block - 1)) << 24);
    for (let column: usize = 0; column < 4; column++) {
      // Below the first subblock row the macroblock to the right is not decoded yet; use the row above the macroblock.
      const eight = column === 3 ? <u64>load<u32>(above) | rightOfAbove : load<u64>(above);
      const index = row * 4 + column;
      let samples = predictSubblock(load<u8>(B_MODES + index), eight, left, corner);
      if (hasCoefficients) {
        const content = load<u8>(BLOCK_CONTENTS + index);
        const coefficients = COEFFICIENTS + (index << 5);
        if (content > DC_ONLY) samples = addInverseDct(samples, coefficients);
        else if (content !== EMPTY) samples = addInverseDctDc(samples, coefficients);
      }
      storeBlock(block, stride, samples);
      const edge = i8x16.shuffle(samples, samples, 15, 11, 7, 3, 15, 11, 7, 3, 15, 11, 7, 3, 15, 11, 7, 3);
      left = i32x4.extract_lane(edge, 0);
      corner = <u32>(eight >> 24) & 0xff;
      block += 4;
      above += 4;
    }
  }
}

/** Predicts the 16 × 16 luma or 8 × 8 chroma samples of a macroblock by one mode. */
export function predictPlane(
  at: usize,
  stride: usize,
  size: i32,
  mode: i32,
  hasAbove: bool,
  hasLeft: bool,
): void {
  if (mode === DC_PRED) {
    fillDc(at, stride, size, (hasAbove ? ABOVE : 0) | (hasLeft ? LEFT : 0));
  } else if (mode === V_PRED) {
    const line = v128.load(at - stride);
    for (let y = 0; y < size; y++, at += stride) storeLine(at, line, size);
  } else if (mode === H_PRED) {
    for (let y = 0; y < size; y++, at += stride) storeLine(at, v128.load8_splat(at - 1), size);
  } else {
    const above = v128.load(at - stride);
    const corner = i16x8.splat(<i16>load<u8>(at - stride - 1));
    const low = i16x8.sub(i16x8.extend_low_i8x16_u(above), corner);
    const high = i16x8.sub(i16x8.extend_high_i8x16_u(above), corner);
    for (let y = 0; y < size; y++, at += stride) {
      const left = i16x8.splat(<i16>load<u8>(at - 1));
      storeLine(at, i8x16.narrow_i16x8_u(i16x8.add(low, left), i16x8.add(high, left)), size);
    }
  }
}

function storeLine(at: usize, line: v128, size: i32): void {
  if (size === 16) v128.store(at, line);
  else v128.store64_lane(at, line, 0);
}

/** DC_PRED: the mean of the samples above and to the left that are inside the picture; 128 if there are none. */
function fillDc(at: usize, stride: usize, size: i32, present: i32): void {
  let sum = 0;
  let samples = 0;
  if ((present & ABOVE) !== 0) {
    for (let x = 0; x < size; x++) sum += <i32>load<u8>(at - stride + <usize>x);
    samples += size;
  }
  if ((present & LEFT) !== 0) {
    for (let y = 0; y < size; y++) sum += <i32>load<u8>(at + <usize>y * stride - 1);
    samples += size;
  }
  const mean = samples === 0 ? 128 : (sum + (samples >> 1)) / samples;
  const line = i8x16.splat(<i8>mean);
  for (let y = 0; y < size; y++, at += stride) storeLine(at, line, size);
}

/** Adds the residue of `across` × `across` blocks, which start at index `from`, to their predictions. */
export function addResidue(at: usize, stride: usize, from: usize, across: usize): void {
  for (let row: usize = 0; row < across; row++) {
    for (let column: usize = 0; column < across; column++) {
      const index = from + row * across + column;
      const content = load<u8>(BLOCK_CONTENTS + index);
      if (content === EMPTY) continue;
      const block = at + row * 4 * stride + column * 4;
      const coefficients = COEFFICIENTS + (index << 5);
      const samples = loadBlock(block, stride);
      storeBlock(
        block,
        stride,
        content === DC_ONLY ? addInverseDctDc(samples, coefficients) : addInverseDct(samples, coefficients),
      );
    }
  }
}

function loadBlock(at: usize, stride: usize): v128 {
  let samples = v128.load32_zero(at);
  samples = v128.load32_lane(at + stride, samples, 1);
  samples = v128.load32_lane(at + 2 * stride, samples, 2);
  return v128.load32_lane(at + 3 * stride, samples, 3);
}

function storeBlock(at: usize, stride: usize, samples: v128): void {
  v128.store32_lane(at, samples, 0);
  v128.store32_lane(at + stride, samples, 1);
  v128.store32_lane(at + 2 * stride, samples, 2);
  v128.store32_lane(at + 3 * stride, samples, 3);
}

/**
 * Predicts a 4 × 4 subblock (RFC 6386, 12.3), row by row. `above` are the 8 samples A above it and above right, `left`
 * the 4 samples L from the bottom up, `corner` is P.
 *
 * The directional modes are means of 2 or 3 neighbours along the edge E, which runs from the lowest left sample over
 * the corner to the right. All those means are computed, and each mode selects its own with one shuffle.
 */
function predictSubblock(mode: i32, above: u64, left: u32, corner: u32): v128 {
  if (mode === DC_PRED) return i8x16.splat(<i8>((sum(<u32>above) + sum(left) + 4) >> 3));
  // Lanes 0–15: the lowest left sample, the four left samples upwards, the corner, the eight samples above, the last
  // sample above twice more.
  const last = above >> 56;
  const edge = i64x2.replace_lane(
    i64x2.splat((<u64>left & 0xff) | ((<u64>left) << 8) | ((<u64>corner) << 40) | (above << 48)),
    1,
    (above >> 16) | (last << 48) | (last << 56),
  );
  if (mode === TM_PRED) return tmPred(edge);
  const second = i8x16.shuffle(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const third = i8x16.shuffle(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  // (a + 2b + c + 2) / 4 with instructions that round up: the mean of a and c must round down.
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
