/**
 * Lossless WebP pictures and alpha planes (RFC 9649, 2.7.1.2 and 3), decoded row by row: compressed bytes go in window by
 * window, rows come out, and no more of the picture is held than copies can reach.
 */
import { resetArena, take } from "../arena";
import {
  feed as feedBits,
  isPastEnd,
  makeRoom,
  needsInput,
  readBits,
  roomBytes,
  STEP_BYTES_MAX,
  startBits,
  windowBytes,
} from "../bit-window";
import { isBoxMeansOpaque } from "../box-means";
import {
  alphaLine,
  bandAt,
  emptyBand,
  giveAlpha,
  giveGreen,
  givePixels,
  reserveBand,
  rowsInBand,
} from "./band";
import { groupsAt, mapAt, readNextGroups, startGroupMap, takeGroups } from "./group-map";
import { decodeRow, nextRow, PIXELS_READY, pixelRow, reservePixels, startPixels, useTiles } from "./pixels";
import {
  isGroupMap,
  limitTablesOfImages,
  readCacheBits,
  readCodes,
  readNumbers,
  startMap,
  startNumbers,
  tileBitsOfImage,
  tilesOf,
} from "./small-image";
import { DAMAGED, GO_ON, NEEDS_INPUT, READY, TOO_COMPLEX } from "./status";
import {
  addTransform,
  COLOUR_INDEXING,
  kindsOfTransforms,
  mayAdd,
  SUBTRACT_GREEN,
  startTransforms,
  storedWidth,
  undoTransforms,
} from "./transforms";

/** All memory: what came before (12 MB), the numbers of the transforms (25 MB at their finest), tables, windows, rows. */
const MEMORY_BYTES_MAX: usize = 56 << 20;
/** Lookup tables. Encoders make a few hundred groups of about 5 KB; a hostile file could ask for a gigabyte. */
const TABLE_BYTES_MAX: usize = 24 << 20;

const HEADER: i32 = 0;
const TRANSFORMS: i32 = 1;
const SMALL_CODES: i32 = 2;
const SMALL_PIXELS: i32 = 3;
const MAIN_CODES: i32 = 4;
const GROUPS: i32 = 5;
const ROWS: i32 = 6;
const ALPHA_HEADER: i32 = 7;
const RAW_ROWS: i32 = 8;

let phase: i32 = 0;
let width: i32 = 0;
let height: i32 = 0;
let isAlpha: bool = false;
let hasAlpha: bool = false;
let filter: i32 = 0;
let y: i32 = 0;
let cacheBits: i32 = 0;

/**
 * Begins a picture (`factor` averages boxes of that many pixels) or, with `factor` 0, an alpha plane with its first byte.
 * Answers `READY` or `TOO_COMPLEX`.
 */
export function start(pictureWidth: i32, pictureHeight: i32, boxEdge: i32): i32 {
  resetArena(MEMORY_BYTES_MAX);
  limitTablesOfImages(TABLE_BYTES_MAX);
  width = pictureWidth;
  height = pictureHeight;
  isAlpha = boxEdge === 0;
  hasAlpha = true;
  phase = isAlpha ? ALPHA_HEADER : HEADER;
  y = 0;
  cacheBits = 0;
  startGroupMap();
  const window = take(windowBytes());
  if (window === 0 || !reserveBand(width, height, max(1, boxEdge), isAlpha)) return TOO_COMPLEX;
  startBits(window);
  startTransforms(width);
  return reservePixels(width, height) ? READY : TOO_COMPLEX;
}

/** Where the next compressed bytes go; `inputRoom` of them fit. */
export function inputAt(): usize {
  return makeRoom();
}

export function inputRoom(): usize {
  return roomBytes();
}

/** `bytes` were written; whether they are the last. */
export function feed(bytes: usize, isEnd: i32): void {
  feedBits(bytes, isEnd !== 0);
}

/** Where the rows stand that `run` made, one behind the other, and how many. */
export function rowsAt(): usize {
  return bandAt();
}

export function rowsReady(): i32 {
  return rowsInBand();
}

export function isOpaque(): i32 {
  return !hasAlpha || isBoxMeansOpaque() ? 1 : 0;
}

