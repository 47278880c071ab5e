/** The output rows of a call of `run`: averaged pixels, or the bytes of an alpha plane. */

import { allocate } from "../allocator";
import { addBoxMeansRow, boxMeansBytes, startBoxMeans } from "../box-means";

const OUT_ROWS_MAX: i32 = 64;
const OUT_BYTES: i32 = 262144;
const ROW_SLACK_BYTES: usize = 64;

let width: i32 = 0;
/** Address of an alpha row for `addAlphaRow`. */
export let line: usize = 0;
let otherLine: usize = 0;
/** Address of the alpha row above the row at `line`; 0 for the first row. */
let above: usize = 0;
export let outRows: usize = 0;
let outRowBytes: usize = 0;
let outRowsMax: i32 = 0;
export let outRowCount: i32 = 0;

/** Allocates memory for rows of a picture averaged by `factor`, or of an alpha plane. False when out of memory. */
export function allocateOutputRows(pictureWidth: i32, pictureHeight: i32, factor: i32, isAlpha: bool): bool {
  width = pictureWidth;
  outRowCount = 0;
  above = 0;
  const outWidth = (width + factor - 1) / factor;
  outRowBytes = isAlpha ? <usize>width : (<usize>outWidth) << 2;
  outRowsMax = max(1, min(OUT_ROWS_MAX, OUT_BYTES / <i32>outRowBytes));
  outRows = allocate(outRowBytes * <usize>outRowsMax + ROW_SLACK_BYTES);
  line = allocate(((<usize>width) << 2) + ROW_SLACK_BYTES);
  otherLine = allocate(((<usize>width) << 2) + ROW_SLACK_BYTES);
  const means = allocate(boxMeansBytes(width, factor, 4));
  if (outRows === 0 || line === 0 || otherLine === 0 || means === 0) return false;
  startBoxMeans(means, width, pictureHeight, factor, 4);
  return true;
}

/** Removes the rows. Returns how many of `rowsMax` rows fit. */
export function clearOutputRows(rowsMax: i32): i32 {
  outRowCount = 0;
  return min(rowsMax, outRowsMax);
}

/** Adds a row of pixels. It is output when its boxes are complete. */
export function addArgbRow(pixels: usize, hasAlpha: bool): void {
  if (hasAlpha) copyRgba(pixels, line, width);
  else copyOpaqueRgba(pixels, line, width);
  outRowCount += addBoxMeansRow(line, nextAt());
}

/** Adds a row of an alpha plane that is coded as the green channel. */
export function addGreenRow(pixels: usize, filter: i32): void {
  copyGreen(pixels, line, width);
  addAlphaRow(filter);
}

/** Unfilters the row at `line` and adds it. The row stays in memory, because the next row is predicted from it. */
export function addAlphaRow(filter: i32): void {
  unfilterAlpha(filter, line, above, width);
  memory.copy(nextAt(), line, width);
  above = line;
  line = otherLine;
  otherLine = above;
  outRowCount++;
}

function nextAt(): usize {
  return outRows + <usize>outRowCount * outRowBytes;
}

/* Functions that copy a row of ARGB words, blue in the first byte. They may write up to 15 bytes past the end. */

function copyRgba(from: usize, to: usize, width: i32): void {
  const end = from + ((<usize>width) << 2);
  for (; from < end; from += 16, to += 16) {
    const pixels = v128.load(from);
    v128.store(to, v128.shuffle<u8>(pixels, pixels, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
  }
}

function copyOpaqueRgba(from: usize, to: usize, width: i32): void {
  const end = from + ((<usize>width) << 2);
  const opaque = i32x4.splat(<i32>0xff000000);
  for (; from < end; from += 16, to += 16) {
    const pixels = v128.load(from);
    const rgba = v128.shuffle<u8>(pixels, pixels, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
    v128.store(to, v128.or(rgba, opaque));
  }
}

function copyGreen(from: usize, to: usize, width: i32): void {
  const end = from + ((<usize>width) << 2);
  for (; from < end; from += 16, to += 4) {
    const pixels = v128.load(from);
    const green = v128.shuffle<u8>(pixels, pixels, 1, 5, 9, 13, 1, 5, 9, 13, 1, 5, 9, 13, 1, 5, 9, 13);
    v128.store32_lane(to, green, 0);
  }
}

/* Undoes the filtering methods of an alpha plane (RFC 9649, 2.7.1.2), in place, row by row. */

const NONE: i32 = 0;
const HORIZONTAL: i32 = 1;
const VERTICAL: i32 = 2;

/** `above` is 0 for the first row, where every method predicts from the left. */
function unfilterAlpha(filter: i32, row: usize, above: usize, width: i32): void {
  if (filter === NONE) return;
  if (above === 0) {
    undoLeft(row, width, 0);
    return;
  }
  if (filter === HORIZONTAL) undoLeft(row, width, load<u8>(above));
  else if (filter === VERTICAL) addAbove(row, above, width);
  else addGradient(row, above, width);
}

function undoLeft(row: usize, width: i32, first: u8): void {
  let left = first;
  for (let end = row + width; row < end; row++) {
    left += load<u8>(row);
    store<u8>(row, left);
  }
}

function addAbove(row: usize, above: usize, width: i32): void {
  const end = row + width;
  for (; row + 16 <= end; row += 16, above += 16)
    v128.store(row, i8x16.add(v128.load(row), v128.load(above)));
  for (; row < end; row++, above++) store<u8>(row, load<u8>(row) + load<u8>(above));
}

function addGradient(row: usize, above: usize, width: i32): void {
  let left: i32 = load<u8>(above);
  let topLeft = left;
  for (let end = row + width; row < end; row++, above++) {
    const top: i32 = load<u8>(above);
    const predicted = min(255, max(0, left + top - topLeft));
    left = (load<u8>(row) + predicted) & 255;
    store<u8>(row, <u8>left);
    topLeft = top;
  }
}
