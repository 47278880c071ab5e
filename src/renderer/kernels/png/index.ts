/**
 * Decodes the image data of a PNG: takes IDAT bytes a window at a time and returns rows, averaged when shrinking. Stops
 * at the last row of IHDR's height and ignores any data after it.
 */

import { allocate, resetAllocator } from "../allocator";
import { startBitReader, windowBytes } from "../bit-reader";
import { addBoxMeansRow, boxMeansBytes, isBoxMeansOpaque, startBoxMeans } from "../box-means";
import {
  INFLATE_ENDED,
  INFLATE_NEEDS_INPUT,
  INFLATE_SHORT,
  INFLATED,
  inflate,
  outEnd,
  outStart,
  readOutput,
  startInflate,
} from "./inflate";
import {
  nextPass,
  passHeight,
  passLeft,
  passTop,
  passWidth,
  startPasses,
  stepX,
  stepY,
} from "./interlace-passes";
import {
  addPixels,
  interlacedMeansBytes,
  isInStrip,
  isInterlacedOpaque,
  startInterlacedMeans,
  writeMeans,
} from "./interlaced-box-means";
import {
  asSamples,
  bpp,
  channels,
  colourTable,
  expandToRgba,
  IS_INTERLACED,
  isExpandedOpaque,
  prepareColours,
  rgbaRow,
  startExpansion,
  trackOpacity,
  transparentPixel,
} from "./rgba-rows";
import { unfilter } from "./unfilter";

export { feed, makeRoom as inputAt, roomBytes as inputRoom } from "../bit-reader";

/** Status codes of `run`. After any of them, rows may be ready. */
const READY: i32 = 0;
const NEEDS_INPUT: i32 = 1;
const DAMAGED: i32 = 2;
const TRUNCATED: i32 = 3;
const DONE: i32 = 4;
const CONTINUE: i32 = 5;

/** Upper bound of the kernel's memory: sums of a strip (32 MB), rows, windows. */
const MEMORY_BYTES_MAX: usize = 48 << 20;
const OUT_ROWS_MAX: i32 = 64;
const OUT_BYTES: i32 = 262144;
const ROW_SLACK_BYTES: usize = 64;

let width: i32 = 0;
let height: i32 = 0;
/** Bits per pixel, over all its samples. */
let pixelBits: i32 = 32;
let isInterlaced: bool = false;
let factor: i32 = 1;

let rowBytes: usize = 0;
let passRow: i32 = 0;
let current: usize = 0;
let above: usize = 0;
let isEveryRowIn: bool = false;
let inflated: i32 = 0;

let stripRows: i32 = 0;
let stripRow: i32 = 0;
let outRows: usize = 0;
let outRowBytes: usize = 0;
let outRowsMax: i32 = 0;
let outRowCount: i32 = 0;

/** Address for the RGBA of each index (1 KB), which the caller writes before the first `run`. */
export function colourTableAt(): usize {
  return colourTable;
}

/** Address for the transparent pixel of tRNS, in stored form, which the caller writes before the first `run`. */
export function transparentPixelAt(): usize {
  return transparentPixel;
}

/**
 * Starts a picture. `samplesPerPixel` is 1 to 4. An averaged interlaced picture yields only the rows `stripTop` to
 * `stripTop + rows` of the output. Returns 0, or 1 when out of memory.
 */
export function start(
  pictureWidth: i32,
  pictureHeight: i32,
  bitDepth: i32,
  samplesPerPixel: i32,
  flagBits: i32,
  boxEdge: i32,
  stripTop: i32,
  rows: i32,
): i32 {
  resetAllocator(MEMORY_BYTES_MAX);
  width = pictureWidth;
  height = pictureHeight;
  pixelBits = bitDepth * samplesPerPixel;
  isInterlaced = (flagBits & IS_INTERLACED) !== 0;
  factor = boxEdge;
  isEveryRowIn = false;
  inflated = INFLATED;
  outRowCount = 0;
  stripRows = rows;
  stripRow = 0;
  const outWidth = (width + factor - 1) / factor;
  outRowBytes = (<usize>outWidth) << 2;
  outRowsMax = max(1, min(OUT_ROWS_MAX, OUT_BYTES / <i32>outRowBytes));
  const longest = bytesOf(width) + ROW_SLACK_BYTES;
  const window = allocate(windowBytes());
  current = allocate(longest);
  above = allocate(longest);
  outRows = allocate(outRowBytes * <usize>outRowsMax + ROW_SLACK_BYTES);
  const rgbaBytes = ((<usize>width) << 2) + ROW_SLACK_BYTES;
  if (!startExpansion(bitDepth, samplesPerPixel, flagBits, longest, rgbaBytes)) return 1;
  const hasInterlacedMeans = isInterlaced && factor > 1;
  const means = allocate(
    hasInterlacedMeans
      ? interlacedMeansBytes(outWidth, rows, factor)
      : boxMeansBytes(width, factor, channels),
  );
  if (window === 0 || current === 0 || above === 0 || outRows === 0 || means === 0) return 1;
  if (!startInflate(longest)) return 1;
  startBitReader(window);
  startPasses(width, height, isInterlaced);
  if (hasInterlacedMeans) startInterlacedMeans(means, width, height, factor, stripTop, rows);
  else startBoxMeans(means, width, height, factor, channels);
  startPass();
  return 0;
}

