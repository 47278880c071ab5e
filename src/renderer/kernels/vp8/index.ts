import { addBoxMeansRow, boxMeansBytes, isBoxMeansOpaque, startBoxMeans } from "../box-means";
import { isFed, isOverrun, readerOf } from "./bits";
import { COEFFICIENTS, EDGE_BYTES, readCoefficients, skipCoefficients } from "./coefficients";
import { colourBytes, startColour, writeLine } from "./colour";
import { filterMacroblock } from "./filter";
import { filterOf } from "./filter-levels";
import { filterType, readHeader } from "./header";
import { addBlocks, predictSquare, reconstructSubblocks } from "./macroblock";
import { chromaMode, hasSubblocks, isSkipped, lumaMode, readModes, segment } from "./modes";
import { handDown, planesBytes, startPlanes, uBand, uvStride, vBand, yBand, yStride } from "./planes";
import { stepsOf } from "./quantisers";
import { shrinkBytes, shrinkLine, startShrink } from "./shrink";
import { MODE_BYTES_MAX, startWindows, TOKEN_BYTES_MAX, WINDOWS_BYTES } from "./windows";

export { makeRoom, roomOf, take } from "./windows";

/**
 * Decodes a VP8 key frame (RFC 6386) row by row. The caller feeds each partition through its window (windows.ts), then
 * asks for lines until it has them all.
 */

/** Statuses of `decodeLines` beside a number of lines; `FEED - n` asks for bytes of partition n. */
const DAMAGED: i32 = -1;
const FEED: i32 = -2;

const LINES_MAX: usize = 32;
const PAGE_BYTES: usize = 65_536;

let width: i32 = 0;
let height: i32 = 0;
let columns: i32 = 0;
let rows: i32 = 0;
let factor: i32 = 1;
let hasAlpha: bool = false;

/** Modes and coefficient flags of the macroblocks above; strengths of filtering of those in the row. */
let modesAbove: usize = 0;
let flagsAbove: usize = 0;
let filters: usize = 0;
const MODES_LEFT: usize = memory.data(4);
const FLAGS_LEFT: usize = memory.data(16, 16);
const INNER: u8 = 1;

let planes: usize = 0;
let lines: usize = 0;
let alpha: usize = 0;

let partitions: i32 = 0;
let row: i32 = 0;
let column: i32 = 0;
/** Lines of the picture that were put out. */
let linesDone: i32 = 0;

/**
 * Begins a picture that is shrunk by `pictureFactor`. With alpha, lines come at full size for `joinAlpha`. False
 * without memory for it, which depends on the width alone.
 */
export function start(pictureWidth: i32, pictureHeight: i32, pictureFactor: i32, isTransparent: bool): bool {
  width = pictureWidth;
  height = pictureHeight;
  factor = pictureFactor;
  hasAlpha = isTransparent;
  columns = (width + 15) >> 4;
  rows = (height + 15) >> 4;
  const windows = (__heap_base + 15) & ~15;
  planes = windows + WINDOWS_BYTES;
  modesAbove = (planes + planesBytes(columns) + 15) & ~15;
  flagsAbove = modesAbove + ((<usize>columns * 4 + 15) & ~15);
  filters = flagsAbove + <usize>columns * EDGE_BYTES;
  const scale = filters + ((<usize>columns * 2 + 15) & ~15);
  alpha = (scale + scaleBytes() + 15) & ~15;
  lines = alpha + (hasAlpha ? (<usize>width * LINES_MAX + 31) & ~15 : 0);
  const linesBytes = <usize>(hasAlpha ? width : (width + factor - 1) / factor) * 4 * LINES_MAX + 64;
  const pages = <i32>((lines + linesBytes + PAGE_BYTES - 1) / PAGE_BYTES);
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) return false;

  startWindows(windows);
  startPlanes(planes, columns);
  memory.fill(modesAbove, 0, filters - modesAbove);
  memory.fill(COEFFICIENTS, 0, 800);
  if (factor === 1 || hasAlpha) startColour(scale, width, height);
  else startShrink(scale, width, height, factor);
  if (hasAlpha) startBoxMeans(scale + ((colourBytes(width) + 15) & ~15), width, height, factor, 4);
  partitions = 0;
  row = 0;
  linesDone = 0;
  startRow();
  return true;
}

function scaleBytes(): usize {
  const colour = (colourBytes(width) + 15) & ~15;
  if (hasAlpha) return colour + boxMeansBytes(width, factor, 4);
  return factor === 1 ? colour : shrinkBytes(width, factor);
}

/** Reads the frame header. Gives the number of coefficient partitions; 0 when it is damaged. */
export function readFrameHeader(): i32 {
  partitions = readHeader();
  return partitions;
}

/** Where `decodeLines` puts its lines. */
export function linesAt(): usize {
  return lines;
}

/** Where the alpha of those lines goes, byte by byte. */
export function alphaAt(): usize {
  return alpha;
}

/**
 * Decodes the next row of macroblocks. Gives the number of lines of RGBA that it completes, 0 to 32, or a status. Not to
 * be asked past the last line.
 */
