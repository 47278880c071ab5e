/** The prefix code groups of a picture, and the entropy image: the meta prefix code of each block (RFC 9649, 3.7.2.2). */

import { allocate } from "../allocator";
import { needsInput, STEP_BYTES_MAX } from "../bit-reader";
import { GROUP_BYTES, PACKED_BITS_MAX, readGroup } from "./prefix-codes";
import { GO_ON, NEEDS_INPUT } from "./status";

/** Upper bound of the bytes of all groups' packed tables; many groups get tables with fewer index bits. */
const PACKED_TABLES_BYTES: usize = 4 << 20;
const GROUPS_MAX: usize = 65536;

/** Address of the group number of each block, 16 bits each; 0 without an entropy image. */
export let entropyImage: usize = 0;
/** Address of the group number of each meta prefix code, from 1 on; 0 for an unused code. */
let numbers: usize = 0;
export let groups: usize = 0;
let groupsStored: i32 = 1;
let groupsUsed: i32 = 1;
let groupsRead: i32 = 0;
let packedBits: i32 = 0;

/** Starts a picture. It has one group unless an entropy image follows. */
export function startPrefixCodeGroups(): void {
  entropyImage = 0;
  numbers = 0;
  groupsStored = 1;
  groupsUsed = 1;
  groupsRead = 0;
}

/**
 * Stores the meta prefix codes of a row of the entropy image: its red and green bytes. Returns the address for the next
 * row.
 */
export function keepMetaPrefixCodes(row: usize, width: i32, at: usize): usize {
  const end = at + ((<usize>width) << 1);
  for (; at < end; at += 2, row += 4) store<u16>(at, load<u16>(row, 1));
  return end;
}

/**
 * Reads the entropy image stored from `start` to `end`. Numbers the used meta prefix codes consecutively, because
 * groups without a block are read but not stored. False when out of memory.
 */
export function renumberGroups(start: usize, end: usize): bool {
  entropyImage = start;
  numbers = allocate(GROUPS_MAX << 2);
  if (numbers === 0) return false;
  memory.fill(numbers, 0, GROUPS_MAX << 2);
  groupsStored = 0;
  for (let block = start; block < end; block += 2) {
    const group: u32 = load<u16>(block);
    groupsStored = max(groupsStored, <i32>group + 1);
    store<u32>(numbers + (group << 2), 1);
  }
  groupsUsed = 0;
  for (let group = 0; group < groupsStored; group++) {
    const number = numbers + ((<usize>group) << 2);
    if (load<u32>(number) !== 0) store<u32>(number, ++groupsUsed);
  }
  for (let block = start; block < end; block += 2) {
    store<u16>(block, <u16>(load<u32>(numbers + ((<usize>load<u16>(block)) << 2)) - 1));
  }
  return true;
}

/** Allocates the groups of a picture with `pixels` pixels. False when out of memory. */
export function allocateGroups(pixels: i32): bool {
  groups = allocate(<usize>groupsUsed * GROUP_BYTES);
  packedBits = packedBitsFor(pixels, groupsUsed);
  return groups !== 0;
}

/** Index bits of the packed tables. Building a table should cost less than decoding its pixels. */
export function packedBitsFor(pixels: i32, groupCount: i32): i32 {
  let bits = PACKED_BITS_MAX;
  while (bits > 4 && ((<usize>groupCount) << (bits + 2) > PACKED_TABLES_BYTES || groupCount << bits > pixels))
    bits--;
  return bits;
}

/** Reads the groups. After `NEEDS_INPUT`, the next call continues with the same group. */
export function readGroups(cacheBits: i32): i32 {
  for (; groupsRead < groupsStored; groupsRead++) {
    if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
    const number: u32 = numbers === 0 ? 1 : load<u32>(numbers + ((<usize>groupsRead) << 2));
    const group: usize = number === 0 ? 0 : groups + <usize>(number - 1) * GROUP_BYTES;
    const status = readGroup(group, cacheBits, packedBits);
    if (status !== GO_ON) return status;
  }
  return GO_ON;
}
