/**
 * The pixels of a PNG: compressed bytes go in window by window, rows come out, averaged where a smaller picture is wanted.
 * Stops at the last row that the header declares, whatever follows.
 */
import { resetArena, take } from "../arena";
import { feed as feedBits, makeRoom, roomBytes, startBits, windowBytes } from "../bit-window";
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
import { nextPass, passHeight, passLeft, passTop, passWidth, startPasses, stepX, stepY } from "./passes";
import {
  clearKey,
  narrowSamples,
  spellGrey,
  spellGreyAlpha,
  spellIndexes,
  spellRgb,
  tabulate,
} from "./samples";
import {
  isInStrip,
  isScatteredOpaque,
  scatter,
  scatteredBytes,
  startScattered,
  writeScattered,
} from "./scattered-means";
import { unfilter } from "./unfilter";

/** What `run` answers. Rows may be ready whatever it is. */
const READY: i32 = 0;
const NEEDS_INPUT: i32 = 1;
const DAMAGED: i32 = 2;
const SHORT: i32 = 3;
const WHOLE: i32 = 4;
const GO_ON: i32 = 5;

/** How pixels are stored; bits of `start`'s flags. */
const IS_INTERLACED: i32 = 1;
const HAS_COLOURS: i32 = 2;
const HAS_KEY: i32 = 4;

/** All memory: sums of a strip (32 MB), rows, windows. */
const MEMORY_BYTES_MAX: usize = 48 << 20;
const BAND_ROWS_MAX: i32 = 64;
const BAND_BYTES: i32 = 262144;
const ROW_SLACK_BYTES: usize = 64;

const colours: usize = memory.data(1024, 16);
const key: usize = memory.data(16, 16);
const table: usize = memory.data(8192, 16);

let width: i32 = 0;
let height: i32 = 0;
let depth: i32 = 8;
let samples: i32 = 4;
let flags: i32 = 0;
let factor: i32 = 1;
/** Bytes a pixel that rows are averaged with: 1, 3 or 4. */
let channels: i32 = 4;
let isTabulated: bool = false;

let rowBytes: usize = 0;
let pixelBytes: usize = 1;
let line: i32 = 0;
let current: usize = 0;
let above: usize = 0;
let narrowed: usize = 0;
let rgba: usize = 0;
let isEveryRowIn: bool = false;
let inflated: i32 = 0;
let isOpaqueSoFar: bool = true;

let stripRows: i32 = 0;
let stripRow: i32 = 0;
let band: usize = 0;
let bandRowBytes: usize = 0;
let bandRowsMax: i32 = 0;
let bandRows: i32 = 0;

/** Where the caller puts the RGBA of each index, before the first `run`. */
export function coloursAt(): usize {
  return colours;
}

/** Where the caller puts the transparent pixel as it is stored, before the first `run`. */
export function keyAt(): usize {
  return key;
}

/**
 * Begins a picture. `samplesPerPixel` is 1 to 4; an interlaced picture that is averaged gives only the rows `stripTop` to
 * `stripTop + rows` of the small picture. Answers 0, or 1 when memory ends.
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
  resetArena(MEMORY_BYTES_MAX);
  width = pictureWidth;
  height = pictureHeight;
  depth = bitDepth;
  samples = samplesPerPixel;
  flags = flagBits;
  factor = boxEdge;
  isTabulated = false;
  isEveryRowIn = false;
  isOpaqueSoFar = true;
  inflated = INFLATED;
  bandRows = 0;
  stripRows = rows;
  stripRow = 0;
  const isInterlaced = (flags & IS_INTERLACED) !== 0;
  const isPlain = !isInterlaced && (flags & (HAS_COLOURS | HAS_KEY)) === 0 && samples !== 2;
  channels = isPlain ? samples : 4;
  pixelBytes = max(1, <usize>(depth * samples) >> 3);
  const outWidth = (width + factor - 1) / factor;
  bandRowBytes = (<usize>outWidth) << 2;
  bandRowsMax = max(1, min(BAND_ROWS_MAX, BAND_BYTES / <i32>bandRowBytes));
  const longest = ((<usize>width * <usize>(depth * samples) + 7) >> 3) + ROW_SLACK_BYTES;
  const window = take(windowBytes());
  current = take(longest);
  above = take(longest);
  narrowed = take(longest);
  rgba = take(((<usize>width) << 2) + ROW_SLACK_BYTES);
  band = take(bandRowBytes * <usize>bandRowsMax + ROW_SLACK_BYTES);
  const isScattered = isInterlaced && factor > 1;
  const means = take(
    isScattered ? scatteredBytes(outWidth, rows, factor) : boxMeansBytes(width, factor, channels),
  );
  if (window === 0 || band === 0 || rgba === 0 || narrowed === 0 || means === 0) return 1;
  if (!startInflate(longest)) return 1;
  startBits(window);
  startPasses(width, height, isInterlaced);
  if (isScattered) startScattered(means, width, height, factor, stripTop, rows);
  else startBoxMeans(means, width, height, factor, channels);
  startPass();
  return 0;
}

export function inputAt(): usize {
  return makeRoom();
}

export function inputRoom(): usize {
  return roomBytes();
}

export function feed(bytes: usize, isEnd: i32): void {
  feedBits(bytes, isEnd !== 0);
}

/** Where the rows stand that `run` made, one behind the other, and how many. */
export function rowsAt(): usize {
  return isScatteredByCaller() ? rgba : band;
}

