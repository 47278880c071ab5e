/**
 * Decodes lossless WebP pictures (RFC 9649, 3) and alpha planes (2.7.1.2) row by row: takes compressed bytes a window
 * at a time and returns rows. Keeps only as many pixels as a backward reference can reach.
 */

import { allocate, resetAllocator } from "../allocator";
import { isPastEnd, needsInput, readBits, STEP_BYTES_MAX, startBitReader, windowBytes } from "../bit-reader";
import { isBoxMeansOpaque } from "../box-means";
import { allocateGroups, entropyImage, groups, readGroups, startPrefixCodeGroups } from "./entropy-image";
import { decodeRow, nextRow, reservePixels, rowStart, startPixels, useEntropyImage } from "./image-data";
import {
  addAlphaRow,
  addArgbRow,
  addGreenRow,
  allocateOutputRows,
  clearOutputRows,
  line,
  outRowCount,
  outRows,
} from "./output-rows";
import { DAMAGED, GO_ON, NEEDS_INPUT, READY, TOO_COMPLEX } from "./status";
import {
  bits as blockBits,
  blocksAcross,
  ENTROPY_IMAGE,
  limitTablesOfImages,
  readCacheBits,
  readSubImageCodes,
  readSubImagePixels,
  startEntropyImage,
  startTransformImage,
  kind as subImageKind,
} from "./sub-images";
import {
  addTransform,
  COLOUR_INDEXING,
  codedWidth,
  kindsSeen,
  mayAdd,
  SUBTRACT_GREEN,
  startTransforms,
  undoTransforms,
} from "./transforms";

/**
 * `inputAt`: address for the next compressed bytes, at most `inputRoom`. `feed`: how many were written, and whether
 * they are the last.
 */
export { feed, makeRoom as inputAt, roomBytes as inputRoom } from "../bit-reader";

/**
 * Upper bound of the kernel's memory: decoded pixels (12 MB), data of transforms (25 MB with the smallest blocks),
 * tables, windows, rows.
 */
const MEMORY_BYTES_MAX: usize = 56 << 20;
/**
 * Limit of the lookup tables. Encoders make a few hundred groups of about 5 KB; a hostile file could demand a gigabyte.
 */
const TABLE_BYTES_MAX: usize = 24 << 20;

const HEADER: i32 = 0;
const TRANSFORMS: i32 = 1;
const SUB_IMAGE_CODES: i32 = 2;
const SUB_IMAGE_PIXELS: i32 = 3;
const ARGB_HEADER: i32 = 4;
const PREFIX_CODE_GROUPS: i32 = 5;
const ROWS: i32 = 6;
const ALPHA_HEADER: i32 = 7;
const UNCOMPRESSED_ALPHA: i32 = 8;

let phase: i32 = 0;
let width: i32 = 0;
let height: i32 = 0;
let isAlpha: bool = false;
let hasAlpha: bool = false;
let filter: i32 = 0;
let y: i32 = 0;
let cacheBits: i32 = 0;

/**
 * Starts a picture, averaged in boxes of `boxEdge` × `boxEdge` pixels; with `boxEdge` 0, the body of an ALPH chunk.
 * Returns `READY` or `TOO_COMPLEX`.
 */
export function start(pictureWidth: i32, pictureHeight: i32, boxEdge: i32): i32 {
  resetAllocator(MEMORY_BYTES_MAX);
  limitTablesOfImages(TABLE_BYTES_MAX);
  width = pictureWidth;
  height = pictureHeight;
  isAlpha = boxEdge === 0;
  hasAlpha = true;
  phase = isAlpha ? ALPHA_HEADER : HEADER;
  y = 0;
  cacheBits = 0;
  startPrefixCodeGroups();
  const window = allocate(windowBytes());
  if (window === 0 || !allocateOutputRows(width, height, max(1, boxEdge), isAlpha)) return TOO_COMPLEX;
  startBitReader(window);
  startTransforms(width);
  return reservePixels(width, height) ? READY : TOO_COMPLEX;
}

/** Address and number of the consecutive rows that the last `run` returned. */
export function rowsAt(): usize {
  return outRows;
}

export function rowsReady(): i32 {
  return outRowCount;
}

export function isOpaque(): i32 {
  return !hasAlpha || isBoxMeansOpaque ? 1 : 0;
}

/**
 * Features of the file: a bit for each kind of transform, a bit for a color cache, a bit for an entropy image. Tests
 * use it to check that their files cover all features.
 */
export function features(): i32 {
  return kindsSeen | (cacheBits > 0 ? 16 : 0) | (entropyImage !== 0 ? 32 : 0);
}

/**
 * Runs the phases of a file; a phase that needed input starts over or resumes. `READY` means at most `rowsMax` new
 * rows; none only if `rowsMax` is 0 or the last row was returned before.
 */
