/**
 * Sample buffers of two rows of macroblocks, used in turn. Before a row's lines is the unfiltered last line of the row
 * above, which prediction needs. Before each line is the sample that prediction uses left of the picture; after each
 * line is padding for reads past its end.
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

/** Lays out the buffers, and fills the samples outside the picture: 127 above, 129 to the left (RFC 6386, 12.2). */
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

/** The first sample of a row of macroblocks. */
export function yRow(row: i32): usize {
  return yStart + (<usize>(row & 1) * Y_LINES + 1) * yStride + MARGIN;
}

export function uRow(row: i32): usize {
  return uStart + (<usize>(row & 1) * UV_LINES + 1) * uvStride + MARGIN;
}

export function vRow(row: i32): usize {
  return vStart + (<usize>(row & 1) * UV_LINES + 1) * uvStride + MARGIN;
}

/** The first sample of line `line` of the picture in one of the two rows. */
export function yLine(line: i32): usize {
  return yRow(line >> 4) + <usize>(line & 15) * yStride;
}

export function uLine(line: i32): usize {
  return uRow(line >> 3) + <usize>(line & 7) * uvStride;
}

export function vLine(line: i32): usize {
  return vRow(line >> 3) + <usize>(line & 7) * uvStride;
}

/** Copies the last line of a row, unfiltered, above the next row. */
export function copyUnfilteredEdge(row: i32, columns: i32): void {
  const y = <usize>columns * 16;
  const from = yRow(row) + 15 * yStride;
  const to = yRow(row + 1) - yStride;
  memory.copy(to, from, y);
  // Past the end of the line the last sample is repeated.
  store<u32>(to + y, <u32>load<u8>(from + y - 1) * 0x01010101);
  store<u8>(to - 1, 129);
  const uv = <usize>columns * 8;
  memory.copy(uRow(row + 1) - uvStride, uRow(row) + 7 * uvStride, uv);
  memory.copy(vRow(row + 1) - uvStride, vRow(row) + 7 * uvStride, uv);
  store<u8>(uRow(row + 1) - uvStride - 1, 129);
  store<u8>(vRow(row + 1) - uvStride - 1, 129);
}
