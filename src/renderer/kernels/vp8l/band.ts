/** The rows that a call has made, as they are handed out: averaged pixels, or the bytes of an alpha plane. */
import { take } from "../arena";
import { addBoxMeansRow, boxMeansBytes, startBoxMeans } from "../box-means";
import { unfilterAlpha } from "./alpha";
import { copyGreen, copyOpaqueRgba, copyRgba } from "./rows";

const BAND_ROWS_MAX: i32 = 64;
const BAND_BYTES: i32 = 262144;
const ROW_SLACK_BYTES: usize = 64;

let width: i32 = 0;
let line: usize = 0;
let otherLine: usize = 0;
/** The alpha row above the one in `line`; 0 before the first. */
let above: usize = 0;
let band: usize = 0;
let bandRowBytes: usize = 0;
let bandRowsMax: i32 = 0;
let bandRows: i32 = 0;

/** Takes memory for rows of a picture whose boxes of `factor` pixels are averaged, or of an alpha plane. */
export function reserveBand(pictureWidth: i32, pictureHeight: i32, factor: i32, isAlpha: bool): bool {
  width = pictureWidth;
  bandRows = 0;
  above = 0;
  const outWidth = (width + factor - 1) / factor;
  bandRowBytes = isAlpha ? <usize>width : (<usize>outWidth) << 2;
  bandRowsMax = max(1, min(BAND_ROWS_MAX, BAND_BYTES / <i32>bandRowBytes));
  band = take(bandRowBytes * <usize>bandRowsMax + ROW_SLACK_BYTES);
  line = take(((<usize>width) << 2) + ROW_SLACK_BYTES);
  otherLine = take(((<usize>width) << 2) + ROW_SLACK_BYTES);
  const means = take(boxMeansBytes(width, factor, 4));
  if (band === 0 || line === 0 || otherLine === 0 || means === 0) return false;
  startBoxMeans(means, width, pictureHeight, factor, 4);
  return true;
}

export function bandAt(): usize {
  return band;
}

export function rowsInBand(): i32 {
  return bandRows;
}

/** Begins it anew. Answers how many of `rowsMax` rows it takes. */
export function emptyBand(rowsMax: i32): i32 {
  bandRows = 0;
  return min(rowsMax, bandRowsMax);
}

/** Takes a row of pixels, which comes out once its box is full. */
export function givePixels(pixels: usize, hasAlpha: bool): void {
  if (hasAlpha) copyRgba(pixels, line, width);
  else copyOpaqueRgba(pixels, line, width);
  bandRows += addBoxMeansRow(line, nextAt());
}

/** Takes a row of an alpha plane that is stored as the green of pixels. */
export function giveGreen(pixels: usize, filter: i32): void {
  copyGreen(pixels, line, width);
  giveAlpha(filter);
}

/** Where a row of an alpha plane goes before it is given. */
export function alphaLine(): usize {
  return line;
}

/** Unfilters the row in `alphaLine`, which stays as the one above the next. */
export function giveAlpha(filter: i32): void {
  unfilterAlpha(filter, line, above, width);
  memory.copy(nextAt(), line, width);
  above = line;
  line = otherLine;
  otherLine = above;
  bandRows++;
}

function nextAt(): usize {
  return band + <usize>bandRows * bandRowBytes;
}
