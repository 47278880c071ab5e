/*
 * Decodes sequential and progressive Huffman-coded JPEG (ITU-T T.81) to a reduced picture, row by row.
 *
 * The caller walks the file's segments and gives each to its call; a scan's data comes through the window in pieces.
 * It has bounded the picture's size, its sampling factors (1 to 4) and the edges blocks are reduced to.
 */
import { addInput, beginInput, inputEnd as windowEnd, inputRoom as windowRoom } from "./bit-source.ts";
import { beginFrame, defineQuantisations, layOutFrame, setComponent } from "./frame.ts";
import { defineTables, forgetTables } from "./huffman.ts";
import { DAMAGED, DONE, fillSlots, WINDOW } from "./layout.ts";
import { layOutRows, made, madeRows } from "./rows.ts";
import {
  addMember,
  beginHeldRows,
  beginScan as beginMembersScan,
  clearMembers,
  runHeldRows,
  runScan,
  setRestartUnits,
} from "./scan.ts";

/** Begins a picture: nothing of the one before is left. `holds` when it has more than one scan. */
export function begin(width: i32, height: i32, components: i32, edge: i32, holds: bool, refines: bool): void {
  fillSlots();
  forgetTables();
  setRestartUnits(0);
  clearMembers();
  beginFrame(width, height, components, edge, holds, refines);
}

export function component(index: i32, across: i32, down: i32, quantisation: i32, edge: i32): void {
  setComponent(index, across, down, quantisation, edge);
}

/** Reserves memory, once all components are told. */
export function layOut(colours: i32, factor: i32): i32 {
  return layOutFrame() && layOutRows(colours, factor) ? DONE : DAMAGED;
}

/** Where a segment's body is to be put. */
export function segment(): usize {
  beginInput();
  return WINDOW;
}

export function quantisations(length: i32): i32 {
  return defineQuantisations(WINDOW, length);
}

export function prefixCodes(length: i32): i32 {
  return defineTables(WINDOW, length) ? DONE : DAMAGED;
}

export function restarts(units: i32): void {
  setRestartUnits(units);
}

/** Forgets the members of the scan before. */
export function beginMembers(): void {
  clearMembers();
}

export function scanMember(index: i32, dcTable: i32, acTable: i32): void {
  addMember(index, dcTable, acTable);
}

export function beginScan(first: i32, last: i32, high: i32, low: i32): i32 {
  return beginMembersScan(first, last, high, low);
}

/** Bytes of the scan that the window takes, from `inputEnd` on. */
export function inputRoom(): i32 {
  return windowRoom();
}

export function inputEnd(): usize {
  return windowEnd();
}

export function feed(bytes: i32, isLast: bool): void {
  addInput(bytes, isLast);
}

export function readScan(): i32 {
  return runScan();
}

export function beginPicture(): void {
  beginHeldRows();
}

export function readPicture(): i32 {
  return runHeldRows();
}

/** The rows that were made last, four bytes a pixel. */
export function rows(): usize {
  return made;
}

export function rowCount(): i32 {
  return madeRows;
}
