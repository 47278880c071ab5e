import {
  beginInput,
  isBeforeRst,
  isPastEnd,
  leaveInterval,
  mcuStartMax,
  nextByte,
  readRst,
} from "./bit-reader.ts";
import {
  AC_TABLE,
  address,
  BLOCK_BYTES,
  BLOCK_LINES,
  BLOCKS_PER_LINE,
  COEFFICIENTS,
  DC_TABLE,
  DCT_SIZE,
  field,
  H,
  isBuffered,
  isProgressive,
  keepQuantisers,
  LINE_BYTES,
  LINES,
  MCU_LINES,
  mcuRows,
  mcusPerRow,
  PRED,
  QUANTISERS,
  ROW_BLOCKS,
  recordOf,
  V,
} from "./frame.ts";
import { huffmanTable } from "./huffman.ts";
import { inverseDct, inverseDctDcOnly } from "./inverse-dct.ts";
import { BLOCK, DAMAGED, DONE, HAS_ROWS, MCU_BLOCKS_MAX, NEEDS_INPUT, RST_MISSING } from "./memory.ts";
import { makeRows } from "./output-rows.ts";
import { readAcFirst, readDcFirst, setEobrun, setSpectralSelection } from "./progressive-first.ts";
import { readAcRefine, readDcRefine } from "./progressive-refine.ts";
import { readBlock } from "./sequential.ts";

/* Kinds of scans. */
const SEQUENTIAL: i32 = 0;
const DC_FIRST: i32 = 1;
const DC_REFINE: i32 = 2;
const AC_FIRST: i32 = 3;
const AC_REFINE: i32 = 4;

/** Largest Al (T.81, table B.3). */
const AL_MAX: i32 = 13;

let kind: i32 = SEQUENTIAL;
/** Ns, and the index of each component of the scan. */
let ns: i32 = 0;
const SCAN_COMPONENTS: usize = memory.data(16, 16);

/*
 * Position at which `readScan` resumes. A scan of one component is not interleaved: its MCU is one block (T.81, A.2.2).
 */
let scanMcuRows: i32 = 0;
let scanMcusPerRow: i32 = 0;
let currentRow: i32 = 0;
let currentMcu: i32 = 0;
let restartInterval: i32 = 0;
let mcusToRestart: i32 = 0;

/** Whether the rest of the restart interval is lost, and the scan's number of lost MCUs. */
let isLost: bool = false;
let lostMcus: i32 = 0;

/** A picture is rejected if it lost more than 1 / `LOST_SHARE` of its MCUs. */
const LOST_SHARE: i32 = 4;

export function setRestartInterval(mcus: i32): void {
  restartInterval = mcus;
}

export function clearScanComponents(): void {
  ns = 0;
}

/** Adds a component, with its table selectors Td and Ta, to the next scan. */
export function addScanComponent(component: i32, td: i32, ta: i32): void {
  const record = recordOf(component);
  store<usize>(record + DC_TABLE, usize(td & 3));
  store<usize>(record + AC_TABLE, usize(4 + (ta & 3)));
  store<i32>(SCAN_COMPONENTS + (ns << 2), component);
  ns++;
}

function scanComponent(index: i32): usize {
  return recordOf(load<i32>(SCAN_COMPONENTS + (index << 2)));
}

/** Starts a scan with the parameters of its SOS segment (T.81, B.2.3), after its `addScanComponent` calls. */
export function beginScan(ss: i32, se: i32, ah: i32, al: i32): i32 {
  if (!isProgressive) kind = SEQUENTIAL;
  else if (ss === 0) kind = ah === 0 ? DC_FIRST : DC_REFINE;
  else kind = ah === 0 ? AC_FIRST : AC_REFINE;
  if (isProgressive) {
    if (al > AL_MAX || (ah !== 0 && ah !== al + 1)) return DAMAGED;
    if (ss === 0 ? se !== 0 : ss > se || se > 63 || ns !== 1) return DAMAGED;
  }
  let blocks: i32 = 0;
  for (let index: i32 = 0; index < ns; index++) {
    const record = scanComponent(index);
    if (!keepQuantisers(record)) return DAMAGED;
    const dc = huffmanTable(i32(address(record, DC_TABLE)));
    const ac = huffmanTable(i32(address(record, AC_TABLE)));
    if (dc === 0 && kind <= DC_FIRST) return DAMAGED;
    if (ac === 0 && (kind === SEQUENTIAL || kind >= AC_FIRST)) return DAMAGED;
    store<usize>(record + DC_TABLE, dc);
    store<usize>(record + AC_TABLE, ac);
    blocks += field(record, H) * field(record, V);
  }
  if (ns > 1 && blocks > MCU_BLOCKS_MAX) return DAMAGED;
  scanMcuRows = ns === 1 ? field(scanComponent(0), BLOCK_LINES) : mcuRows;
  scanMcusPerRow = ns === 1 ? field(scanComponent(0), BLOCKS_PER_LINE) : mcusPerRow;
  currentRow = 0;
  currentMcu = 0;
  mcusToRestart = restartInterval;
  lostMcus = 0;
  setSpectralSelection(ss, se, al);
  beginRestartInterval();
  beginInput();
  return DONE;
}

