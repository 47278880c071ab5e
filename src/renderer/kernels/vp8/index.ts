import { addBoxMeansRow, boxMeansBytes, isBoxMeansOpaque, startBoxMeans } from "../box-means";
import {
  boolDecoder,
  hasInput,
  isPastEnd,
  MACROBLOCK_HEADER_BYTES_MAX,
  MACROBLOCK_TOKEN_BYTES_MAX,
  PARTITION_INPUT_BYTES,
  startPartitionInput,
} from "./boolean-decoder";
import { COEFFICIENTS, CONTEXT_BYTES, readCoefficients, skipCoefficients } from "./coefficients";
import { dequantFactors, filterType, loopFilterOf, readHeader, strongestFilterLevel } from "./frame-header";
import { loopFilterMacroblock } from "./loop-filter";
import { isBPred, mbSkipCoeff, readMacroblockHeader, segmentId, uvMode, yMode } from "./macroblock-header";
import { addResidue, predictPlane, reconstructBPred } from "./predict-macroblock";
import {
  copyUnfilteredEdge,
  planesBytes,
  startPlanes,
  uRow,
  uvStride,
  vRow,
  yRow,
  yStride,
} from "./row-buffers";
import { shrinkBytes, shrinkLine, startShrink } from "./yuv-box-means";
import { colourBytes, startColour, writeLine } from "./yuv-to-rgb";

export { feed, inputAt, inputRoom } from "./boolean-decoder";

/**
 * Decodes a VP8 key frame (RFC 6386) row by row. The caller feeds each partition through its window
 * (boolean-decoder.ts), then decodes, filters and writes one row of macroblocks after another.
 */

/** Nonzero statuses of `decodeRow`. `FEED - n`: partition n needs input. */
const DAMAGED: i32 = -1;
const FEED: i32 = -2;

/**
 * From this factor on, the loop filter is skipped if it is weak (the file has high quality) and the picture has no
 * alpha: boxes average most of its effect away. Nothing else depends on the filter, because prediction uses unfiltered
 * samples.
 */
const UNFILTERED_FACTOR_MIN: i32 = 4;
const UNFILTERED_LEVEL_MAX: i32 = 15;

const LINES_MAX: usize = 32;
const PAGE_BYTES: usize = 65_536;

let width: i32 = 0;
let height: i32 = 0;
let columns: i32 = 0;
let rows: i32 = 0;
let factor: i32 = 1;
let hasAlpha: bool = false;

/**
 * Subblock modes and contexts of the macroblocks above; loop filter parameters of the row's macroblocks, 2 bytes each.
 */
let bModesAbove: usize = 0;
let contextsAbove: usize = 0;
let filters: usize = 0;
const B_MODES_LEFT: usize = memory.data(4);
const CONTEXTS_LEFT: usize = memory.data(16, 16);
const HAS_SUBBLOCK_EDGES: u8 = 1;

let planes: usize = 0;
let lines: usize = 0;
let alpha: usize = 0;

let partitions: i32 = 0;
/** Number of rows of macroblocks decoded, and number of rows whose lines are written. */
let row: i32 = 0;
let rowsWritten: i32 = 0;
let column: i32 = 0;
/** Number of written lines of the picture. */
let linesDone: i32 = 0;

/**
 * Starts a picture that is averaged by `pictureFactor`. With alpha, lines are written at full size for `joinAlpha`.
 * False when out of memory; the amount depends on the width alone.
 */
export function start(pictureWidth: i32, pictureHeight: i32, pictureFactor: i32, isTransparent: bool): bool {
  width = pictureWidth;
  height = pictureHeight;
  factor = pictureFactor;
  hasAlpha = isTransparent;
  columns = (width + 15) >> 4;
  rows = (height + 15) >> 4;
  const windows = (__heap_base + 15) & ~15;
  planes = windows + PARTITION_INPUT_BYTES;
  bModesAbove = (planes + planesBytes(columns) + 15) & ~15;
  contextsAbove = bModesAbove + ((<usize>columns * 4 + 15) & ~15);
  filters = contextsAbove + <usize>columns * CONTEXT_BYTES;
  const scale = filters + ((<usize>columns * 2 + 15) & ~15);
  alpha = (scale + scaleBytes() + 15) & ~15;
  lines = alpha + (hasAlpha ? (<usize>width * LINES_MAX + 31) & ~15 : 0);
  const linesBytes = <usize>(hasAlpha ? width : (width + factor - 1) / factor) * 4 * LINES_MAX + 64;
  const pages = <i32>((lines + linesBytes + PAGE_BYTES - 1) / PAGE_BYTES);
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) return false;

  startPartitionInput(windows);
  startPlanes(planes, columns);
  memory.fill(bModesAbove, 0, filters - bModesAbove);
  memory.fill(COEFFICIENTS, 0, 800);
  if (factor === 1 || hasAlpha) startColour(scale, width, height);
  else startShrink(scale, width, height, factor);
  if (hasAlpha) startBoxMeans(scale + ((colourBytes(width) + 15) & ~15), width, height, factor, 4);
  partitions = 0;
  row = 0;
  rowsWritten = 0;
  linesDone = 0;
  startRow();
  return true;
}

function scaleBytes(): usize {
  const colour = (colourBytes(width) + 15) & ~15;
  if (hasAlpha) return colour + boxMeansBytes(width, factor, 4);
  return factor === 1 ? colour : shrinkBytes(width, factor);
}

/** Reads the frame header. Returns the number of DCT token partitions; 0 when it is damaged. */
export function readFrameHeader(): i32 {
  partitions = readHeader();
  return partitions;
}

