import { highWords, lowBytes, lowWords } from "../interleave";
import { filterType } from "./frame-header";
import { normalLoopFilter, simpleLoopFilter } from "./loop-filter-edges";
import { uRow, uvStride, vRow, yRow, yStride } from "./row-buffers";

/**
 * Filters a macroblock after those above and to the left, when its row is reconstructed (RFC 6386, 15.1). `filter` is a
 * record of `loopFilterOf`. With `hasSubblockEdges`, also filters the edges between its subblocks.
 */
export function loopFilterMacroblock(row: i32, column: i32, filter: usize, hasSubblockEdges: bool): void {
  const interior = <i32>load<u8>(filter, 1);
  const edgeLimit = <i32>load<u8>(filter);
  if (edgeLimit === 0) return;
  const y = yRow(row) + <usize>column * 16;
  const aboveY = yRow(row - 1) + 15 * yStride + <usize>column * 16;
  if (filterType === 1) {
    if (column > 0) simpleVerticalEdge(y, edgeLimit + 4);
    if (hasSubblockEdges) for (let x: usize = 4; x < 16; x += 4) simpleVerticalEdge(y + x, edgeLimit);
    if (row > 0) simpleLoopFilter(aboveY, y, yStride, edgeLimit + 4);
    if (hasSubblockEdges) {
      for (let line: usize = 4; line < 16; line += 4) {
        simpleLoopFilter(y + (line - 1) * yStride, y + line * yStride, yStride, edgeLimit);
      }
    }
    return;
  }
  const hev = <i32>load<u8>(filter, 2);
  const u = uRow(row) + <usize>column * 8;
  const v = vRow(row) + <usize>column * 8;
  if (column > 0) {
    normalVerticalEdge(y, y + 8 * yStride, yStride, false, edgeLimit + 4, interior, hev);
    normalVerticalEdge(u, v, uvStride, false, edgeLimit + 4, interior, hev);
  }
  if (hasSubblockEdges) {
    for (let x: usize = 4; x < 16; x += 4) {
      normalVerticalEdge(y + x, y + x + 8 * yStride, yStride, true, edgeLimit, interior, hev);
    }
    normalVerticalEdge(u + 4, v + 4, uvStride, true, edgeLimit, interior, hev);
  }
  if (row > 0) {
    normalLoopFilter(aboveY, y, yStride, false, edgeLimit + 4, interior, hev);
    const aboveU = uRow(row - 1) + 7 * uvStride + <usize>column * 8;
    const aboveV = vRow(row - 1) + 7 * uvStride + <usize>column * 8;
    chromaHorizontalEdge(aboveU, aboveV, u, v, false, edgeLimit + 4, interior, hev);
  }
  if (hasSubblockEdges) {
    for (let line: usize = 4; line < 16; line += 4) {
      normalLoopFilter(y + (line - 1) * yStride, y + line * yStride, yStride, true, edgeLimit, interior, hev);
    }
    const inner = 4 * uvStride;
    chromaHorizontalEdge(
      u + inner - uvStride,
      v + inner - uvStride,
      u + inner,
      v + inner,
      true,
      edgeLimit,
      interior,
      hev,
    );
  }
}

function simpleVerticalEdge(at: usize, edgeLimit: i32): void {
  const upper = at - 4;
  const lower = upper + 8 * yStride;
  transposeIn(upper, lower, yStride);
  const edge = TRANSPOSED + 4 * STRIDE;
  if (simpleLoopFilter(edge - STRIDE, edge, STRIDE, edgeLimit)) transposeOut(upper, lower, yStride);
}

/**
 * Filters a vertical edge in eight lines at `upper` and eight at `lower`: the halves of luma, or the two chroma planes.
 */
function normalVerticalEdge(
  upper: usize,
  lower: usize,
  stride: usize,
  isSubblockEdge: bool,
  edgeLimit: i32,
  interior: i32,
  hev: i32,
): void {
  transposeIn(upper - 4, lower - 4, stride);
  const edge = TRANSPOSED + 4 * STRIDE;
  if (normalLoopFilter(edge - STRIDE, edge, STRIDE, isSubblockEdge, edgeLimit, interior, hev)) {
    transposeOut(upper - 4, lower - 4, stride);
  }
}