export function decodeLines(): i32 {
  if (row === rows) return DAMAGED;
  const status = decodeRow();
  if (status !== 0) return status;
  if (row < rows - 1) handDown(row, columns);
  if (filterType !== 0) filterRow();
  row += 1;
  startRow();
  return writeLines();
}

/**
 * As `decodeLines`, of the row that another instance has just decoded, and whose planes were copied to `planesAt`: the
 * same picture at another factor, without reading its bits again.
 */
export function copiedLines(): i32 {
  if (row === rows) return DAMAGED;
  row += 1;
  return writeLines();
}

/** Where the planes of the last two rows of macroblocks stand, which is the same for every factor. */
export function planesAt(): usize {
  return planes;
}

export function planesLength(): usize {
  return planesBytes(columns);
}

/**
 * Gives the lines, of which there are `count`, the alpha that stands at `alphaAt`, and shrinks them: the number of
 * lines that are whole, at `linesAt`.
 */
export function joinAlpha(count: i32): i32 {
  let whole = 0;
  const lineBytes = <usize>width * 4;
  const outBytes = <usize>((width + factor - 1) / factor) * 4;
  for (let line = 0; line < count; line++) {
    const at = lines + <usize>line * lineBytes;
    const values = alpha + <usize>(line * width);
    // Four at a time; those past the line's end are set again with the next line.
    for (let x: usize = 0; x < <usize>width; x += 4) {
      const four = i16x8.extend_low_i8x16_u(v128.load32_zero(values + x));
      const alphas = i32x4.shl(i32x4.extend_low_i16x8_u(four), 24);
      const colours = v128.and(v128.load(at + x * 4), i32x4.splat(0x00ffffff));
      v128.store(at + x * 4, v128.or(colours, alphas));
    }
    whole += addBoxMeansRow(at, lines + <usize>whole * outBytes);
  }
  return whole;
}

export function isOpaque(): bool {
  return isBoxMeansOpaque();
}

function startRow(): void {
  column = 0;
  store<u32>(MODES_LEFT, 0);
  memory.fill(FLAGS_LEFT, 0, EDGE_BYTES);
}

/** A row of macroblocks, unfiltered; on from where it stopped for bytes. */
function decodeRow(): i32 {
  const partition = 1 + (row & (partitions - 1));
  const modes = readerOf(0);
  const tokens = readerOf(partition);
  for (; column < columns; column++) {
    if (!isFed(modes, MODE_BYTES_MAX)) return FEED;
    if (!isFed(tokens, TOKEN_BYTES_MAX)) return FEED - partition;
    readModes(modes, modesAbove + <usize>column * 4, MODES_LEFT);
    const flags = flagsAbove + <usize>column * EDGE_BYTES;
    let hasCoefficients: bool = false;
    if (isSkipped) skipCoefficients(flags, FLAGS_LEFT, hasSubblocks);
    else hasCoefficients = readCoefficients(tokens, flags, FLAGS_LEFT, stepsOf(segment), hasSubblocks);
    if (isOverrun(modes) || isOverrun(tokens)) return DAMAGED;
    reconstruct(hasCoefficients);
    const filter = filters + <usize>column * 2;
    store<u8>(filter, <u8>((segment << 1) | (hasSubblocks ? 1 : 0)));
    store<u8>(filter, hasSubblocks || hasCoefficients ? INNER : 0, 1);
  }
  return 0;
}

function reconstruct(hasCoefficients: bool): void {
  const y = yBand(row) + <usize>column * 16;
  const u = uBand(row) + <usize>column * 8;
  const v = vBand(row) + <usize>column * 8;
  const hasAbove = row > 0;
  const hasLeft = column > 0;
  if (hasSubblocks) {
    reconstructSubblocks(y, yStride, hasCoefficients);
  } else {
    predictSquare(y, yStride, 16, lumaMode, hasAbove, hasLeft);
    if (hasCoefficients) addBlocks(y, yStride, 0, 4);
  }
  predictSquare(u, uvStride, 8, chromaMode, hasAbove, hasLeft);
  predictSquare(v, uvStride, 8, chromaMode, hasAbove, hasLeft);
  if (!hasCoefficients) return;
  addBlocks(u, uvStride, 16, 2);
  addBlocks(v, uvStride, 20, 2);
}

function filterRow(): void {
  for (let x = 0; x < columns; x++) {
    const filter = filters + <usize>x * 2;
    const index = <i32>load<u8>(filter);
    filterMacroblock(row, x, filterOf(index >> 1, (index & 1) !== 0), load<u8>(filter, 1) !== 0);
  }
}

/**
 * The row of macroblocks before the last one that was decoded is final: the next row's filter reaches 3 lines up. So is
 * the first line of the last one, which needs chroma of both.
 */
function writeLines(): i32 {
  const isFullSize = factor === 1 || hasAlpha;
  const last = row === rows ? height : (row - 1) * 16 + (isFullSize && row > 1 ? 1 : 0);
  const lineBytes = <usize>(isFullSize ? width : (width + factor - 1) / factor) * 4;
  let written = 0;
  for (; linesDone < last; linesDone++) {
    const to = lines + <usize>written * lineBytes;
    if (isFullSize) {
      writeLine(linesDone, to);
      written += 1;
    } else if (shrinkLine(linesDone, to)) {
      written += 1;
    }
  }
  return written;
}
