import { AT, COUNT, RANGE, VALUE } from "./bits";
import { TOKENS, TOKENS_OF_CONTEXT, TOKENS_OF_POSITION, TOKENS_OF_TYPE } from "./header";
import { transformSecondOrder } from "./transform";

/** Coefficients of a macroblock (RFC 6386, 13). */

/** 24 blocks (16 of luma, 4 of each chroma) and the second-order one, 16 × 16 bits each. All 0 between macroblocks. */
export const COEFFICIENTS: usize = memory.data(800, 16);
const SECOND_ORDER: i32 = 24;

/** Of each of the 24 blocks: what its transform needs. */
export const CONTENTS: usize = memory.data(32, 16);
export const EMPTY: u8 = 0;
export const DC_ONLY: u8 = 1;
export const WHOLE: u8 = 2;

/** Bytes that say, for the blocks at an edge, which had coefficients: 4 of luma, 2 of each chroma, second order. */
export const EDGE_BYTES: usize = 16;
const SECOND_ORDER_EDGE: usize = 8;

/** Where the coefficients in coding order stand, in bytes. */
const ZIGZAG: usize = memory.data<u8>([0, 2, 8, 16, 10, 4, 6, 12, 18, 24, 26, 20, 14, 22, 28, 30]);

/** Extra bits of the token categories 1–6 (RFC 6386, 13.2): 12 bytes each, 0 behind the last. */
const EXTRA_BITS: usize = memory.data<u8>([
  159, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 165, 145, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 173, 148, 140, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 0, 180, 157, 141, 134, 130, 0, 0, 0, 0, 0, 0, 0, 254,
  254, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0,
]);
const CATEGORY_BASES: usize = memory.data<u8>([5, 7, 11, 19, 35, 67]);

/** A macroblock without coefficients. Second-order flags stay where there is no second-order block. */
export function skipCoefficients(above: usize, left: usize, hasSubblocks: bool): void {
  store<u64>(above, 0);
  store<u64>(left, 0);
  if (hasSubblocks) return;
  store<u8>(above, 0, SECOND_ORDER_EDGE);
  store<u8>(left, 0, SECOND_ORDER_EDGE);
}

/**
 * Reads and dequantises all coefficients; gives whether any block is not empty. The reader's state is held in locals,
 * and every bool is written out: calls would keep it in memory. `range` and `split` are one less than in the standard,
 * so that the bits to compare with are the uppermost byte as it is, which shortens the chain from bool to bool.
 */
export function readCoefficients(
  reader: usize,
  above: usize,
  left: usize,
  steps: usize,
  hasSubblocks: bool,
): bool {
  let value = load<u64>(reader, VALUE);
  let at = load<usize>(reader, AT);
  let range: u64 = <u64>load<u32>(reader, RANGE) - 1;
  let count = load<i32>(reader, COUNT);
  let isAny = 0;

  for (let block = hasSubblocks ? 0 : -1; block < 24; block++) {
    let type: usize = 1;
    let first = 0;
    let aboveFlag = above + SECOND_ORDER_EDGE;
    let leftFlag = left + SECOND_ORDER_EDGE;
    let output = COEFFICIENTS + ((<usize>SECOND_ORDER) << 5);
    let dcStep = <i32>load<u16>(steps, 4);
    let acStep = <i32>load<u16>(steps, 6);
    if (block >= 16) {
      type = 2;
      const plane = 4 + (<usize>(block - 16) >> 2) * 2;
      aboveFlag = above + plane + (<usize>block & 1);
      leftFlag = left + plane + ((<usize>block >> 1) & 1);
      output = COEFFICIENTS + ((<usize>block) << 5);
      dcStep = <i32>load<u16>(steps, 8);
      acStep = <i32>load<u16>(steps, 10);
    } else if (block >= 0) {
      type = hasSubblocks ? 3 : 0;
      first = hasSubblocks ? 0 : 1;
      aboveFlag = above + (<usize>block & 3);
      leftFlag = left + (<usize>block >> 2);
      output = COEFFICIENTS + ((<usize>block) << 5);
      dcStep = <i32>load<u16>(steps);
      acStep = <i32>load<u16>(steps, 2);
    }
    const context = <usize>load<u8>(aboveFlag) + <usize>load<u8>(leftFlag);
    let position = first;
    let tokens = TOKENS + type * TOKENS_OF_TYPE + <usize>first * TOKENS_OF_POSITION;
    let p = tokens + context * TOKENS_OF_CONTEXT;

    while (position < 16) {
      // Enough for the four bools of a coefficient of ±1, 7 bits each, the last of which needs 8 to compare.
      if (count < 32) {
        const bytes = (64 - count) >> 3;
        value |= bswap<u64>(load<u64>(at)) >> <u64>count;
        count += bytes << 3;
        at += bytes;
      }
      // No more coefficients?
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

      // Zeros, after which "no more" cannot come.
      while (true) {
        split = (range * <u64>load<u8>(p, 1)) >> 8;
        if (value >> 56 > split) break;
        shift = clz<u64>(split + 1) - 56;
        range = ((split + 1) << shift) - 1;
        value <<= shift;
        count -= <i32>shift;
        position += 1;
        tokens += TOKENS_OF_POSITION;
        p = tokens;
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

      // One, or more?
      let size = 1;
      let next = TOKENS_OF_CONTEXT;
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
        next = 2 * TOKENS_OF_CONTEXT;
        if (count < 48) {
          const bytes = (64 - count) >> 3;
          value |= bswap<u64>(load<u64>(at)) >> <u64>count;
          count += bytes << 3;
          at += bytes;
        }
        // 2–4, or a category?
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
          // Two bools tell categories 1 and 2 apart, three the others: nodes 6, then 7 or 8, then 9 or 10.
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
          let bits = EXTRA_BITS + <usize>category * 12;
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
          size = extra + <i32>load<u8>(CATEGORY_BASES + <usize>category);
          if (count < 16) {
            const bytes = (64 - count) >> 3;
            value |= bswap<u64>(load<u64>(at)) >> <u64>count;
            count += bytes << 3;
            at += bytes;
          }
        }
      }

      // The sign, even odds: no branch.
      split = range >> 1;
      const isNegative = value >> 56 > split;
      value -= isNegative ? (<u64>(split + 1)) << 56 : 0;
      range = isNegative ? range - split : split + 1;
      shift = clz<u64>(range) - 56;
      range = (range << shift) - 1;
      value <<= shift;
      count -= <i32>shift;
      const level = size * (position > 0 ? acStep : dcStep);
      store<i16>(output + <usize>load<u8>(ZIGZAG + <usize>position), <i16>(isNegative ? -level : level));
      position += 1;
      tokens += TOKENS_OF_POSITION;
      p = tokens + next;
    }

    const flag = position > first ? 1 : 0;
    store<u8>(aboveFlag, <u8>flag);
    store<u8>(leftFlag, <u8>flag);
    if (block < 0) {
      transformSecondOrder(output, COEFFICIENTS, position > 1);
      continue;
    }
    const content = position > 1 ? WHOLE : load<i16>(output) !== 0 ? DC_ONLY : EMPTY;
    store<u8>(CONTENTS + <usize>block, content);
    isAny |= content;
  }

  store<u64>(reader, value, VALUE);
  store<usize>(reader, at, AT);
  store<u32>(reader, <u32>range + 1, RANGE);
  store<i32>(reader, count, COUNT);
  return isAny !== 0;
}
