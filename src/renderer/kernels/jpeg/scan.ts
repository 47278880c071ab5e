import { beginBand, keepEndedBlocks } from "./band.ts";
import { at, beginInput, isStarved, passRestart, unitsEnd } from "./bit-source.ts";
import { readFirstAc, readFirstDc } from "./first-scans.ts";
import {
  AC_TABLE,
  ACROSS,
  address,
  BLOCK_BYTES,
  BLOCKS_ACROSS,
  BLOCKS_DOWN,
  components,
  DC_TABLE,
  DOWN,
  EDGE,
  field,
  isHeld,
  isProgressive,
  keepSteps,
  LINE_BYTES,
  LINES,
  PLANE,
  PREDICTION,
  ROW_BLOCKS,
  recordOf,
  STEPS,
  UNIT_LINES,
  unitsAcross,
  unitsDown,
} from "./frame.ts";
import { tableAt } from "./huffman.ts";
import { writeFlat, writeSamples } from "./inverse-dct.ts";
import { BLOCK, DAMAGED, DONE, HAS_ROWS, NEEDS_INPUT, UNIT_BLOCKS_MAX } from "./layout.ts";
import { refineAc, refineDc } from "./refining-scans.ts";
import { makeRows } from "./rows.ts";
import { readBlock } from "./sequential.ts";

/* What a scan's blocks hold. */
const SEQUENTIAL: i32 = 0;
const FIRST_DC: i32 = 1;
const DC_BIT: i32 = 2;
const FIRST_AC: i32 = 3;
const AC_BIT: i32 = 4;

/** Largest shift of a progressive scan (T.81, table B.3). */
const LOW_MAX: i32 = 13;

let kind: i32 = SEQUENTIAL;
let members: i32 = 0;
const MEMBERS: usize = memory.data(16, 16);

let rows: i32 = 0;
let rowUnits: i32 = 0;
let row: i32 = 0;
let unit: i32 = 0;
let restartUnits: i32 = 0;
let untilRestart: i32 = 0;

export function setRestartUnits(units: i32): void {
  restartUnits = units;
}

export function clearMembers(): void {
  members = 0;
}

/** Adds a component to the scan that is to begin, with the numbers of its tables. */
export function addMember(component: i32, dcTable: i32, acTable: i32): void {
  const record = recordOf(component);
  store<usize>(record + DC_TABLE, usize(dcTable & 3));
  store<usize>(record + AC_TABLE, usize(4 + (acTable & 3)));
  store<i32>(MEMBERS + (members << 2), component);
  members++;
}

function member(index: i32): usize {
  return recordOf(load<i32>(MEMBERS + (index << 2)));
}

/** Begins a scan of the band from `first` to `last`, of bit `low`, above which `high` says what is known. */
export function beginScan(first: i32, last: i32, high: i32, low: i32): i32 {
  if (!isProgressive) kind = SEQUENTIAL;
  else if (first === 0) kind = high === 0 ? FIRST_DC : DC_BIT;
  else kind = high === 0 ? FIRST_AC : AC_BIT;
  if (isProgressive) {
    if (low > LOW_MAX || (high !== 0 && high !== low + 1)) return DAMAGED;
    if (first === 0 ? last !== 0 : first > last || last > 63 || members !== 1) return DAMAGED;
  }
  let blocks: i32 = 0;
  for (let index: i32 = 0; index < members; index++) {
    const record = member(index);
    if (!keepSteps(record)) return DAMAGED;
    const dc = tableAt(i32(address(record, DC_TABLE)));
    const ac = tableAt(i32(address(record, AC_TABLE)));
    if (dc === 0 && kind <= FIRST_DC) return DAMAGED;
    if (ac === 0 && (kind === SEQUENTIAL || kind >= FIRST_AC)) return DAMAGED;
    store<usize>(record + DC_TABLE, dc);
    store<usize>(record + AC_TABLE, ac);
    blocks += field(record, ACROSS) * field(record, DOWN);
  }
  if (members > 1 && blocks > UNIT_BLOCKS_MAX) return DAMAGED;
  rows = members === 1 ? field(member(0), BLOCKS_DOWN) : unitsDown;
  rowUnits = members === 1 ? field(member(0), BLOCKS_ACROSS) : unitsAcross;
  row = 0;
  unit = 0;
  untilRestart = restartUnits;
  beginBand(first, last, low);
  beginInterval();
  beginInput();
  return DONE;
}

function beginInterval(): void {
  for (let index: i32 = 0; index < members; index++) store<i32>(member(index) + PREDICTION, 0);
  keepEndedBlocks(0);
}