function beginRestartInterval(): void {
  for (let index: i32 = 0; index < ns; index++) store<i32>(scanComponent(index) + PRED, 0);
  setEobrun(0);
  isLost = false;
}

/** Drops the rest of the interval: its blocks stay flat. False when too much of the picture is lost. */
function loseInterval(): bool {
  leaveInterval();
  isLost = true;
  const mcus = scanMcuRows * scanMcusPerRow;
  lostMcus += min(mcusToRestart, mcus - currentRow * scanMcusPerRow - currentMcu);
  return lostMcus <= mcus / LOST_SHARE;
}

/**
 * Decodes MCUs until the scan ends (`DONE`), the window may have less than an MCU (`NEEDS_INPUT`), or output rows are
 * ready (`HAS_ROWS`). With restart intervals, damage loses only the rest of its interval. A file may end in the
 * picture's last row of MCUs; a file that ends earlier is damaged.
 */
export function readScan(): i32 {
  while (currentRow < scanMcuRows) {
    while (currentMcu < scanMcusPerRow) {
      if (restartInterval > 0 && mcusToRestart === 0) {
        const status = readRst();
        if (status === NEEDS_INPUT) return status;
        const isEnd = status === DAMAGED;
        if (isEnd && currentRow + 1 < scanMcuRows) return DAMAGED;
        beginRestartInterval();
        mcusToRestart = isEnd ? i32.MAX_VALUE : restartInterval;
        if ((isEnd || status === RST_MISSING) && !loseInterval()) return DAMAGED;
      }
      if (nextByte > mcuStartMax) return NEEDS_INPUT;
      const read = kind >= AC_FIRST ? readAcBlocks() : readMcu() ? 1 : -1;
      if (restartInterval === 0) {
        if (read < 0) return DAMAGED;
        if (read === 0 && isPastEnd()) break;
      } else if (!isLost && (read < 0 || isPastEnd())) {
        if (isPastEnd() && currentRow + 1 < scanMcuRows && !isBeforeRst()) return DAMAGED;
        if (!loseInterval()) return DAMAGED;
      }
      currentMcu += max(read, 0);
      mcusToRestart -= max(read, 0);
    }
    if (restartInterval === 0 && currentRow + 1 < scanMcuRows && isPastEnd()) return DAMAGED;
    currentMcu = 0;
    currentRow++;
    if (!isBuffered && makeRows(currentRow - 1)) return HAS_ROWS;
  }
  return DONE;
}

function readAcBlocks(): i32 {
  const record = scanComponent(0);
  const block = currentRow * field(record, ROW_BLOCKS) + currentMcu;
  const left = scanMcusPerRow - currentMcu;
  const blocks = restartInterval > 0 ? min(left, mcusToRestart) : left;
  if (isLost) return blocks;
  return kind === AC_FIRST ? readAcFirst(record, block, blocks) : readAcRefine(record, block, blocks);
}

function readMcu(): bool {
  if (ns === 1) return readBlockAt(scanComponent(0), currentMcu, currentRow);
  for (let index: i32 = 0; index < ns; index++) {
    const record = scanComponent(index);
    const h = field(record, H);
    const v = field(record, V);
    for (let y: i32 = 0; y < v; y++) {
      for (let x: i32 = 0; x < h; x++) {
        if (!readBlockAt(record, currentMcu * h + x, currentRow * v + y)) return false;
      }
    }
  }
  return true;
}

function readBlockAt(record: usize, x: i32, y: i32): bool {
  if (kind === DC_FIRST) return readDcFirst(record, y * field(record, ROW_BLOCKS) + x) === 0;
  if (kind === DC_REFINE) {
    readDcRefine(record, y * field(record, ROW_BLOCKS) + x);
    return true;
  }
  const dctSize = field(record, DCT_SIZE);
  clearBlock(dctSize);
  const coefficients = readBlock(record, BLOCK);
  if (coefficients < 0) return false;
  if (isBuffered) {
    const blockBytes = usize(field(record, BLOCK_BYTES));
    const to = address(record, COEFFICIENTS) + usize(y * field(record, ROW_BLOCKS) + x) * blockBytes;
    memory.copy(to, BLOCK, blockBytes);
    return true;
  }
  const lineBytes = usize(field(record, LINE_BYTES));
  // Even and odd rows of MCUs use the two halves of LINES.
  const line = (y * dctSize) % (2 * field(record, MCU_LINES));
  const to = address(record, LINES) + usize(line) * lineBytes + usize(x * dctSize);
  if (coefficients <= 1) inverseDctDcOnly(dctSize, BLOCK, address(record, QUANTISERS), to, lineBytes);
  else inverseDct(dctSize, BLOCK, address(record, QUANTISERS), to, lineBytes);
  return true;
}

function clearBlock(dctSize: i32): void {
  const zero = i64x2.splat(0);
  v128.store(BLOCK, zero);
  if (dctSize < 4) return;
  v128.store(BLOCK, zero, 16);
  if (dctSize < 8) return;
  v128.store(BLOCK, zero, 32);
  v128.store(BLOCK, zero, 48);
  v128.store(BLOCK, zero, 64);
  v128.store(BLOCK, zero, 80);
  v128.store(BLOCK, zero, 96);
  v128.store(BLOCK, zero, 112);
}
