import { KF_BMODE_PROBS } from "./bmode-probabilities";
import { BIT_COUNT, INPUT, RANGE, readBool, VALUE } from "./boolean-decoder";
import { hasSegmentMap, probSkipFalse, SEGMENT_TREE_PROBS } from "./frame-header";

/** Macroblock headers of key frames (RFC 6386, 11 and 19.3). */

/** Modes of luma and chroma, and as B_DC_PRED, B_TM_PRED, B_VE_PRED and B_HE_PRED of subblocks. */
export const DC_PRED: i32 = 0;
export const TM_PRED: i32 = 1;
export const V_PRED: i32 = 2;
export const H_PRED: i32 = 3;
/** The other subblock modes. */
export const B_LD_PRED: i32 = 4;
export const B_RD_PRED: i32 = 5;
export const B_VR_PRED: i32 = 6;
export const B_VL_PRED: i32 = 7;
export const B_HD_PRED: i32 = 8;
export const B_HU_PRED: i32 = 9;

/** The header that was read last: segment_id, mb_skip_coeff, whether y_mode is B_PRED, y_mode, uv_mode. */
export let segmentId: i32 = 0;
export let mbSkipCoeff: bool = false;
export let isBPred: bool = false;
export let yMode: i32 = 0;
export let uvMode: i32 = 0;
/** Of a B_PRED macroblock: the modes of its 16 subblocks. */
export const B_MODES: usize = memory.data(16, 16);

/** bmode_tree: pairs of branches. Above 0: the index of the next pair; else a mode, negated. */
const BMODE_TREE: usize = memory.data<i8>([
  0, 2, -1, 4, -2, 6, 8, 12, -3, 10, -5, -6, -4, 14, -7, 16, -8, -9,
]);

/** Reads a header. `above` and `left` are the four subblock modes at either edge; they are replaced. */
export function readMacroblockHeader(decoder: usize, above: usize, left: usize): void {
  segmentId = 0;
  if (hasSegmentMap) {
    segmentId = readBool(decoder, load<u8>(SEGMENT_TREE_PROBS)) << 1;
    segmentId |= readBool(decoder, load<u8>(SEGMENT_TREE_PROBS + 1 + <usize>(segmentId >> 1)));
  }
  mbSkipCoeff = probSkipFalse >= 0 && readBool(decoder, probSkipFalse) !== 0;
  isBPred = readBool(decoder, 145) === 0;
  if (isBPred) {
    readBModes(decoder, above, left);
  } else {
    if (readBool(decoder, 156) !== 0) yMode = readBool(decoder, 128) !== 0 ? TM_PRED : H_PRED;
    else yMode = readBool(decoder, 163) !== 0 ? V_PRED : DC_PRED;
    const four = <u32>yMode * 0x01010101;
    store<u32>(above, four);
    store<u32>(left, four);
  }
  uvMode = DC_PRED;
  if (readBool(decoder, 142) === 0) return;
  if (readBool(decoder, 114) === 0) uvMode = V_PRED;
  else uvMode = readBool(decoder, 183) !== 0 ? TM_PRED : H_PRED;
}

/** As with `readBool`, but with the decoder's state in locals over all sixteen modes. */
function readBModes(decoder: usize, above: usize, left: usize): void {
  let value = load<u64>(decoder, VALUE);
  let at = load<usize>(decoder, INPUT);
  let range = load<u32>(decoder, RANGE);
  let count = load<i32>(decoder, BIT_COUNT);
  for (let block: usize = 0; block < 16; block++) {
    const column = block & 3;
    const row = block >> 2;
    const beside = <usize>load<u8>(above + column) * 10 + <usize>load<u8>(left + row);
    const probabilities = KF_BMODE_PROBS + beside * 9;
    let node = 0;
    do {
      if (count < 8) {
        const bytes = (64 - count) >> 3;
        value |= bswap<u64>(load<u64>(at)) >> <u64>count;
        count += bytes << 3;
        at += bytes;
      }
      const split = 1 + (((range - 1) * <u32>load<u8>(probabilities + (<usize>node >> 1))) >> 8);
      const edge = (<u64>split) << 56;
      if (value >= edge) {
        value -= edge;
        range -= split;
        node += 1;
      } else {
        range = split;
      }
      const shift = <u32>clz<u32>(range) - 24;
      range <<= shift;
      value <<= <u64>shift;
      count -= <i32>shift;
      node = load<i8>(BMODE_TREE + <usize>node);
    } while (node > 0);
    const mode = <u8>-node;
    store<u8>(above + column, mode);
    store<u8>(left + row, mode);
    store<u8>(B_MODES + block, mode);
  }
  store<u64>(decoder, value, VALUE);
  store<usize>(decoder, at, INPUT);
  store<u32>(decoder, range, RANGE);
  store<i32>(decoder, count, BIT_COUNT);
}
