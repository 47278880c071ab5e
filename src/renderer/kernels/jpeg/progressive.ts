import { at, bits, count, fill, isStarved, keepBits, unitsEnd } from "./bit-source.ts";
import { AC_TABLE, address, BLOCK_BYTES, DC_TABLE, EDGE, field, MASKS, PLANE, PREDICTION } from "./frame.ts";
import { CODES, extend, LOOK_BITS, longCode } from "./huffman.ts";
import { BLOCK, DROPPED_SLOT, slotsOf } from "./layout.ts";
import { BAD_CODE, isBadDifference, readDifference } from "./sequential.ts";

/** The band of the scan and its bit (T.81, B.2.3). */
let bandStart: i32 = 0;
let bandEnd: i32 = 0;
let shift: i32 = 0;

/** Blocks of which nothing more is in the band. */
let endRun: i32 = 0;

export function beginBand(first: i32, last: i32, low: i32): void {
  bandStart = first;
  bandEnd = last;
  shift = low;
  endRun = 0;
}

export function endRuns(): void {
  endRun = 0;
}

function takeBits(size: i32): i32 {
  if (count < 32) fill();
  const value = size === 0 ? 0 : i32(bits >> u64(64 - size));
  keepBits(bits << u64(size), count - size, at);
  return value;
}

/** T.81, G.1.2.1. */
export function readFirstDc(record: usize, block: i32): i32 {
  if (isStarved()) return 0;
  const dc = readDifference(address(record, DC_TABLE)) + field(record, PREDICTION);
  if (isBadDifference) return BAD_CODE;
  store<i32>(record + PREDICTION, dc);
  store<i16>(address(record, PLANE) + usize(block * field(record, BLOCK_BYTES)), i16(dc << shift));
  return 0;
}

export function refineDc(record: usize, block: i32): void {
  if (isStarved() || takeBits(1) === 0) return;
  const place = address(record, PLANE) + usize(block * field(record, BLOCK_BYTES));
  store<i16>(place, i16(i32(load<i16>(place)) | (1 << shift)));
}

/**
 * Reads the band of up to `blocks` blocks from the one numbered `block` (T.81, G.1.2.2). Gives how many were read;
 * fewer when the window runs out; `BAD_CODE`.
 */
export function readFirstAc(record: usize, block: i32, blocks: i32): i32 {
  const table = address(record, AC_TABLE);
  const slots = slotsOf(field(record, EDGE));
  const blockBytes = usize(field(record, BLOCK_BYTES));
  const last = bandEnd;
  let place = address(record, PLANE) + usize(block) * blockBytes;
  let mask = address(record, MASKS) + (usize(block) << 3);
  let held = bits;
  let left = count;
  let from = at;
  let done: i32 = 0;
  while (done < blocks) {
    if (endRun > 0) {
      const skipped = min(endRun, blocks - done);
      endRun -= skipped;
      done += skipped;
      place += usize(skipped) * blockBytes;
      mask += usize(skipped) << 3;
      continue;
    }
    if (from > unitsEnd) break;
    let isNonzero = load<u64>(mask);
    let index = bandStart;
    while (index <= last) {
      if (left < 32) {
        const four = bswap<u32>(load<u32>(from));
        if (((~four - 0x01010101) & four & 0x80808080) === 0) {
          held |= u64(four) << u64(32 - left);
          left += 32;
          from += 4;
        } else {
          keepBits(held, left, from);
          fill();
          // Zeros that are made up would be read as coefficients.
          if (isStarved()) return done;
          held = bits;
          left = count;
          from = at;
        }
      }
      const look = usize(held >> (64 - LOOK_BITS));
      const whole = load<u32>(table + (look << 2));
      let value: i32 = 0;
      if (whole) {
        const length = i32(whole & 255);
        held <<= u64(length);
        left -= length;
        index += i32((whole >> 8) & 255);
        value = i32(whole) >> 16;
        if (index > last) break;
      } else {
        let code = i32(load<u16>(table + CODES + (look << 1)));
        if (code === 0) code = longCode(table, held);
        if (code < 0) return BAD_CODE;
        const length = code >> 8;
        const size = code & 15;
        const run = (code & 255) >> 4;
        held <<= u64(length);
        left -= length;
        if (size === 0) {
          if (run === 15) {
            index += 16;
            continue;
          }
          endRun = (1 << run) - 1;
          if (run) {
            endRun += i32(held >> u64(64 - run));
            held <<= u64(run);
            left -= run;
          }
          break;
        }
        value = extend(i32(held >> u64(64 - size)), size);
        held <<= u64(size);
        left -= size;
        index += run;
        if (index > last) break;
      }
      isNonzero |= u64(1) << u64(index);
      const slot = u32(load<u8>(slots + index));
      store<i16>(slot < DROPPED_SLOT ? place + slot : BLOCK, i16(value << shift));
      index++;
    }
    store<u64>(mask, isNonzero);
    done++;
    place += blockBytes;
    mask += 8;
  }
  keepBits(held, left, from);
  return done;
}

