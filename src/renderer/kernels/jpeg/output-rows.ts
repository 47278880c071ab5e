import { writePixels } from "./colour-conversion.ts";
import {
  address,
  BLOCK_BYTES,
  BLOCKS_PER_LINE,
  COEFFICIENTS,
  ceilDivide,
  components,
  DCT_SIZE,
  dctSize,
  field,
  LINE_BYTES,
  LINES,
  MCU_LINES,
  mcuRows,
  outHeight,
  outWidth,
  QUANTISERS,
  ROW_BLOCKS,
  recordOf,
  V,
  vMax,
} from "./frame.ts";
import { inverseDct } from "./inverse-dct.ts";
import { DONE, HAS_ROWS, reserve } from "./memory.ts";
import { needsLineBelow, upsampledLine } from "./upsample.ts";

/*
 * Makes output rows from samples: upsampling, colour conversion, and the mean of each box of `factor` × `factor`
 * pixels. Boxes at the right and bottom edge average the pixels inside the picture.
 */
let colours: i32 = 0;
let factor: i32 = 1;
let rowPixels: i32 = 0;
let nextLine: i32 = 0;
let hasLineBelow: bool = false;

/** Address and number of the latest rows. */
export let outRows: usize = 0;
export let outRowCount: i32 = 0;

let line: usize = 0;
let sums: usize = 0;

/** Allocates the rows that one row of MCUs can complete. False when out of memory. */
export function layOutRows(newColours: i32, newFactor: i32): bool {
  colours = newColours;
  factor = newFactor;
  rowPixels = ceilDivide(outWidth, factor);
  nextLine = 0;
  outRowCount = 0;
  hasLineBelow = false;
  for (let index: i32 = 0; index < components; index++) {
    if (needsLineBelow(recordOf(index))) hasLineBelow = true;
  }
  // Writes are eight pixels wide. One line may be pending from the previous row of MCUs.
  const rowsMax = ceilDivide(vMax * dctSize + 1, factor) + 1;
  outRows = reserve(usize(rowsMax * rowPixels * 4 + 32));
  line = reserve(usize(outWidth * 4 + 32));
  sums = reserve(usize(rowPixels * 16));
  return outRows !== 0 && line !== 0 && sums !== 0;
}

/** Makes the rows that are complete after MCU row `mcuRow`. Returns whether there are any. */
export function makeRows(mcuRow: i32): bool {
  outRowCount = 0;
  const lines = vMax * dctSize;
  const isLast = mcuRow + 1 === mcuRows;
  const ready = isLast ? outHeight : min(outHeight, (mcuRow + 1) * lines - (hasLineBelow ? 1 : 0));
  for (; nextLine < ready; nextLine++) {
    const a = upsampledLine(recordOf(0), nextLine);
    const b = components > 1 ? upsampledLine(recordOf(1), nextLine) : 0;
    const c = components > 1 ? upsampledLine(recordOf(2), nextLine) : 0;
    const d = components > 3 ? upsampledLine(recordOf(3), nextLine) : 0;
    if (factor === 1) {
      writePixels(colours, a, b, c, d, outWidth, outRows + usize(outRowCount * rowPixels * 4));
      outRowCount++;
      continue;
    }
    writePixels(colours, a, b, c, d, outWidth, line);
    addLine();
    if ((nextLine + 1) % factor === 0 || nextLine + 1 === outHeight) writeMeans((nextLine % factor) + 1);
  }
  return outRowCount > 0;
}

function addLine(): void {
  let from = line;
  let left = outWidth;
  for (let box: i32 = 0; box < rowPixels; box++) {
    const place = sums + (usize(box) << 4);
    let sum = v128.load(place);
    for (let x = min(factor, left); x > 0; x--) {
      const channels = i16x8.extend_low_i8x16_u(v128.load32_zero(from));
      sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(channels));
      from += 4;
    }
    left -= factor;
    v128.store(place, sum);
  }
}

function writeMeans(lines: i32): void {
  const to = outRows + usize(outRowCount * rowPixels * 4);
  for (let box: i32 = 0; box < rowPixels; box++) {
    const pixels = u32(lines * min(factor, outWidth - box * factor));
    for (let channel: i32 = 0; channel < 4; channel++) {
      const place = sums + usize((box << 4) + (channel << 2));
      store<u8>(to + (box << 2) + channel, u8((load<u32>(place) + (pixels >> 1)) / pixels));
      store<u32>(place, 0);
    }
  }
  outRowCount++;
}

let outputMcuRow: i32 = 0;

export function beginBuffered(): void {
  outputMcuRow = 0;
}

/** Makes output rows from the buffered coefficients. Returns `HAS_ROWS`, or `DONE` at the end of the picture. */
export function readBuffered(): i32 {
  while (outputMcuRow < mcuRows) {
    for (let index: i32 = 0; index < components; index++) writeBuffered(recordOf(index), outputMcuRow);
    outputMcuRow++;
    if (makeRows(outputMcuRow - 1)) return HAS_ROWS;
  }
  return DONE;
}

function writeBuffered(record: usize, mcuRow: i32): void {
  const blockSize = field(record, DCT_SIZE);
  const v = field(record, V);
  const rowBlocks = field(record, ROW_BLOCKS);
  const blocksPerLine = field(record, BLOCKS_PER_LINE);
  const blockBytes = usize(field(record, BLOCK_BYTES));
  const lineBytes = usize(field(record, LINE_BYTES));
  const quantisers = address(record, QUANTISERS);
  for (let y: i32 = mcuRow * v; y < (mcuRow + 1) * v; y++) {
    let block = address(record, COEFFICIENTS) + usize(y * rowBlocks) * blockBytes;
    const line = (y * blockSize) % (2 * field(record, MCU_LINES));
    let to = address(record, LINES) + usize(line) * lineBytes;
    for (let x: i32 = 0; x < blocksPerLine; x++) {
      inverseDct(blockSize, block, quantisers, to, lineBytes);
      block += blockBytes;
      to += usize(blockSize);
    }
  }
}