export function run(rowsMax: i32): i32 {
  const wanted = clearOutputRows(rowsMax);
  let status = GO_ON;
  while (status === GO_ON) {
    switch (phase) {
      case HEADER:
        status = readHeader();
        break;
      case ALPHA_HEADER:
        status = readAlphaHeader();
        break;
      case TRANSFORMS:
        status = readTransform();
        break;
      case SUB_IMAGE_CODES:
        status = readSubImageCodesPhase();
        break;
      case SUB_IMAGE_PIXELS:
        status = readSubImagePhase();
        break;
      case ARGB_HEADER:
        status = readArgbHeader();
        break;
      case PREFIX_CODE_GROUPS:
        status = readPrefixCodeGroups();
        break;
      case ROWS:
        status = makeRows(wanted);
        break;
      default:
        status = copyRows(wanted);
    }
  }
  return status === NEEDS_INPUT && outRowCount > 0 ? READY : status;
}

function readHeader(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  if (readBits(8) !== 0x2f) return DAMAGED;
  if (<i32>readBits(14) + 1 !== width || <i32>readBits(14) + 1 !== height) return DAMAGED;
  hasAlpha = readBits(1) === 1;
  if (readBits(3) !== 0) return DAMAGED;
  phase = TRANSFORMS;
  return GO_ON;
}

function readAlphaHeader(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  const compression = readBits(2);
  filter = readBits(2);
  const preprocessing = readBits(2);
  const reserved = readBits(2);
  if (compression > 1 || preprocessing > 1 || reserved > 1) return DAMAGED;
  phase = compression === 1 ? TRANSFORMS : UNCOMPRESSED_ALPHA;
  return GO_ON;
}

function readTransform(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  if (readBits(1) === 0) {
    phase = ARGB_HEADER;
    return GO_ON;
  }
  const kind = <i32>readBits(2);
  if (!mayAdd(kind)) return DAMAGED;
  if (kind === SUBTRACT_GREEN) return addTransform(kind, 0, 0) ? GO_ON : TOO_COMPLEX;
  phase = SUB_IMAGE_CODES;
  if (kind === COLOUR_INDEXING) {
    const count = <i32>readBits(8) + 1;
    const bundling = count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3;
    return startTransformImage(kind, bundling, count, 1) ? GO_ON : TOO_COMPLEX;
  }
  const bits = <i32>readBits(3) + 2;
  const across = blocksAcross(codedWidth, bits);
  return startTransformImage(kind, bits, across, blocksAcross(height, bits)) ? GO_ON : TOO_COMPLEX;
}

function readSubImageCodesPhase(): i32 {
  const status = readSubImageCodes();
  if (status === GO_ON) phase = SUB_IMAGE_PIXELS;
  return status;
}

function readSubImagePhase(): i32 {
  const status = readSubImagePixels();
  if (status !== GO_ON) return status;
  if (subImageKind === ENTROPY_IMAGE) return startGroupsPhase();
  phase = TRANSFORMS;
  return GO_ON;
}

function readArgbHeader(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  cacheBits = readCacheBits();
  if (cacheBits < 0) return DAMAGED;
  if (readBits(1) === 0) return startGroupsPhase();
  phase = SUB_IMAGE_CODES;
  const bits = <i32>readBits(3) + 2;
  return startEntropyImage(bits, blocksAcross(codedWidth, bits), blocksAcross(height, bits))
    ? GO_ON
    : TOO_COMPLEX;
}

function startGroupsPhase(): i32 {
  phase = PREFIX_CODE_GROUPS;
  return allocateGroups(width * height) ? GO_ON : TOO_COMPLEX;
}

function readPrefixCodeGroups(): i32 {
  const status = readGroups(cacheBits);
  if (status !== GO_ON) return status;
  startPixels(codedWidth, height, groups, cacheBits);
  if (entropyImage !== 0) useEntropyImage(entropyImage, blockBits, blocksAcross(codedWidth, blockBits));
  phase = ROWS;
  return GO_ON;
}

function makeRows(wanted: i32): i32 {
  while (outRowCount < wanted && y < height) {
    const status = decodeRow();
    if (status !== READY) return status;
    if (isPastEnd()) return DAMAGED;
    const pixels = undoTransforms(rowStart);
    if (isAlpha) addGreenRow(pixels, filter);
    else addArgbRow(pixels, hasAlpha);
    nextRow();
    y++;
  }
  return READY;
}

/** Rows of an uncompressed alpha plane. */
function copyRows(wanted: i32): i32 {
  while (outRowCount < wanted && y < height) {
    if (needsInput(<usize>width)) return NEEDS_INPUT;
    for (let x = 0; x < width; x++) store<u8>(line + x, <u8>readBits(8));
    if (isPastEnd()) return DAMAGED;
    addAlphaRow(filter);
    y++;
  }
  return READY;
}
