import { bandEnd, bandStart, endedBlocks, keepEndedBlocks, lowBit } from "./band.ts";
import { at, bits, count, fill, isStarved, keepBits, unitsEnd } from "./bit-source.ts";
import { AC_TABLE, address, BLOCK_BYTES, EDGE, field, MASKS, PLANE } from "./frame.ts";
import { CODES, END_RUN, LOOK_BITS, longCode } from "./huffman.ts";
import { BLOCK, DROPPED_SLOT, slotsOf } from "./layout.ts";
import { BAD_CODE } from "./sequential.ts";

/** T.81, G.1.2.1: the next bit of a block's first coefficient. */
export function refineDc(record: usize, block: i32): void {
  if (count < 1) fill();
  const isSet = i32(bits >> 63);
  keepBits(bits << 1, count - 1, at);
  const place = address(record, PLANE) + usize(block * field(record, BLOCK_BYTES));
  store<i16>(place, i16(i32(load<i16>(place)) | (isSet << lowBit)));
}

/** Coefficients of the order of the file that a reduced block keeps, a bit for each. */
function keptOf(slots: usize): u64 {
  let kept: u64 = 0;
  for (let index: i32 = 0; index < 64; index++) {
    if (u32(load<u8>(slots + index)) < DROPPED_SLOT) kept |= u64(1) << u64(index);
  }
  return kept;
}

function indicesTo(last: i32): u64 {
  return u64.MAX_VALUE >> u64(63 - last);
}

/**
 * Refines the band of up to `blocks` blocks (T.81, G.1.2.3); gives what `readFirstAc` does. A coefficient that is
 * known not to be zero has a bit in the data wherever one is passed.
 */
export function refineAc(record: usize, block: i32, blocks: i32): i32 {
  const table = address(record, AC_TABLE);
  const slots = slotsOf(field(record, EDGE));
  const blockBytes = usize(field(record, BLOCK_BYTES));
  const kept = keptOf(slots);
  const last = bandEnd;
  const step = 1 << lowBit;
  const band = indicesTo(last);
  let place = address(record, PLANE) + usize(block) * blockBytes;
  let mask = address(record, MASKS) + (usize(block) << 3);
  let held = bits;
  let left = count;
  let from = at;
  let ended = endedBlocks;
  let done: i32 = 0;
  for (; done < blocks; done++, place += blockBytes, mask += 8) {
    if (from > unitsEnd) break;
    const known = load<u64>(mask);
    let rest = known & band & ~((u64(1) << u64(bandStart)) - 1);
    if (ended === 0) {
      let found = known;
      let index = bandStart;
      while (index <= last) {
        if (left < 32) {
          keepBits(held, left, from);
          fill();
          if (isStarved()) return done;
          held = bits;
          left = count;
          from = at;
        }
        const look = usize(held >> (64 - LOOK_BITS));
        const whole = load<u32>(table + (look << 2));
        let run: i32 = 0;
        let value: i32 = 0;
        if (whole) {
          const length = i32(whole & 255);
          held <<= u64(length);
          left -= length;
          run = i32((whole >> 8) & 255);
          if (run === i32(END_RUN)) {
            ended = 1;
            break;
          }
          value = (i32(whole) >> 16) << lowBit;
        } else {
          let code = i32(load<u16>(table + CODES + (look << 1)));
          if (code === 0) code = longCode(table, held);
          if (code < 0) return BAD_CODE;
          const length = code >> 8;
          run = (code & 255) >> 4;
          held <<= u64(length);
          left -= length;
          if (code & 15) {
            value = held >> 63 ? step : -step;
            held <<= 1;
            left--;
          } else if (run < 15) {
            ended = 1 << run;
            if (run) {
              ended += i32(held >> u64(64 - run));
              held <<= u64(run);
              left -= run;
            }
            break;
          }
        }
        // To the zero behind `run` zeros, past what is known.
        let passed = rest;
        for (;;) {
          const next = rest ? i32(ctz(rest)) : 64;
          if (index + run < next) {
            index += run;
            break;
          }
          run -= next - index;
          index = next + 1;
          if (rest === 0) break;
          rest &= rest - 1;
        }
        passed ^= rest;
        while (passed) {
          if (left < 32) {
            keepBits(held, left, from);
            fill();
            held = bits;
            left = count;
            from = at;
          }
          const size = i32(popcnt(passed));
          if (size <= 32 && (passed & kept) === 0) {
            held <<= u64(size);
            left -= size;
            break;
          }
          refine(place, u32(load<u8>(slots + usize(ctz(passed)))), held >> 63 ? step : 0);
          passed &= passed - 1;
          held <<= 1;
          left--;
        }
        if (value && index <= last) {
          found |= u64(1) << u64(index);
          const slot = u32(load<u8>(slots + index));
          store<i16>(slot < DROPPED_SLOT ? place + slot : BLOCK, i16(value));
        }
        index++;
      }
      if (found !== known) store<u64>(mask, found);
    }
    if (ended === 0) continue;
    ended--;
    while (rest) {
      if (left < 32) {
        keepBits(held, left, from);
        fill();
        held = bits;
        left = count;
        from = at;
      }
      const size = i32(popcnt(rest));
      if (size <= 32 && (rest & kept) === 0) {
        held <<= u64(size);
        left -= size;
        break;
      }
      refine(place, u32(load<u8>(slots + usize(ctz(rest)))), held >> 63 ? step : 0);
      rest &= rest - 1;
      held <<= 1;
      left--;
    }
  }
  keepBits(held, left, from);
  keepEndedBlocks(ended);
  return done;
}

/** Takes a coefficient `step` further from zero. */
function refine(place: usize, slot: u32, step: i32): void {
  const at = slot < DROPPED_SLOT ? place + slot : BLOCK;
  const value = i32(load<i16>(at));
  const sign = value >> 31;
  store<i16>(at, i16(value + ((step ^ sign) - sign)));
}
