/**
 * Two bands of reconstructed samples, one a row of macroblocks, used in turn. A band has, above its lines, one more:
 * the lowest line of the band before it, as it was before filtering, which prediction needs. Left of a line stands
 * what prediction sees beyond the picture; right of it are bytes that may be read.
 */
export const MARGIN: usize = 16;

export let yStride: usize = 0;
export let uvStride: usize = 0;
let yStart: usize = 0;
let uStart: usize = 0;
let vStart: usize = 0;

const Y_LINES: usize = 17;
const UV_LINES: usize = 9;

export function planesBytes(columns: i32): usize {
  const y = <usize>columns * 16 + 2 * MARGIN;
  const uv = <usize>columns * 8 + 2 * MARGIN;
  return 2 * (y * Y_LINES + 2 * uv * UV_LINES);
}

/** Lays the bands out, and fills what lies beyond the picture: 127 above, 129 on the left (RFC 6386, 12.2). */
export function startPlanes(at: usize, columns: i32): void {
  yStride = <usize>columns * 16 + 2 * MARGIN;
  uvStride = <usize>columns * 8 + 2 * MARGIN;
  yStart = at;
  uStart = yStart + 2 * yStride * Y_LINES;
  vStart = uStart + 2 * uvStride * UV_LINES;
  memory.fill(at, 129, planesBytes(columns));
  memory.fill(yStart, 127, yStride);
  memory.fill(uStart, 127, uvStride);
  memory.fill(vStart, 127, uvStride);
}

/** The first sample of the lines of a row of macroblocks. */
export function yBand(row: i32): usize {
  return yStart + (<usize>(row & 1) * Y_LINES + 1) * yStride + MARGIN;
}

export function uBand(row: i32): usize {
  return uStart + (<usize>(row & 1) * UV_LINES + 1) * uvStride + MARGIN;
}

export function vBand(row: i32): usize {
  return vStart + (<usize>(row & 1) * UV_LINES + 1) * uvStride + MARGIN;
}

/** Lines of the picture, of those that stand. */
export function yLine(line: i32): usize {
  return yBand(line >> 4) + <usize>(line & 15) * yStride;
}

export function uLine(line: i32): usize {
  return uBand(line >> 3) + <usize>(line & 7) * uvStride;
}

export function vLine(line: i32): usize {
  return vBand(line >> 3) + <usize>(line & 7) * uvStride;
}

/** Hands the lowest lines, unfiltered, to the next row of macroblocks. */
export function handDown(row: i32, columns: i32): void {
  const y = <usize>columns * 16;
  const from = yBand(row) + 15 * yStride;
  const to = yBand(row + 1) - yStride;
  memory.copy(to, from, y);
  // Right of the picture the last sample goes on.
  store<u32>(to + y, <u32>load<u8>(from + y - 1) * 0x01010101);
  store<u8>(to - 1, 129);
  const uv = <usize>columns * 8;
  memory.copy(uBand(row + 1) - uvStride, uBand(row) + 7 * uvStride, uv);
  memory.copy(vBand(row + 1) - uvStride, vBand(row) + 7 * uvStride, uv);
  store<u8>(uBand(row + 1) - uvStride - 1, 129);
  store<u8>(vBand(row + 1) - uvStride - 1, 129);
}
