import { filterType } from "./frame-header";
import { normalLoopFilter, simpleLoopFilter } from "./loop-filter-edges";
import { uRow, uvStride, vRow, yRow, yStride } from "./row-buffers";
import { TRANSPOSED, TRANSPOSED_STRIDE, transposeIn, transposeOut } from "./transpose";

/**
 * Filters a macroblock after those above and to the left, when its row is reconstructed (RFC 6386, 15.1). `filter` is a
 * record of loop-filter-levels.ts; `hasSubblockEdges`: whether the edges between its subblocks are filtered.
 */
export function loopFilterMacroblock(row: i32, column: i32, filter: usize, hasSubblockEdges: bool): void {
  const interiorLimit = <i32>load<u8>(filter, 1);
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
  const hevThreshold = <i32>load<u8>(filter, 2);
  const u = uRow(row) + <usize>column * 8;
  const v = vRow(row) + <usize>column * 8;
  if (column > 0) {
    normalVerticalEdge(y, y + 8 * yStride, yStride, false, edgeLimit + 4, interiorLimit, hevThreshold);
    normalVerticalEdge(u, v, uvStride, false, edgeLimit + 4, interiorLimit, hevThreshold);
  }
  if (hasSubblockEdges) {
    for (let x: usize = 4; x < 16; x += 4) {
      normalVerticalEdge(y + x, y + x + 8 * yStride, yStride, true, edgeLimit, interiorLimit, hevThreshold);
    }
    normalVerticalEdge(u + 4, v + 4, uvStride, true, edgeLimit, interiorLimit, hevThreshold);
  }
  if (row > 0) {
    normalLoopFilter(aboveY, y, yStride, false, edgeLimit + 4, interiorLimit, hevThreshold);
    const aboveU = uRow(row - 1) + 7 * uvStride + <usize>column * 8;
    const aboveV = vRow(row - 1) + 7 * uvStride + <usize>column * 8;
    chromaHorizontalEdge(aboveU, aboveV, u, v, false, edgeLimit + 4, interiorLimit, hevThreshold);
  }
  if (hasSubblockEdges) {
    for (let line: usize = 4; line < 16; line += 4) {
      normalLoopFilter(
        y + (line - 1) * yStride,
        y + line * yStride,
        yStride,
        true,
        edgeLimit,
        interiorLimit,
        hevThreshold,
      );
    }
    const inner = 4 * uvStride;
    chromaHorizontalEdge(
      u + inner - uvStride,
      v + inner - uvStride,
      u + inner,
      v + inner,
      true,
      edgeLimit,
      interiorLimit,
      hevThreshold,
    );
  }
}

function simpleVerticalEdge(at: usize, edgeLimit: i32): void {
  const upper = at - 4;
  const lower = upper + 8 * yStride;
  transposeIn(upper, lower, yStride);
  const edge = TRANSPOSED + 4 * TRANSPOSED_STRIDE;
  if (simpleLoopFilter(edge - TRANSPOSED_STRIDE, edge, TRANSPOSED_STRIDE, edgeLimit))
    transposeOut(upper, lower, yStride);
}

/** Filters a vertical edge in eight lines at `upper` and eight at `lower`: the halves of luma, or the two chroma planes. */
function normalVerticalEdge(
  upper: usize,
  lower: usize,
  stride: usize,
  isSubblockEdge: bool,
  edgeLimit: i32,
  interiorLimit: i32,
  hevThreshold: i32,
): void {
  transposeIn(upper - 4, lower - 4, stride);
  const edge = TRANSPOSED + 4 * TRANSPOSED_STRIDE;
  if (
    normalLoopFilter(
      edge - TRANSPOSED_STRIDE,
      edge,
      TRANSPOSED_STRIDE,
      isSubblockEdge,
      edgeLimit,
      interiorLimit,
      hevThreshold,
    )
  ) {
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
  interiorLimit: i32,
  hevThreshold: i32,
): void {
  for (let line: usize = 0; line < 4; line++) {
    const back = line * uvStride;
    store<u64>(TRANSPOSED + (3 - line) * TRANSPOSED_STRIDE, load<u64>(uBefore - back));
    store<u64>(TRANSPOSED + (3 - line) * TRANSPOSED_STRIDE, load<u64>(vBefore - back), 8);
    store<u64>(TRANSPOSED + (4 + line) * TRANSPOSED_STRIDE, load<u64>(uBehind + back));
    store<u64>(TRANSPOSED + (4 + line) * TRANSPOSED_STRIDE, load<u64>(vBehind + back), 8);
  }
  const edge = TRANSPOSED + 4 * TRANSPOSED_STRIDE;
  if (
    !normalLoopFilter(
      edge - TRANSPOSED_STRIDE,
      edge,
      TRANSPOSED_STRIDE,
      isSubblockEdge,
      edgeLimit,
      interiorLimit,
      hevThreshold,
    )
  )
    return;
  for (let line: usize = 0; line < 3; line++) {
    const back = line * uvStride;
    store<u64>(uBefore - back, load<u64>(TRANSPOSED + (3 - line) * TRANSPOSED_STRIDE));
    store<u64>(vBefore - back, load<u64>(TRANSPOSED + (3 - line) * TRANSPOSED_STRIDE, 8));
    store<u64>(uBehind + back, load<u64>(TRANSPOSED + (4 + line) * TRANSPOSED_STRIDE));
    store<u64>(vBehind + back, load<u64>(TRANSPOSED + (4 + line) * TRANSPOSED_STRIDE, 8));
  }
}