/** Filters a horizontal edge in both chroma planes, copied side by side. */
function chromaHorizontalEdge(
  uBefore: usize,
  vBefore: usize,
  uBehind: usize,
  vBehind: usize,
  isSubblockEdge: bool,
  edgeLimit: i32,
  interior: i32,
  hev: i32,
): void {
  for (let line: usize = 0; line < 4; line++) {
    const back = line * uvStride;
    store<u64>(TRANSPOSED + (3 - line) * STRIDE, load<u64>(uBefore - back));
    store<u64>(TRANSPOSED + (3 - line) * STRIDE, load<u64>(vBefore - back), 8);
    store<u64>(TRANSPOSED + (4 + line) * STRIDE, load<u64>(uBehind + back));
    store<u64>(TRANSPOSED + (4 + line) * STRIDE, load<u64>(vBehind + back), 8);
  }
  const edge = TRANSPOSED + 4 * STRIDE;
  if (!normalLoopFilter(edge - STRIDE, edge, STRIDE, isSubblockEdge, edgeLimit, interior, hev)) return;
  for (let line: usize = 0; line < 3; line++) {
    const back = line * uvStride;
    store<u64>(uBefore - back, load<u64>(TRANSPOSED + (3 - line) * STRIDE));
    store<u64>(vBefore - back, load<u64>(TRANSPOSED + (3 - line) * STRIDE, 8));
    store<u64>(uBehind + back, load<u64>(TRANSPOSED + (4 + line) * STRIDE));
    store<u64>(vBehind + back, load<u64>(TRANSPOSED + (4 + line) * STRIDE, 8));
  }
}

/**
 * The eight columns around a vertical edge, transposed to eight lines of 16 samples, because the edge filter works on
 * lines.
 */
const TRANSPOSED: usize = memory.data(128, 16);
const STRIDE: usize = 16;

function pairOf(first: usize, second: usize): v128 {
  return lowBytes(v128.load64_zero(first), v128.load64_zero(second));
}

function lowFours(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 4, 1, 5);
}

function highFours(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 2, 6, 3, 7);
}

/** Transposes 8 columns of 8 lines at `upper` and of 8 at `lower`. */
function transposeIn(upper: usize, lower: usize, stride: usize): void {
  const a = pairOf(upper, upper + stride);
  const b = pairOf(upper + 2 * stride, upper + 3 * stride);
  const c = pairOf(upper + 4 * stride, upper + 5 * stride);
  const d = pairOf(upper + 6 * stride, upper + 7 * stride);
  const e = pairOf(lower, lower + stride);
  const f = pairOf(lower + 2 * stride, lower + 3 * stride);
  const g = pairOf(lower + 4 * stride, lower + 5 * stride);
  const h = pairOf(lower + 6 * stride, lower + 7 * stride);
  const abLow = lowWords(a, b);
  const cdLow = lowWords(c, d);
  const efLow = lowWords(e, f);
  const ghLow = lowWords(g, h);
  storeColumns(0, lowFours(abLow, cdLow), lowFours(efLow, ghLow));
  storeColumns(2, highFours(abLow, cdLow), highFours(efLow, ghLow));
  const abHigh = highWords(a, b);
  const cdHigh = highWords(c, d);
  const efHigh = highWords(e, f);
  const ghHigh = highWords(g, h);
  storeColumns(4, lowFours(abHigh, cdHigh), lowFours(efHigh, ghHigh));
  storeColumns(6, highFours(abHigh, cdHigh), highFours(efHigh, ghHigh));
}

function storeColumns(column: usize, upper: v128, lower: v128): void {
  v128.store(TRANSPOSED + column * STRIDE, i64x2.shuffle(upper, lower, 0, 2));
  v128.store(TRANSPOSED + (column + 1) * STRIDE, i64x2.shuffle(upper, lower, 1, 3));
}

/** Transposes the eight lines back. */
function transposeOut(upper: usize, lower: usize, stride: usize): void {
  transposeOutHalf(0, upper, stride);
  transposeOutHalf(8, lower, stride);
}

function columnPairs(column: usize, half: usize): v128 {
  const first = TRANSPOSED + column * STRIDE + half;
  return pairOf(first, first + STRIDE);
}

function transposeOutHalf(half: usize, to: usize, stride: usize): void {
  const a = columnPairs(0, half);
  const b = columnPairs(2, half);
  const c = columnPairs(4, half);
  const d = columnPairs(6, half);
  const abLow = lowWords(a, b);
  const cdLow = lowWords(c, d);
  const abHigh = highWords(a, b);
  const cdHigh = highWords(c, d);
  storeLines(to, stride, lowFours(abLow, cdLow));
  storeLines(to + 2 * stride, stride, highFours(abLow, cdLow));
  storeLines(to + 4 * stride, stride, lowFours(abHigh, cdHigh));
  storeLines(to + 6 * stride, stride, highFours(abHigh, cdHigh));
}

function storeLines(to: usize, stride: usize, two: v128): void {
  v128.store64_lane(to, two, 0);
  v128.store64_lane(to + stride, two, 1);
}
