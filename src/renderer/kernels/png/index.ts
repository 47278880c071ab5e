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
  isInStrip,
  isScatteredOpaque,
  scatter,
  scatteredBytes,
  startScattered,
  writeScattered,
} from "./scattered-means";
import {
  asSamples,
  bytesOfPixel,
  channelsOfSamples,
  coloursOfIndexes,
  IS_INTERLACED,
  isEveryNotedOpaque,
  noteAlpha,
  rgbaRow,
  spell,
  startSpelling,
  tabulateColours,
  transparentPixel,
} from "./spelling";
import { unfilter } from "./unfilter";

/** What `run` answers. Rows may be ready whatever it is. */
const READY: i32 = 0;
const NEEDS_INPUT: i32 = 1;
const DAMAGED: i32 = 2;
const SHORT: i32 = 3;
const WHOLE: i32 = 4;
const GO_ON: i32 = 5;

/** All memory: sums of a strip (32 MB), rows, windows. */
const MEMORY_BYTES_MAX: usize = 48 << 20;
const BAND_ROWS_MAX: i32 = 64;
const BAND_BYTES: i32 = 262144;
const ROW_SLACK_BYTES: usize = 64;

let width: i32 = 0;
let height: i32 = 0;
/** Bits of all samples of a pixel. */
let pixelBits: i32 = 32;
let isInterlaced: bool = false;
let factor: i32 = 1;

let rowBytes: usize = 0;
let line: i32 = 0;
let current: usize = 0;
let above: usize = 0;
let isEveryRowIn: bool = false;
let inflated: i32 = 0;

let stripRows: i32 = 0;
let stripRow: i32 = 0;
let band: usize = 0;
let bandRowBytes: usize = 0;
let bandRowsMax: i32 = 0;
let bandRows: i32 = 0;

/** Where the caller puts the RGBA of each index, before the first `run`. */
export function coloursAt(): usize {
  return coloursOfIndexes();
}

/** Where the caller puts the transparent pixel as it is stored, before the first `run`. */
export function keyAt(): usize {
  return transparentPixel();
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
  pixelBits = bitDepth * samplesPerPixel;
  isInterlaced = (flagBits & IS_INTERLACED) !== 0;
  factor = boxEdge;
  isEveryRowIn = false;
  inflated = INFLATED;
  bandRows = 0;
  stripRows = rows;
  stripRow = 0;
  const outWidth = (width + factor - 1) / factor;
  bandRowBytes = (<usize>outWidth) << 2;
  bandRowsMax = max(1, min(BAND_ROWS_MAX, BAND_BYTES / <i32>bandRowBytes));
  const longest = bytesOf(width) + ROW_SLACK_BYTES;
  const window = take(windowBytes());
  current = take(longest);
  above = take(longest);
  band = take(bandRowBytes * <usize>bandRowsMax + ROW_SLACK_BYTES);
  const rgbaBytes = ((<usize>width) << 2) + ROW_SLACK_BYTES;
  if (!startSpelling(bitDepth, samplesPerPixel, flagBits, longest, rgbaBytes)) return 1;
  const isScattered = isInterlaced && factor > 1;
  const channels = channelsOfSamples();
  const means = take(
    isScattered ? scatteredBytes(outWidth, rows, factor) : boxMeansBytes(width, factor, channels),
  );
  if (window === 0 || current === 0 || above === 0 || band === 0 || means === 0) return 1;
  if (!startInflate(longest)) return 1;
  startBits(window);
  startPasses(width, height, isInterlaced);
  if (isScattered) startScattered(means, width, height, factor, stripTop, rows);
  else startBoxMeans(means, width, height, factor, channels);
  startPass();
  return 0;
}

/** Bytes of so many pixels as they are stored, without the filter. */
function bytesOf(pixels: i32): usize {
  return (<usize>pixels * <usize>pixelBits + 7) >> 3;
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
  return isScatteredByCaller() ? rgbaRow() : band;
}

export function rowsReady(): i32 {
  return bandRows;
}

export function isOpaque(): i32 {
  if (!isInterlaced) return isBoxMeansOpaque() ? 1 : 0;
  return (factor > 1 ? isScatteredOpaque() : isEveryNotedOpaque()) ? 1 : 0;
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
  return isInterlaced && factor === 1;
}

/** Decodes until rows are ready, input is needed, all rows are out or the file turns out bad. */
export function run(): i32 {
  bandRows = 0;
  tabulateColours();
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
  rowBytes = bytesOf(passWidth);
  memory.fill(above, 0, rowBytes + ROW_SLACK_BYTES);
}

/** Takes the rows that are inflated. */
function takeRows(): i32 {
  while (true) {
    if (!isEveryRowIn && line === passHeight) startPass();
    if (isEveryRowIn) return giveStrip();
    if (outEnd - outStart <= rowBytes) return GO_ON;
    if (bandRows === bandRowsMax) return READY;
    if (!unfilter(load<u8>(outStart), outStart + 1, current, above, rowBytes, bytesOfPixel())) return DAMAGED;
    readOutput(rowBytes + 1);
    line++;
    const row = current;
    current = above;
    above = row;
    if (isScatteredByCaller()) {
      spell(row, passWidth);
      noteAlpha(passWidth);
      bandRows = 1;
      return READY;
    }
    giveRow(row);
  }
}

function giveRow(row: usize): void {
  if (!isInterlaced) {
    bandRows += addBoxMeansRow(asSamples(row, passWidth), band + <usize>bandRows * bandRowBytes);
    return;
  }
  if (!isInStrip(lineY())) return;
  spell(row, passWidth);
  scatter(lineY(), rgbaRow(), passWidth, passLeft, stepX);
}

/** The small picture of an interlaced one, when all its pixels are in. */
function giveStrip(): i32 {
  if (!isInterlaced || factor === 1) return WHOLE;
  for (; stripRow < stripRows; stripRow++, bandRows++) {
    if (bandRows === bandRowsMax) return READY;
    writeScattered(stripRow, band + <usize>bandRows * bandRowBytes);
  }
  return WHOLE;
}