/** Reads on: to the scan's end, to the window's, or to where rows of the picture are made. */
export function runScan(): i32 {
  while (row < rows) {
    while (unit < rowUnits) {
      if (restartUnits > 0 && untilRestart === 0) {
        if (isStarved()) return DAMAGED;
        const passed = passRestart();
        if (passed !== DONE) return passed;
        beginInterval();
        untilRestart = restartUnits;
      }
      if (at > unitsEnd) return NEEDS_INPUT;
      const read = kind >= FIRST_AC ? readBands() : readUnit() ? 1 : -1;
      if (read < 0) return DAMAGED;
      if (read === 0 && isStarved()) break;
      unit += read;
      untilRestart -= read;
    }
    // A file that ends in the last row of units lacks next to nothing; one that ends before is not whole.
    if (row + 1 < rows && isStarved()) return DAMAGED;
    unit = 0;
    row++;
    if (!isHeld && makeRows(row - 1)) return HAS_ROWS;
  }
  return DONE;
}

function readBands(): i32 {
  const record = member(0);
  const block = row * field(record, ROW_BLOCKS) + unit;
  const left = rowUnits - unit;
  const blocks = restartUnits > 0 ? min(left, untilRestart) : left;
  return kind === FIRST_AC ? readFirstAc(record, block, blocks) : refineAc(record, block, blocks);
}

function readUnit(): bool {
  if (members === 1) return readNumbered(member(0), unit, row);
  for (let index: i32 = 0; index < members; index++) {
    const record = member(index);
    const across = field(record, ACROSS);
    const down = field(record, DOWN);
    for (let y: i32 = 0; y < down; y++) {
      for (let x: i32 = 0; x < across; x++) {
        if (!readNumbered(record, unit * across + x, row * down + y)) return false;
      }
    }
  }
  return true;
}

function readNumbered(record: usize, x: i32, y: i32): bool {
  if (kind === FIRST_DC) return readFirstDc(record, y * field(record, ROW_BLOCKS) + x) === 0;
  if (kind === DC_BIT) {
    refineDc(record, y * field(record, ROW_BLOCKS) + x);
    return true;
  }
  const edge = field(record, EDGE);
  clearBlock(edge);
  const coefficients = readBlock(record, BLOCK);
  if (coefficients < 0) return false;
  if (isHeld) {
    const blockBytes = usize(field(record, BLOCK_BYTES));
    const place = address(record, PLANE) + usize(y * field(record, ROW_BLOCKS) + x) * blockBytes;
    memory.copy(place, BLOCK, blockBytes);
    return true;
  }
  const lineBytes = usize(field(record, LINE_BYTES));
  // Rows of units take turns in the two halves of the lines.
  const line = (y * edge) % (2 * field(record, UNIT_LINES));
  const to = address(record, LINES) + usize(line) * lineBytes + usize(x * edge);
  if (coefficients <= 1) writeFlat(edge, BLOCK, address(record, STEPS), to, lineBytes);
  else writeSamples(edge, BLOCK, address(record, STEPS), to, lineBytes);
  return true;
}

function clearBlock(edge: i32): void {
  const none = i64x2.splat(0);
  v128.store(BLOCK, none);
  if (edge < 4) return;
  v128.store(BLOCK, none, 16);
  if (edge < 8) return;
  v128.store(BLOCK, none, 32);
  v128.store(BLOCK, none, 48);
  v128.store(BLOCK, none, 64);
  v128.store(BLOCK, none, 80);
  v128.store(BLOCK, none, 96);
  v128.store(BLOCK, none, 112);
}

let heldRow: i32 = 0;

export function beginHeldRows(): void {
  heldRow = 0;
}

/** Makes rows from the coefficients that are held, to the picture's end. */
export function runHeldRows(): i32 {
  while (heldRow < unitsDown) {
    for (let index: i32 = 0; index < components; index++) writeHeld(recordOf(index), heldRow);
    heldRow++;
    if (makeRows(heldRow - 1)) return HAS_ROWS;
  }
  return DONE;
}

function writeHeld(record: usize, unitRow: i32): void {
  const edge = field(record, EDGE);
  const down = field(record, DOWN);
  const rowBlocks = field(record, ROW_BLOCKS);
  const blocksAcross = field(record, BLOCKS_ACROSS);
  const blockBytes = usize(field(record, BLOCK_BYTES));
  const lineBytes = usize(field(record, LINE_BYTES));
  const steps = address(record, STEPS);
  for (let y: i32 = unitRow * down; y < (unitRow + 1) * down; y++) {
    let block = address(record, PLANE) + usize(y * rowBlocks) * blockBytes;
    const line = (y * edge) % (2 * field(record, UNIT_LINES));
    let to = address(record, LINES) + usize(line) * lineBytes;
    for (let x: i32 = 0; x < blocksAcross; x++) {
      writeSamples(edge, block, steps, to, lineBytes);
      block += blockBytes;
      to += usize(edge);
    }
  }
}
