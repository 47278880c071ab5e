/**
 * Lossless WebP pictures and alpha planes (RFC 9649, 2.7.1.2 and 3), decoded row by row: compressed bytes go in window by
 * window, rows come out, and no more of the picture is held than copies can reach.
 */
import { mark, releaseTo, resetArena, take } from "../arena";
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
import { addBoxMeansRow, boxMeansBytes, isBoxMeansOpaque, startBoxMeans } from "../box-means";
import { unfilterAlpha } from "./alpha";
import { tabulateColours } from "./colours";
import {
  groupsAt,
  keepGroups,
  mapAt,
  numberGroups,
  pixelsBitsFor,
  readNextGroups,
  readOneGroup,
  startGroupMap,
  takeGroups,
} from "./group-map";
import { decodeRow, nextRow, PIXELS_READY, pixelRow, reservePixels, startPixels, useTiles } from "./pixels";
import { GROUP_BYTES, limitTables } from "./prefix-codes";
import { copyGreen, copyOpaqueRgba, copyRgba } from "./rows";
import { DAMAGED, GO_ON, NEEDS_INPUT, READY, TOO_COMPLEX } from "./status";
import {
  addTransform,
  COLOUR_INDEXING,
  keepNumbers,
  kindsOfTransforms,
  mayAdd,
  numbersBytes,
  SUBTRACT_GREEN,
  startTransforms,
  storedWidth,
  undoTransforms,
} from "./transforms";

/** All memory: what came before (12 MB), the numbers of the transforms (25 MB at their finest), tables, windows, rows. */
const MEMORY_BYTES_MAX: usize = 56 << 20;
/** Lookup tables. Encoders make a few hundred groups of about 5 KB; a hostile file could ask for a gigabyte. */
const TABLE_BYTES_MAX: usize = 24 << 20;
const BAND_ROWS_MAX: i32 = 64;
const BAND_BYTES: i32 = 262144;
const ROW_SLACK_BYTES: usize = 64;

const HEADER: i32 = 0;
const TRANSFORMS: i32 = 1;
const SMALL_CODES: i32 = 2;
const SMALL_PIXELS: i32 = 3;
const MAIN_CODES: i32 = 4;
const GROUPS: i32 = 5;
const ROWS: i32 = 6;
const ALPHA_HEADER: i32 = 7;
const RAW_ROWS: i32 = 8;

/** What a small image is for: a kind of transform, or the map of groups. */
const GROUP_MAP: i32 = 4;

const colours: usize = memory.data(1024 + 64, 16);

let phase: i32 = 0;
let width: i32 = 0;
let height: i32 = 0;
let factor: i32 = 1;
let isAlpha: bool = false;
let hasAlpha: bool = false;
let filter: i32 = 0;
let y: i32 = 0;
let cacheBits: i32 = 0;

let smallKind: i32 = 0;
let smallBits: i32 = 0;
let smallWidth: i32 = 0;
let smallRows: i32 = 0;
let smallStart: usize = 0;
let smallNext: usize = 0;
let smallMark: usize = 0;

let line: usize = 0;
let otherLine: usize = 0;
let band: usize = 0;
let bandRowBytes: usize = 0;
let bandRowsMax: i32 = 0;
let bandRows: i32 = 0;

/**
 * Begins a picture (`factor` averages boxes of that many pixels) or, with `factor` 0, an alpha plane with its first byte.
 * Answers `READY` or `TOO_COMPLEX`.
 */
export function start(pictureWidth: i32, pictureHeight: i32, boxEdge: i32): i32 {
  resetArena(MEMORY_BYTES_MAX);
  limitTables(TABLE_BYTES_MAX);
  width = pictureWidth;
  height = pictureHeight;
  isAlpha = boxEdge === 0;
  factor = max(1, boxEdge);
  hasAlpha = true;
  phase = isAlpha ? ALPHA_HEADER : HEADER;
  y = 0;
  bandRows = 0;
  cacheBits = 0;
  startGroupMap();
  const outWidth = (width + factor - 1) / factor;
  bandRowBytes = isAlpha ? <usize>width : (<usize>outWidth) << 2;
  bandRowsMax = max(1, min(BAND_ROWS_MAX, BAND_BYTES / <i32>bandRowBytes));
  const window = take(windowBytes());
  band = take(bandRowBytes * <usize>bandRowsMax + ROW_SLACK_BYTES);
  line = take(((<usize>width) << 2) + ROW_SLACK_BYTES);
  otherLine = take(((<usize>width) << 2) + ROW_SLACK_BYTES);
  const means = take(boxMeansBytes(width, factor, 4));
  if (window === 0 || band === 0 || line === 0 || otherLine === 0 || means === 0) return TOO_COMPLEX;
  startBits(window);
  startTransforms(width);
  startBoxMeans(means, width, height, factor, 4);
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
  return band;
}

