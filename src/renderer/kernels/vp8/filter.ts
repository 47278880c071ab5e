import { filterNormal, filterSimple } from "./edges";
import { filterType } from "./header";
import { uBand, uvStride, vBand, yBand, yStride } from "./planes";
import { TURNED, TURNED_STRIDE, turnIn, turnOut } from "./turn";

/**
 * Filters a macroblock once its row is whole, after those above and on the left (RFC 6386, 15.1). `filter` is as in
 * filter-levels.ts; `hasInner` says that its subblocks have edges to smooth.
 */
export function filterMacroblock(row: i32, column: i32, filter: usize, hasInner: bool): void {
  const interior = <i32>load<u8>(filter, 1);
  const limit = <i32>load<u8>(filter);
  if (limit === 0) return;
  const y = yBand(row) + <usize>column * 16;
  const aboveY = yBand(row - 1) + 15 * yStride + <usize>column * 16;
  if (filterType === 1) {
    if (column > 0) simpleStanding(y, limit + 4);
    if (hasInner) for (let x: usize = 4; x < 16; x += 4) simpleStanding(y + x, limit);
    if (row > 0) filterSimple(aboveY, y, yStride, limit + 4);
    if (hasInner) {
      for (let line: usize = 4; line < 16; line += 4) {
        filterSimple(y + (line - 1) * yStride, y + line * yStride, yStride, limit);
      }
    }
    return;
  }
  const rough = <i32>load<u8>(filter, 2);
  const u = uBand(row) + <usize>column * 8;
  const v = vBand(row) + <usize>column * 8;
  if (column > 0) {
    normalStanding(y, y + 8 * yStride, yStride, false, limit + 4, interior, rough);
    normalStanding(u, v, uvStride, false, limit + 4, interior, rough);
  }
  if (hasInner) {
    for (let x: usize = 4; x < 16; x += 4) {
      normalStanding(y + x, y + x + 8 * yStride, yStride, true, limit, interior, rough);
    }
    normalStanding(u + 4, v + 4, uvStride, true, limit, interior, rough);
  }
  if (row > 0) {
    filterNormal(aboveY, y, yStride, false, limit + 4, interior, rough);
    const aboveU = uBand(row - 1) + 7 * uvStride + <usize>column * 8;
    const aboveV = vBand(row - 1) + 7 * uvStride + <usize>column * 8;
    chromaLying(aboveU, aboveV, u, v, false, limit + 4, interior, rough);
  }
  if (hasInner) {
    for (let line: usize = 4; line < 16; line += 4) {
      filterNormal(y + (line - 1) * yStride, y + line * yStride, yStride, true, limit, interior, rough);
    }
    const inner = 4 * uvStride;
    chromaLying(
      u + inner - uvStride,
      v + inner - uvStride,
      u + inner,
      v + inner,
      true,
      limit,
      interior,
      rough,
    );
  }
}

function simpleStanding(at: usize, limit: i32): void {
  const upper = at - 4;
  const lower = upper + 8 * yStride;
  turnIn(upper, lower, yStride);
  const edge = TURNED + 4 * TURNED_STRIDE;
  if (filterSimple(edge - TURNED_STRIDE, edge, TURNED_STRIDE, limit)) turnOut(upper, lower, yStride);
}

/** Eight lines at `upper` and eight at `lower`: the halves of luma, or the two chroma planes. */
function normalStanding(
  upper: usize,
  lower: usize,
  stride: usize,
  isInner: bool,
  limit: i32,
  interior: i32,
  rough: i32,
): void {
  turnIn(upper - 4, lower - 4, stride);
  const edge = TURNED + 4 * TURNED_STRIDE;
  if (filterNormal(edge - TURNED_STRIDE, edge, TURNED_STRIDE, isInner, limit, interior, rough)) {
    turnOut(upper - 4, lower - 4, stride);
  }
}

/** Both chroma planes side by side. */
function chromaLying(
  uBefore: usize,
  vBefore: usize,
  uBehind: usize,
  vBehind: usize,
  isInner: bool,
  limit: i32,
  interior: i32,
  rough: i32,
): void {
  for (let line: usize = 0; line < 4; line++) {
    const back = line * uvStride;
    store<u64>(TURNED + (3 - line) * TURNED_STRIDE, load<u64>(uBefore - back));
    store<u64>(TURNED + (3 - line) * TURNED_STRIDE, load<u64>(vBefore - back), 8);
    store<u64>(TURNED + (4 + line) * TURNED_STRIDE, load<u64>(uBehind + back));
    store<u64>(TURNED + (4 + line) * TURNED_STRIDE, load<u64>(vBehind + back), 8);
  }
  const edge = TURNED + 4 * TURNED_STRIDE;
  if (!filterNormal(edge - TURNED_STRIDE, edge, TURNED_STRIDE, isInner, limit, interior, rough)) return;
  for (let line: usize = 0; line < 3; line++) {
    const back = line * uvStride;
    store<u64>(uBefore - back, load<u64>(TURNED + (3 - line) * TURNED_STRIDE));
    store<u64>(vBefore - back, load<u64>(TURNED + (3 - line) * TURNED_STRIDE, 8));
    store<u64>(uBehind + back, load<u64>(TURNED + (4 + line) * TURNED_STRIDE));
    store<u64>(vBehind + back, load<u64>(TURNED + (4 + line) * TURNED_STRIDE, 8));
  }
}