export function rowsReady(): i32 {
  return bandRows;
}

export function isOpaque(): i32 {
  if ((flags & IS_INTERLACED) === 0) return isBoxMeansOpaque() ? 1 : 0;
  return (factor > 1 ? isScatteredOpaque() : isOpaqueSoFar) ? 1 : 0;
}

/*
 * An interlaced picture that is not averaged is put together by the caller, who has the memory for it: each `run` gives
 * the pixels of one row of a pass.
 */
export function lineY(): i32 {
  return passTop + (line - 1) * stepY;
}

export function lineLeft(): i32 {
  return passLeft;
}

export function lineStep(): i32 {
  return stepX;
}

export function linePixels(): i32 {
  return passWidth;
}

function isScatteredByCaller(): bool {
  return (flags & IS_INTERLACED) !== 0 && factor === 1;
}

/** Decodes until rows are ready, input is needed, all rows are out or the file turns out bad. */
export function run(): i32 {
  bandRows = 0;
  if (!isTabulated) {
    if (flags & HAS_COLOURS) tabulate(colours, depth, table);
    isTabulated = true;
  }
  while (true) {
    const status = takeRows();
    if (status !== GO_ON) return status;
    if (inflated !== INFLATED) {
      const answer =
        inflated === INFLATE_NEEDS_INPUT ? NEEDS_INPUT : inflated === INFLATE_ENDED ? SHORT : DAMAGED;
      inflated = INFLATED;
      return answer;
    }
    inflated = inflate();
    if (inflated === INFLATE_SHORT) return SHORT;
  }
}

function startPass(): void {
  line = 0;
  isEveryRowIn = !nextPass();
  rowBytes = (<usize>passWidth * <usize>(depth * samples) + 7) >> 3;
  memory.fill(above, 0, rowBytes + ROW_SLACK_BYTES);
}

/** Takes the rows that are inflated. */
function takeRows(): i32 {
  while (true) {
    if (!isEveryRowIn && line === passHeight) startPass();
    if (isEveryRowIn) return giveStrip();
    if (outEnd - outStart <= rowBytes) return GO_ON;
    if (bandRows === bandRowsMax) return READY;
    if (!unfilter(load<u8>(outStart), outStart + 1, current, above, rowBytes, pixelBytes)) return DAMAGED;
    readOutput(rowBytes + 1);
    line++;
    const row = current;
    current = above;
    above = row;
    if (isScatteredByCaller()) {
      spell(row);
      noteAlpha();
      bandRows = 1;
      return READY;
    }
    giveRow(row);
  }
}

function giveRow(row: usize): void {
  if ((flags & IS_INTERLACED) === 0) {
    bandRows += addBoxMeansRow(asSamples(row), band + <usize>bandRows * bandRowBytes);
    return;
  }
  if (!isInStrip(lineY())) return;
  spell(row);
  scatter(lineY(), rgba, passWidth, passLeft, stepX);
}

/** The small picture of an interlaced one, when all its pixels are in. */
function giveStrip(): i32 {
  if ((flags & IS_INTERLACED) === 0 || factor === 1) return WHOLE;
  for (; stripRow < stripRows; stripRow++, bandRows++) {
    if (bandRows === bandRowsMax) return READY;
    writeScattered(stripRow, band + <usize>bandRows * bandRowBytes);
  }
  return WHOLE;
}

/** A row with `channels` bytes a pixel. */
function asSamples(row: usize): usize {
  if (channels === 4 && samples !== 4) {
    spell(row);
    return rgba;
  }
  if (depth !== 16) return row;
  narrowSamples(row, narrowed, passWidth * samples);
  return narrowed;
}

/** Writes a row to `rgba`. */
function spell(row: usize): void {
  if (flags & HAS_COLOURS) {
    spellIndexes(row, rgba, passWidth, depth, table);
    return;
  }
  let bytes = row;
  if (depth === 16) {
    narrowSamples(row, narrowed, passWidth * samples);
    bytes = narrowed;
  }
  if (samples === 1) spellGrey(bytes, rgba, passWidth);
  else if (samples === 2) spellGreyAlpha(bytes, rgba, passWidth);
  else if (samples === 3) spellRgb(bytes, rgba, passWidth);
  else memory.copy(rgba, bytes, (<usize>passWidth) << 2);
  if (flags & HAS_KEY) clearKey(row, rgba, passWidth, key, pixelBytes);
}

function noteAlpha(): void {
  let alphas: u32 = 0xff000000;
  const end = rgba + ((<usize>passWidth) << 2);
  for (let at = rgba; at < end; at += 4) alphas &= load<u32>(at);
  if (alphas !== 0xff000000) isOpaqueSoFar = false;
}