export function rowsReady(): i32 {
  return bandRows;
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
  bandRows = 0;
  const wanted = min(rowsMax, bandRowsMax);
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
  return status === NEEDS_INPUT && bandRows > 0 ? READY : status;
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
  if (kind !== COLOUR_INDEXING) {
    const bits = <i32>readBits(3) + 2;
    return startSmall(kind, bits, tilesOf(storedWidth(), bits), tilesOf(height, bits));
  }
  const count = <i32>readBits(8) + 1;
  const bundling = count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3;
  return startSmall(kind, bundling, count, 1);
}

function tilesOf(pixels: i32, bits: i32): i32 {
  return (pixels + (1 << bits) - 1) >> bits;
}

function startSmall(kind: i32, bits: i32, across: i32, down: i32): i32 {
  smallKind = kind;
  smallBits = bits;
  smallWidth = across;
  smallRows = down;
  const pixels = across * down;
  smallStart = take(kind === GROUP_MAP ? (<usize>pixels) << 1 : numbersBytes(kind, bits, pixels));
  if (smallStart === 0) return TOO_COMPLEX;
  smallNext = kind === COLOUR_INDEXING ? colours : smallStart;
  phase = SMALL_CODES;
  return GO_ON;
}

/** Bits of a colour cache, 0 without one, or -1. */
function readCacheBits(): i32 {
  if (readBits(1) === 0) return 0;
  const bits = <i32>readBits(4);
  return bits >= 1 && bits <= 11 ? bits : -1;
}

function readSmallCodes(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  const bits = readCacheBits();
  if (bits < 0) return DAMAGED;
  smallMark = mark();
  const group = take(GROUP_BYTES);
  if (group === 0) return TOO_COMPLEX;
  const status = readOneGroup(group, bits, pixelsBitsFor(smallWidth * smallRows, 1));
  if (status !== GO_ON) return status;
  startPixels(smallWidth, smallRows, group, bits);
  phase = SMALL_PIXELS;
  return GO_ON;
}

function readSmallPixels(): i32 {
  for (; smallRows > 0; smallRows--) {
    const status = decodeRow();
    if (status !== PIXELS_READY) return status;
    if (isPastEnd()) return DAMAGED;
    if (smallKind === GROUP_MAP) smallNext = keepGroups(pixelRow(), smallWidth, smallNext);
    else smallNext = keepNumbers(smallKind, pixelRow(), smallWidth, smallNext);
    nextRow();
  }
  releaseTo(smallMark);
  limitTables(TABLE_BYTES_MAX);
  if (smallKind === GROUP_MAP) return numberGroups(smallStart, smallNext) ? startGroups() : TOO_COMPLEX;
  if (smallKind === COLOUR_INDEXING) tabulateColours(colours, smallWidth, smallStart, smallBits);
  phase = TRANSFORMS;
  return addTransform(smallKind, smallBits, smallStart) ? GO_ON : TOO_COMPLEX;
}

function readMainCodes(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  cacheBits = readCacheBits();
  if (cacheBits < 0) return DAMAGED;
  if (readBits(1) === 0) return startGroups();
  const bits = <i32>readBits(3) + 2;
  return startSmall(GROUP_MAP, bits, tilesOf(storedWidth(), bits), tilesOf(height, bits));
}

function startGroups(): i32 {
  phase = GROUPS;
  return takeGroups(width * height) ? GO_ON : TOO_COMPLEX;
}

function readGroups(): i32 {
  const status = readNextGroups(cacheBits);
  if (status !== GO_ON) return status;
  startPixels(storedWidth(), height, groupsAt(), cacheBits);
  if (mapAt() !== 0) useTiles(mapAt(), smallBits, tilesOf(storedWidth(), smallBits));
  phase = ROWS;
  return GO_ON;
}

function makeRows(wanted: i32): i32 {
  while (bandRows < wanted && y < height) {
    const status = decodeRow();
    if (status !== PIXELS_READY) return status;
    if (isPastEnd()) return DAMAGED;
    giveRow(undoTransforms(pixelRow()));
    nextRow();
    y++;
  }
  return READY;
}

function giveRow(pixels: usize): void {
  const to = band + <usize>bandRows * bandRowBytes;
  if (isAlpha) {
    copyGreen(pixels, line, width);
    giveAlpha(to);
    return;
  }
  if (hasAlpha) copyRgba(pixels, line, width);
  else copyOpaqueRgba(pixels, line, width);
  bandRows += addBoxMeansRow(line, to);
}

/** Unfilters the row in `line`, which stays as the one above the next. */
function giveAlpha(to: usize): void {
  unfilterAlpha(filter, line, y === 0 ? 0 : otherLine, width);
  memory.copy(to, line, width);
  const above = line;
  line = otherLine;
  otherLine = above;
  bandRows++;
}

/** Rows of an alpha plane that is not compressed. */
function copyRows(wanted: i32): i32 {
  while (bandRows < wanted && y < height) {
    if (needsInput(<usize>width)) return NEEDS_INPUT;
    for (let x = 0; x < width; x++) store<u8>(line + x, <u8>readBits(8));
    if (isPastEnd()) return DAMAGED;
    giveAlpha(band + <usize>bandRows * bandRowBytes);
    y++;
  }
  return READY;
}
