import { BIT_COUNT, INPUT, RANGE, VALUE } from "./boolean-decoder";
import { COEFF_PROBS, PROBS_OF_CONTEXT, PROBS_OF_POSITION, PROBS_OF_TYPE } from "./frame-header";
import { inverseWht } from "./inverse-transforms";

/** DCT coefficients of a macroblock (RFC 6386, 13). */

/** 16 Y, 4 U, 4 V blocks and the Y2 block, 16 × 16 bits each. All 0 between macroblocks. */
export const COEFFICIENTS: usize = memory.data(800, 16);
const Y2: i32 = 24;

/** The inverse transform that each of the 24 blocks needs. */
export const BLOCK_CONTENTS: usize = memory.data(32, 16);
export const EMPTY: u8 = 0;
export const DC_ONLY: u8 = 1;
export const WHOLE: u8 = 2;

/**
 * Contexts for the macroblock below or to the right, a byte each: whether the 4 Y, 2 U, 2 V blocks at the edge and Y2
 * have coefficients.
 */
export const CONTEXT_BYTES: usize = 16;
const Y2_CONTEXT: usize = 8;

/** The zig-zag order, as byte offsets. */
const ZIGZAG: usize = memory.data<u8>([0, 2, 8, 16, 10, 4, 6, 12, 18, 24, 26, 20, 14, 22, 28, 30]);

/**
 * Pcat1 to Pcat6, probabilities of the extra bits of dct_cat1 to dct_cat6 (RFC 6386, 13.2): 12 bytes each, 0 after the
 * last.
 */
const PCAT: usize = memory.data<u8>([
  159, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 165, 145, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 173, 148, 140, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 0, 180, 157, 141, 134, 130, 0, 0, 0, 0, 0, 0, 0, 254,
  254, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0,
]);
const DCT_CAT_BASES: usize = memory.data<u8>([5, 7, 11, 19, 35, 67]);

/**
 * Sets the contexts of a macroblock without coefficients. If it has no Y2 block (B_PRED), the Y2 contexts stay
 * unchanged.
 */
export function skipCoefficients(above: usize, left: usize, isBPred: bool): void {
  store<u64>(above, 0);
  store<u64>(left, 0);
  if (isBPred) return;
  store<u8>(above, 0, Y2_CONTEXT);
  store<u8>(left, 0, Y2_CONTEXT);
}

/**
 * Reads and dequantises the tokens of a macroblock. Returns whether any block has coefficients. The boolean decoder's
 * state is in locals and each bool is inlined, because calls would keep it in memory. `range` and `split` are one less
 * than in the RFC, so that `split` compares directly with the top byte of `value`.
 */
