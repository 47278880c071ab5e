/** The groups of prefix codes of a picture, and the map of which tile uses which (RFC 9649, 3.7.2.2). */

import { take } from "../arena";
import { isPastEnd, needsInput, STEP_BYTES_MAX } from "../bit-window";
import { GROUP_BYTES, GROUP_READY, GROUP_TOO_LARGE, PIXELS_BITS_MAX, readGroup } from "./prefix-codes";
import { DAMAGED, GO_ON, NEEDS_INPUT, TOO_COMPLEX } from "./status";

/** Tables of whole pixels are made smaller when there are so many groups that they would take more than this. */
const PIXEL_TABLES_BYTES: usize = 4 << 20;
const GROUPS_MAX: usize = 65536;

let map: usize = 0;
/** Number of each group among those that are used, from 1 on; 0 for one that is not. */
let numbers: usize = 0;
let groups: usize = 0;
let groupsStored: i32 = 1;
let groupsUsed: i32 = 1;
let groupsRead: i32 = 0;
let pixelsBits: i32 = 0;

/** Begins a picture, which has one group if no map follows. */
export function startGroupMap(): void {
  map = 0;
  numbers = 0;
  groupsStored = 1;
  groupsUsed = 1;
  groupsRead = 0;
}

/** The number of each tile's group, 16 bits each, or 0 without a map. */
export function mapAt(): usize {
  return map;
}

export function groupsAt(): usize {
  return groups;
}

/** Keeps the groups that a row of the map's image names. Gives where the next row's go. */
export function keepGroups(row: usize, width: i32, at: usize): usize {
  const end = at + ((<usize>width) << 1);
  for (; at < end; at += 2, row += 4) store<u16>(at, load<u16>(row, 1));
  return end;
}

/**
 * Takes the map from `start` to `end`. It may name groups in any order and leave some out; only those it names are kept,
 * numbered as they come. False when memory ends.
 */
export function numberGroups(start: usize, end: usize): bool {
  map = start;
  numbers = take(GROUPS_MAX << 2);
  if (numbers === 0) return false;
  memory.fill(numbers, 0, GROUPS_MAX << 2);
  groupsStored = 0;
  for (let tile = start; tile < end; tile += 2) {
    const group: u32 = load<u16>(tile);
    groupsStored = max(groupsStored, <i32>group + 1);
    store<u32>(numbers + (group << 2), 1);
  }
  groupsUsed = 0;
  for (let group = 0; group < groupsStored; group++) {
    const number = numbers + ((<usize>group) << 2);
    if (load<u32>(number) !== 0) store<u32>(number, ++groupsUsed);
  }
  for (let tile = start; tile < end; tile += 2) {
    store<u16>(tile, <u16>(load<u32>(numbers + ((<usize>load<u16>(tile)) << 2)) - 1));
  }
  return true;
}

/** Takes memory for the groups of a picture of so many pixels. False when there is none. */
export function takeGroups(pixels: i32): bool {
  groups = take(<usize>groupsUsed * GROUP_BYTES);
  pixelsBits = pixelsBitsFor(pixels, groupsUsed);
  return groups !== 0;
}

/** Bits of the tables of whole pixels. A table should be cheaper than the pixels that it serves. */
export function pixelsBitsFor(pixels: i32, groupCount: i32): i32 {
  let bits = PIXELS_BITS_MAX;
  while (bits > 4 && ((<usize>groupCount) << (bits + 2) > PIXEL_TABLES_BYTES || groupCount << bits > pixels))
    bits--;
  return bits;
}

/** Reads a group into the record at `group`, or past it when that is 0. */
export function readOneGroup(group: usize, cacheBits: i32, tableBits: i32): i32 {
  const read = readGroup(group, cacheBits === 0 ? 0 : 1 << cacheBits, tableBits);
  if (read !== GROUP_READY) return read === GROUP_TOO_LARGE ? TOO_COMPLEX : DAMAGED;
  return isPastEnd() ? DAMAGED : GO_ON;
}

/** Reads the groups that are left. */
export function readNextGroups(cacheBits: i32): i32 {
  for (; groupsRead < groupsStored; groupsRead++) {
    if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
    const number: u32 = numbers === 0 ? 1 : load<u32>(numbers + ((<usize>groupsRead) << 2));
    const group: usize = number === 0 ? 0 : groups + <usize>(number - 1) * GROUP_BYTES;
    const status = readOneGroup(group, cacheBits, pixelsBits);
    if (status !== GO_ON) return status;
  }
  return GO_ON;
}
