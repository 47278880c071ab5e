import {
  address,
  BLOCK_BYTES,
  BLOCKS_PER_LINE,
  COEFFICIENTS,
  components,
  DCT_SIZE,
  field,
  LINE_BYTES,
  LINES,
  MCU_LINES,
  mcuRows,
  QUANTISERS,
  ROW_BLOCKS,
  recordOf,
  V,
} from "./frame.ts";
import { inverseDct } from "./inverse-dct.ts";
import { DONE, HAS_ROWS } from "./memory.ts";
import { makeRows } from "./output-rows.ts";

let outputMcuRow: i32 = 0;

export function beginBuffered(): void {
  outputMcuRow = 0;
}

/** Makes output rows from the buffered coefficients, until `HAS_ROWS`, or `DONE` at the end of the picture. */
export function runBuffered(): i32 {
  while (outputMcuRow < mcuRows) {
    for (let index: i32 = 0; index < components; index++) writeBuffered(recordOf(index), outputMcuRow);
    outputMcuRow++;
    if (makeRows(outputMcuRow - 1)) return HAS_ROWS;
  }
  return DONE;
}

function writeBuffered(record: usize, mcuRow: i32): void {
  const dctSize = field(record, DCT_SIZE);
  const v = field(record, V);
  const rowBlocks = field(record, ROW_BLOCKS);
  const blocksPerLine = field(record, BLOCKS_PER_LINE);
  const blockBytes = usize(field(record, BLOCK_BYTES));
  const lineBytes = usize(field(record, LINE_BYTES));
  const quantisers = address(record, QUANTISERS);
  for (let y: i32 = mcuRow * v; y < (mcuRow + 1) * v; y++) {
    let block = address(record, COEFFICIENTS) + usize(y * rowBlocks) * blockBytes;
    const line = (y * dctSize) % (2 * field(record, MCU_LINES));
    let to = address(record, LINES) + usize(line) * lineBytes;
    for (let x: i32 = 0; x < blocksPerLine; x++) {
      inverseDct(dctSize, block, quantisers, to, lineBytes);
      block += blockBytes;
      to += usize(dctSize);
    }
  }
}