export function readCoefficients(
  decoder: usize,
  above: usize,
  left: usize,
  factors: usize,
  isBPred: bool,
): bool {
  let value = load<u64>(decoder, VALUE);
  let at = load<usize>(decoder, INPUT);
  let range: u64 = <u64>load<u32>(decoder, RANGE) - 1;
  let count = load<i32>(decoder, BIT_COUNT);
  let hasCoefficients = 0;

  for (let block = isBPred ? 0 : -1; block < 24; block++) {
    let type: usize = 1;
    let first = 0;
    let aboveContext = above + Y2_CONTEXT;
    let leftContext = left + Y2_CONTEXT;
    let output = COEFFICIENTS + ((<usize>Y2) << 5);
    let dcFactor = <i32>load<u16>(factors, 4);
    let acFactor = <i32>load<u16>(factors, 6);
    if (block >= 16) {
      type = 2;
      const plane = 4 + (<usize>(block - 16) >> 2) * 2;
      aboveContext = above + plane + (<usize>block & 1);
      leftContext = left + plane + ((<usize>block >> 1) & 1);
      output = COEFFICIENTS + ((<usize>block) << 5);
      dcFactor = <i32>load<u16>(factors, 8);
      acFactor = <i32>load<u16>(factors, 10);
    } else if (block >= 0) {
      type = isBPred ? 3 : 0;
      first = isBPred ? 0 : 1;
      aboveContext = above + (<usize>block & 3);
      leftContext = left + (<usize>block >> 2);
      output = COEFFICIENTS + ((<usize>block) << 5);
      dcFactor = <i32>load<u16>(factors);
      acFactor = <i32>load<u16>(factors, 2);
    }
    const context = <usize>load<u8>(aboveContext) + <usize>load<u8>(leftContext);
    let position = first;
    let probs = COEFF_PROBS + type * PROBS_OF_TYPE + <usize>first * PROBS_OF_POSITION;
    let p = probs + context * PROBS_OF_CONTEXT;

    while (position < 16) {
      // Enough for the four bools of a coefficient of ±1: 7 bits each, and 8 to compare the last one.
      if (count < 32) {
        const bytes = (64 - count) >> 3;
        value |= bswap<u64>(load<u64>(at)) >> <u64>count;
        count += bytes << 3;
        at += bytes;
      }
      // DCT_EOB, or more coefficients?
      let split = (range * <u64>load<u8>(p)) >> 8;
      if (value >> 56 <= split) {
        const shift = clz<u64>(split + 1) - 56;
        range = ((split + 1) << shift) - 1;
        value <<= shift;
        count -= <i32>shift;
        break;
      }
      value -= (<u64>(split + 1)) << 56;
      range -= split;
      let shift = clz<u64>(range) - 56;
      range = (range << shift) - 1;
      value <<= shift;
      count -= <i32>shift;

      // DCT_0; DCT_EOB cannot follow it.
      while (true) {
        split = (range * <u64>load<u8>(p, 1)) >> 8;
        if (value >> 56 > split) break;
        shift = clz<u64>(split + 1) - 56;
        range = ((split + 1) << shift) - 1;
        value <<= shift;
        count -= <i32>shift;
        position += 1;
        probs += PROBS_OF_POSITION;
        p = probs;
        if (position === 16) break;
        if (count < 32) {
          const bytes = (64 - count) >> 3;
          value |= bswap<u64>(load<u64>(at)) >> <u64>count;
          count += bytes << 3;
          at += bytes;
        }
      }
      if (position === 16) break;
      value -= (<u64>(split + 1)) << 56;
      range -= split;
      shift = clz<u64>(range) - 56;
      range = (range << shift) - 1;
      value <<= shift;
      count -= <i32>shift;

      // dct_1, or a larger value?
      let size = 1;
      let next = PROBS_OF_CONTEXT;
      split = (range * <u64>load<u8>(p, 2)) >> 8;
      if (value >> 56 <= split) {
        shift = clz<u64>(split + 1) - 56;
        range = ((split + 1) << shift) - 1;
        value <<= shift;
        count -= <i32>shift;
      } else {
        value -= (<u64>(split + 1)) << 56;
        range -= split;
        shift = clz<u64>(range) - 56;
        range = (range << shift) - 1;
        value <<= shift;
        count -= <i32>shift;
        next = 2 * PROBS_OF_CONTEXT;
        if (count < 48) {
          const bytes = (64 - count) >> 3;
          value |= bswap<u64>(load<u64>(at)) >> <u64>count;
          count += bytes << 3;
          at += bytes;
        }
        // dct_2 to dct_4, or a category?
        split = (range * <u64>load<u8>(p, 3)) >> 8;
        let category = -1;
        if (value >> 56 <= split) {
          shift = clz<u64>(split + 1) - 56;
          range = ((split + 1) << shift) - 1;
          value <<= shift;
          count -= <i32>shift;
          split = (range * <u64>load<u8>(p, 4)) >> 8;
          if (value >> 56 <= split) {
            shift = clz<u64>(split + 1) - 56;
            range = ((split + 1) << shift) - 1;
            value <<= shift;
            count -= <i32>shift;
            size = 2;
          } else {
            value -= (<u64>(split + 1)) << 56;
            range -= split;
            shift = clz<u64>(range) - 56;
            range = (range << shift) - 1;
            value <<= shift;
            count -= <i32>shift;
            split = (range * <u64>load<u8>(p, 5)) >> 8;
            const isFour = value >> 56 > split;
            value -= isFour ? (<u64>(split + 1)) << 56 : 0;
            range = isFour ? range - split : split + 1;
            shift = clz<u64>(range) - 56;
            range = (range << shift) - 1;
            value <<= shift;
            count -= <i32>shift;
            size = isFour ? 4 : 3;
          }
        } else {
          value -= (<u64>(split + 1)) << 56;
          range -= split;
          shift = clz<u64>(range) - 56;
          range = (range << shift) - 1;
          value <<= shift;
          count -= <i32>shift;
          // dct_cat1 and 2 are two bools, dct_cat3 to 6 three: nodes 6, then 7 or 8, then 9 or 10.
          category = 0;
          let node: usize = 6;
          while (true) {
            split = (range * <u64>load<u8>(p + node)) >> 8;
            const isSet = value >> 56 > split;
            value -= isSet ? (<u64>(split + 1)) << 56 : 0;
            range = isSet ? range - split : split + 1;
            shift = clz<u64>(range) - 56;
            range = (range << shift) - 1;
            value <<= shift;
            count -= <i32>shift;
            const bit = isSet ? 1 : 0;
            if (node === 6) {
              node = <usize>(7 + bit);
            } else if (node === 8) {
              node = <usize>(9 + bit);
            } else {
              category = node === 7 ? bit : (<i32>node - 8) * 2 + bit;
              break;
            }
          }
          let extra = 0;
          let bits = PCAT + <usize>category * 12;
          while (true) {
            const probability = <u64>load<u8>(bits);
            if (probability === 0) break;
            if (count < 16) {
              const bytes = (64 - count) >> 3;
              value |= bswap<u64>(load<u64>(at)) >> <u64>count;
              count += bytes << 3;
              at += bytes;
            }
            split = (range * probability) >> 8;
            const isSet = value >> 56 > split;
            value -= isSet ? (<u64>(split + 1)) << 56 : 0;
            range = isSet ? range - split : split + 1;
            shift = clz<u64>(range) - 56;
            range = (range << shift) - 1;
            value <<= shift;
            count -= <i32>shift;
            extra = (extra << 1) | (isSet ? 1 : 0);
            bits += 1;
          }
          size = extra + <i32>load<u8>(DCT_CAT_BASES + <usize>category);
          if (count < 16) {
            const bytes = (64 - count) >> 3;
            value |= bswap<u64>(load<u64>(at)) >> <u64>count;
            count += bytes << 3;
            at += bytes;
          }
        }
      }

      // The sign has probability 1/2: computed without a branch.
      split = range >> 1;
      const isNegative = value >> 56 > split;
      value -= isNegative ? (<u64>(split + 1)) << 56 : 0;
      range = isNegative ? range - split : split + 1;
      shift = clz<u64>(range) - 56;
      range = (range << shift) - 1;
      value <<= shift;
      count -= <i32>shift;
      const level = size * (position > 0 ? acFactor : dcFactor);
      store<i16>(output + <usize>load<u8>(ZIGZAG + <usize>position), <i16>(isNegative ? -level : level));
      position += 1;
      probs += PROBS_OF_POSITION;
      p = probs + next;
    }

    const flag = position > first ? 1 : 0;
    store<u8>(aboveContext, <u8>flag);
    store<u8>(leftContext, <u8>flag);
    if (block < 0) {
      inverseWht(output, COEFFICIENTS, position > 1);
      continue;
    }
    const content = position > 1 ? WHOLE : load<i16>(output) !== 0 ? DC_ONLY : EMPTY;
    store<u8>(BLOCK_CONTENTS + <usize>block, content);
    hasCoefficients |= content;
  }

  store<u64>(decoder, value, VALUE);
  store<usize>(decoder, at, INPUT);
  store<u32>(decoder, <u32>range + 1, RANGE);
  store<i32>(decoder, count, BIT_COUNT);
  return hasCoefficients !== 0;
}
