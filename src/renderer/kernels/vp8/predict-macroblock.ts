import { BLOCK_CONTENTS, COEFFICIENTS, DC_ONLY, EMPTY } from "./coefficients";
import { addInverseDct, addInverseDctDc } from "./inverse-transforms";
import { B_MODES, DC_PRED, H_PRED, V_PRED } from "./macroblock-header";
import { predictSubblock } from "./predict-subblock";

/** Intra prediction of macroblocks in place, and adding the residue (RFC 6386, 12 and 14.5). */

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
      // Below the first row the macroblock to the right is not decoded yet. The row above the macroblock is used.
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

/** DC_PRED: the mean of the samples above and to the left that are inside the picture; 128 without any. */
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

/** Adds blocks `from` to `from + across²` to `across` × `across` predicted blocks. */
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