/** Takes a bit more of the coefficient at `place` when the next bit says so; 0 stands for one that is not kept. */
function refine(place: usize): void {
  if (count < 1) fill();
  const isSet = bits >> 63;
  keepBits(bits << 1, count - 1, at);
  if (place === 0 || !isSet) return;
  const value = i32(load<i16>(place));
  if (value & (1 << shift)) return;
  store<i16>(place, i16(value + (value < 0 ? -1 << shift : 1 << shift)));
}

/** Passes the bits of that many coefficients that are not kept. */
function passBits(size: i32): void {
  while (size > 0) {
    const taken = min(size, 32);
    takeBits(taken);
    size -= taken;
  }
}

/** Refines the coefficients in `those` (T.81, G.1.2.3). */
function refineAll(those: u64, place: usize, slots: usize, kept: u64): void {
  let rest = those;
  while (rest & kept) {
    const index = usize(ctz(rest));
    rest &= rest - 1;
    const slot = u32(load<u8>(slots + index));
    refine(slot < DROPPED_SLOT ? place + slot : 0);
  }
  if (rest) passBits(i32(popcnt(rest)));
}

function indicesTo(last: i32): u64 {
  return u64.MAX_VALUE >> u64(63 - last);
}

/** Refines the band of up to `blocks` blocks; gives what `readFirstAc` does. */
export function refineAc(record: usize, block: i32, blocks: i32): i32 {
  const table = address(record, AC_TABLE);
  const edge = field(record, EDGE);
  const slots = slotsOf(edge);
  const blockBytes = usize(field(record, BLOCK_BYTES));
  let kept: u64 = 0;
  for (let index: i32 = 0; index < 64; index++) {
    if (u32(load<u8>(slots + index)) < DROPPED_SLOT) kept |= u64(1) << u64(index);
  }
  const band = indicesTo(bandEnd);
  let place = address(record, PLANE) + usize(block) * blockBytes;
  let mask = address(record, MASKS) + (usize(block) << 3);
  let done: i32 = 0;
  for (; done < blocks; done++, place += blockBytes, mask += 8) {
    if (at > unitsEnd || isStarved()) break;
    const known = load<u64>(mask);
    let index = bandStart;
    if (endRun === 0) {
      index = refineCoded(table, known, place, mask, slots, kept);
      if (index < 0) return BAD_CODE;
    }
    if (endRun > 0) {
      if (index <= bandEnd) refineAll(known & band & ~((u64(1) << u64(index)) - 1), place, slots, kept);
      endRun--;
    }
  }
  return done;
}

/** Reads what becomes nonzero in a block and refines what it passes. Gives the index where that ends. */
function refineCoded(table: usize, known: u64, place: usize, mask: usize, slots: usize, _kept: u64): i32 {
  const band = known & indicesTo(bandEnd);
  let found = known;
  let index = bandStart;
  while (index <= bandEnd) {
    if (count < 32) fill();
    const look = usize(bits >> (64 - LOOK_BITS));
    let code = i32(load<u16>(table + CODES + (look << 1)));
    if (code === 0) code = longCode(table, bits);
    if (code < 0) return BAD_CODE;
    const length = code >> 8;
    const size = code & 15;
    let run = (code & 255) >> 4;
    keepBits(bits << u64(length), count - length, at);
    let value: i32 = 0;
    if (size) {
      value = takeBits(1) ? 1 << shift : -1 << shift;
    } else if (run < 15) {
      endRun = (1 << run) + takeBits(run);
      break;
    }
    // To the zero behind `run` zeros.
    for (;;) {
      const ahead = band >> u64(index);
      const zeros = ahead ? i32(ctz(ahead)) : 64;
      if (run < zeros) {
        index += run;
        break;
      }
      run -= zeros;
      index += zeros;
      if (index > bandEnd) break;
      const slot = u32(load<u8>(slots + index));
      refine(slot < DROPPED_SLOT ? place + slot : 0);
      index++;
      if (index > 63) break;
    }
    if (value && index <= bandEnd) {
      found |= u64(1) << u64(index);
      const slot = u32(load<u8>(slots + index));
      if (slot < DROPPED_SLOT) store<i16>(place + slot, i16(value));
    }
    index++;
  }
  store<u64>(mask, found);
  return index;
}
