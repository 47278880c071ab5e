import { bandEnd, bandStart, endedBlocks, keepEndedBlocks, lowBit } from "./band.ts";
import { at, bits, count, fill, isStarved, keepBits, unitsEnd } from "./bit-source.ts";
import { AC_TABLE, address, BLOCK_BYTES, DC_TABLE, EDGE, field, MASKS, PLANE, PREDICTION } from "./frame.ts";
import { CODES, extend, LOOK_BITS, longCode } from "./huffman.ts";
import { BLOCK, DROPPED_SLOT, slotsOf } from "./layout.ts";
import { BAD_CODE, isBadDifference, readDifference } from "./sequential.ts";

/** T.81, G.1.2.1. */
export function readFirstDc(record: usize, block: i32): i32 {
  if (isStarved()) return 0;
  const dc = readDifference(address(record, DC_TABLE)) + field(record, PREDICTION);
  if (isBadDifference) return BAD_CODE;
  store<i32>(record + PREDICTION, dc);
  store<i16>(address(record, PLANE) + usize(block * field(record, BLOCK_BYTES)), i16(dc << lowBit));
  return 0;
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
  let ended = endedBlocks;
  let done: i32 = 0;
  while (done < blocks) {
    if (ended > 0) {
      const skipped = min(ended, blocks - done);
      ended -= skipped;
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
          ended = (1 << run) - 1;
          if (run) {
            ended += i32(held >> u64(64 - run));
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
      store<i16>(slot < DROPPED_SLOT ? place + slot : BLOCK, i16(value << lowBit));
      index++;
    }
    store<u64>(mask, isNonzero);
    done++;
    place += blockBytes;
    mask += 8;
  }
  keepBits(held, left, from);
  keepEndedBlocks(ended);
  return done;
}