/** Stored bytes of `pixels` pixels, without the filter type. */
function bytesOf(pixels: i32): usize {
  return (<usize>pixels * <usize>pixelBits + 7) >> 3;
}

/** Address and number of the consecutive rows that the last `run` returned. */
export function rowsAt(): usize {
  return isPlacedByCaller() ? rgbaRow : outRows;
}

export function rowsReady(): i32 {
  return outRowCount;
}

export function isOpaque(): i32 {
  if (!isInterlaced) return isBoxMeansOpaque ? 1 : 0;
  return (factor > 1 ? isInterlacedOpaque : isExpandedOpaque) ? 1 : 0;
}

/*
 * At full size, each `run` of an interlaced picture yields one row of a pass. The caller places its pixels in the
 * raster by these four values: row, first column, column step and number of pixels.
 */
export function passRowY(): i32 {
  return passTop + (passRow - 1) * stepY;
}

export function passRowX(): i32 {
  return passLeft;
}

export function passRowStep(): i32 {
  return stepX;
}

export function passRowPixels(): i32 {
  return passWidth;
}

function isPlacedByCaller(): bool {
  return isInterlaced && factor === 1;
}

/** Decodes until rows are ready, input is needed, all rows are out or the data is damaged. */
export function run(): i32 {
  outRowCount = 0;
  prepareColours();
  while (true) {
    const status = reconstructRows();
    if (status !== CONTINUE) return status;
    if (inflated !== INFLATED) {
      const answer =
        inflated === INFLATE_NEEDS_INPUT ? NEEDS_INPUT : inflated === INFLATE_ENDED ? TRUNCATED : DAMAGED;
      inflated = INFLATED;
      return answer;
    }
    inflated = inflate();
    if (inflated === INFLATE_SHORT) return TRUNCATED;
  }
}

function startPass(): void {
  passRow = 0;
  isEveryRowIn = !nextPass();
  rowBytes = bytesOf(passWidth);
  memory.fill(above, 0, rowBytes + ROW_SLACK_BYTES);
}

/** Reconstructs the inflated rows. */
function reconstructRows(): i32 {
  while (true) {
    if (!isEveryRowIn && passRow === passHeight) startPass();
    if (isEveryRowIn) return writeStrip();
    if (outEnd - outStart <= rowBytes) return CONTINUE;
    if (outRowCount === outRowsMax) return READY;
    if (!unfilter(load<u8>(outStart), outStart + 1, current, above, rowBytes, bpp)) return DAMAGED;
    readOutput(rowBytes + 1);
    passRow++;
    const row = current;
    current = above;
    above = row;
    if (isPlacedByCaller()) {
      expandToRgba(row, passWidth);
      trackOpacity(passWidth);
      outRowCount = 1;
      return READY;
    }
    averageRow(row);
  }
}

function averageRow(row: usize): void {
  if (!isInterlaced) {
    outRowCount += addBoxMeansRow(asSamples(row, passWidth), outRows + <usize>outRowCount * outRowBytes);
    return;
  }
  if (!isInStrip(passRowY())) return;
  expandToRgba(row, passWidth);
  addPixels(passRowY(), rgbaRow, passWidth, passLeft, stepX);
}

/** Writes the strip of an averaged interlaced picture, after all its pixels have been added. */
function writeStrip(): i32 {
  if (!isInterlaced || factor === 1) return DONE;
  for (; stripRow < stripRows; stripRow++, outRowCount++) {
    if (outRowCount === outRowsMax) return READY;
    writeMeans(stripRow, outRows + <usize>outRowCount * outRowBytes);
  }
  return DONE;
}