/** Address of the lines of `writeLines`. */
export function linesAt(): usize {
  return lines;
}

/** Address for the alpha of those lines, a byte a pixel. */
export function alphaAt(): usize {
  return alpha;
}

/** Decodes the next row of macroblocks, unfiltered. Returns 0 or a status. Must not be called past the last row. */
export function decodeRow(): i32 {
  if (row === rows) return DAMAGED;
  const status = reconstructRow();
  if (status !== 0) return status;
  if (row < rows - 1) copyUnfilteredEdge(row, columns);
  row += 1;
  startRow();
  return 0;
}

/** Whether a picture at this factor needs filtered rows. */
export function isFiltered(atFactor: i32): bool {
  return hasAlpha || atFactor < UNFILTERED_FACTOR_MIN || strongestFilterLevel > UNFILTERED_LEVEL_MAX;
}

/** Filters the latest decoded row. */
export function filterRow(): void {
  if (filterType !== 0) loopFilterRow(row - 1);
}

/** Address of the sample buffers of the last two rows of macroblocks, whose layout is the same for every factor. */
export function planesAt(): usize {
  return planes;
}

export function planesLength(): usize {
  return planesBytes(columns);
}

/**
 * Sets the alpha of `count` lines from `alphaAt`, and averages them. Returns the number of complete lines at `linesAt`.
 */
export function joinAlpha(count: i32): i32 {
  let whole = 0;
  const lineBytes = <usize>width * 4;
  const outBytes = <usize>((width + factor - 1) / factor) * 4;
  for (let line = 0; line < count; line++) {
    const at = lines + <usize>line * lineBytes;
    const values = alpha + <usize>(line * width);
    // Four pixels at once. Those past the end of the line are overwritten by the next line.
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
  return isBoxMeansOpaque;
}

function startRow(): void {
  column = 0;
  store<u32>(B_MODES_LEFT, 0);
  memory.fill(CONTEXTS_LEFT, 0, CONTEXT_BYTES);
}

/** Decodes the rest of the row. After a request for input, the next call continues with the same macroblock. */
function reconstructRow(): i32 {
  const partition = 1 + (row & (partitions - 1));
  const headerDecoder = boolDecoder(0);
  const tokenDecoder = boolDecoder(partition);
  for (; column < columns; column++) {
    if (!hasInput(headerDecoder, MACROBLOCK_HEADER_BYTES_MAX)) return FEED;
    if (!hasInput(tokenDecoder, MACROBLOCK_TOKEN_BYTES_MAX)) return FEED - partition;
    readMacroblockHeader(headerDecoder, bModesAbove + <usize>column * 4, B_MODES_LEFT);
    const contexts = contextsAbove + <usize>column * CONTEXT_BYTES;
    let hasCoefficients: bool = false;
    if (mbSkipCoeff) skipCoefficients(contexts, CONTEXTS_LEFT, isBPred);
    else
      hasCoefficients = readCoefficients(
        tokenDecoder,
        contexts,
        CONTEXTS_LEFT,
        dequantFactors(segmentId),
        isBPred,
      );
    if (isPastEnd(headerDecoder) || isPastEnd(tokenDecoder)) return DAMAGED;
    reconstruct(hasCoefficients);
    const filter = filters + <usize>column * 2;
    store<u8>(filter, <u8>((segmentId << 1) | (isBPred ? 1 : 0)));
    store<u8>(filter, isBPred || hasCoefficients ? HAS_SUBBLOCK_EDGES : 0, 1);
  }
  return 0;
}

function reconstruct(hasCoefficients: bool): void {
  const y = yRow(row) + <usize>column * 16;
  const u = uRow(row) + <usize>column * 8;
  const v = vRow(row) + <usize>column * 8;
  const hasAbove = row > 0;
  const hasLeft = column > 0;
  if (isBPred) {
    reconstructBPred(y, yStride, hasCoefficients);
  } else {
    predictPlane(y, yStride, 16, yMode, hasAbove, hasLeft);
    if (hasCoefficients) addResidue(y, yStride, 0, 4);
  }
  predictPlane(u, uvStride, 8, uvMode, hasAbove, hasLeft);
  predictPlane(v, uvStride, 8, uvMode, hasAbove, hasLeft);
  if (!hasCoefficients) return;
  addResidue(u, uvStride, 16, 2);
  addResidue(v, uvStride, 20, 2);
}

function loopFilterRow(row: i32): void {
  for (let x = 0; x < columns; x++) {
    const filter = filters + <usize>x * 2;
    const index = <i32>load<u8>(filter);
    loopFilterMacroblock(row, x, loopFilterOf(index >> 1, (index & 1) !== 0), load<u8>(filter, 1) !== 0);
  }
}

/**
 * Writes the lines that the next row makes final. Either this instance decoded the row, or another instance did and its
 * sample buffers were copied to `planesAt`: that gives the same picture at another factor without decoding its tokens
 * again. Filtering a row changes up to 3 lines of the row above, so the last row but one is final; without filtering,
 * the last row is. At full size the first line of the next row is written too, because it needs the chroma of the row
 * above, whose buffer is reused next. Returns the number of RGBA lines, 0 to 32, or `DAMAGED` past the last row.
 */
export function writeLines(areRowsFiltered: bool): i32 {
  if (rowsWritten === rows) return DAMAGED;
  rowsWritten += 1;
  const isFullSize = factor === 1 || hasAlpha;
  const finalRows = areRowsFiltered ? rowsWritten - 1 : rowsWritten;
  const last = rowsWritten === rows ? height : finalRows * 16 + (isFullSize && finalRows > 0 ? 1 : 0);
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