/**
 * What the file makes use of: a bit for each kind of transform, then one for a colour cache, then one for a map of groups.
 * Tests see by it that they meet everything.
 */
export function features(): i32 {
  return kindsOfTransforms() | (cacheBits > 0 ? 16 : 0) | (mapAt() !== 0 ? 32 : 0);
}

/** Decodes at most `rowsMax` rows and, unless it needs input or fails, at least one until all have come. */
export function run(rowsMax: i32): i32 {
  const wanted = emptyBand(rowsMax);
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
      case SMALL_CODES:
        status = readSmallCodes();
        break;
      case SMALL_PIXELS:
        status = readSmallPixels();
        break;
      case MAIN_CODES:
        status = readMainCodes();
        break;
      case GROUPS:
        status = readGroups();
        break;
      case ROWS:
        status = makeRows(wanted);
        break;
      default:
        status = copyRows(wanted);
    }
  }
  return status === NEEDS_INPUT && rowsInBand() > 0 ? READY : status;
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
  phase = compression === 1 ? TRANSFORMS : RAW_ROWS;
  return GO_ON;
}

function readTransform(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  if (readBits(1) === 0) {
    phase = MAIN_CODES;
    return GO_ON;
  }
  const kind = <i32>readBits(2);
  if (!mayAdd(kind)) return DAMAGED;
  if (kind === SUBTRACT_GREEN) return addTransform(kind, 0, 0) ? GO_ON : TOO_COMPLEX;
  phase = SMALL_CODES;
  if (kind === COLOUR_INDEXING) {
    const count = <i32>readBits(8) + 1;
    const bundling = count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3;
    return startNumbers(kind, bundling, count, 1) ? GO_ON : TOO_COMPLEX;
  }
  const bits = <i32>readBits(3) + 2;
  const across = tilesOf(storedWidth(), bits);
  return startNumbers(kind, bits, across, tilesOf(height, bits)) ? GO_ON : TOO_COMPLEX;
}

function readSmallCodes(): i32 {
  const status = readCodes();
  if (status === GO_ON) phase = SMALL_PIXELS;
  return status;
}

function readSmallPixels(): i32 {
  const status = readNumbers();
  if (status !== GO_ON) return status;
  if (isGroupMap()) return startGroups();
  phase = TRANSFORMS;
  return GO_ON;
}

function readMainCodes(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  cacheBits = readCacheBits();
  if (cacheBits < 0) return DAMAGED;
  if (readBits(1) === 0) return startGroups();
  phase = SMALL_CODES;
  const bits = <i32>readBits(3) + 2;
  return startMap(bits, tilesOf(storedWidth(), bits), tilesOf(height, bits)) ? GO_ON : TOO_COMPLEX;
}

function startGroups(): i32 {
  phase = GROUPS;
  return takeGroups(width * height) ? GO_ON : TOO_COMPLEX;
}

function readGroups(): i32 {
  const status = readNextGroups(cacheBits);
  if (status !== GO_ON) return status;
  startPixels(storedWidth(), height, groupsAt(), cacheBits);
  if (mapAt() !== 0) useTiles(mapAt(), tileBitsOfImage(), tilesOf(storedWidth(), tileBitsOfImage()));
  phase = ROWS;
  return GO_ON;
}

function makeRows(wanted: i32): i32 {
  while (rowsInBand() < wanted && y < height) {
    const status = decodeRow();
    if (status !== PIXELS_READY) return status;
    if (isPastEnd()) return DAMAGED;
    const pixels = undoTransforms(pixelRow());
    if (isAlpha) giveGreen(pixels, filter);
    else givePixels(pixels, hasAlpha);
    nextRow();
    y++;
  }
  return READY;
}

/** Rows of an alpha plane that is not compressed. */
function copyRows(wanted: i32): i32 {
  while (rowsInBand() < wanted && y < height) {
    if (needsInput(<usize>width)) return NEEDS_INPUT;
    for (let x = 0; x < width; x++) store<u8>(alphaLine() + x, <u8>readBits(8));
    if (isPastEnd()) return DAMAGED;
    giveAlpha(filter);
    y++;
  }
  return READY;
}
