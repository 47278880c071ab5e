import { at, bits, count, fill, isStarved, keepBits } from "./bit-source.ts";
import { AC_TABLE, address, DC_TABLE, EDGE, field, PREDICTION } from "./frame.ts";
import { CODES, END_RUN, extend, LOOK_BITS, longCode, SKIPS } from "./huffman.ts";
import { lastKept, slotsOf } from "./layout.ts";

/** The bits are no code. */
export const BAD_CODE: i32 = -1;

/** A block's difference of DC (T.81, F.2.2.1); `isBadDifference` says when it is none. */
export let isBadDifference: bool = false;

export function readDifference(table: usize): i32 {
  isBadDifference = false;
  if (count < 32) fill();
  const look = bits >> (64 - LOOK_BITS);
  const whole = load<u32>(table + (usize(look) << 2));
  if (whole) {
    const length = i32(whole & 255);
    keepBits(bits << u64(length), count - length, at);
    return i32(whole) >> 16;
  }
  let code = i32(load<u16>(table + CODES + (usize(look) << 1)));
  if (code === 0) code = longCode(table, bits);
  if (code < 0) {
    isBadDifference = true;
    return 0;
  }
  const length = code >> 8;
  const size = code & 15;
  const rest = bits << u64(length);
  const value = size === 0 ? 0 : extend(i32(rest >> u64(64 - size)), size);
  keepBits(rest << u64(size), count - length - size, at);
  return value;
}

/**
 * Reads a block of a sequential scan (T.81, F.2.2) into `block`, reduced to the component's edge and zero before.
 * Gives the index behind the last coefficient that the file holds, or `BAD_CODE`.
 */
export function readBlock(record: usize, block: usize): i32 {
  if (isStarved()) {
    // The file ends in its last row of units: what is missing is as flat as what was last.
    store<i16>(block, i16(field(record, PREDICTION)));
    return 1;
  }
  const dc = readDifference(address(record, DC_TABLE)) + field(record, PREDICTION);
  if (isBadDifference) return BAD_CODE;
  store<i32>(record + PREDICTION, dc);
  store<i16>(block, i16(dc));

  const table = address(record, AC_TABLE);
  const edge = field(record, EDGE);
  const slots = slotsOf(edge);
  const last = lastKept(edge);
  let held = bits;
  let left = count;
  let from = at;
  let index: i32 = 1;
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
        held = bits;
        left = count;
        from = at;
      }
    }
    const look = usize(held >> (64 - LOOK_BITS));
    const whole = load<u32>(table + (look << 2));
    if (whole) {
      index += i32((whole >> 8) & 255);
      store<i16>(block + usize(load<u8>(slots + index)), i16(i32(whole) >> 16));
      index++;
      const length = i32(whole & 255);
      held <<= u64(length);
      left -= length;
      continue;
    }
    let code = i32(load<u16>(table + CODES + (look << 1)));
    if (code === 0) code = longCode(table, held);
    if (code < 0) return BAD_CODE;
    const length = code >> 8;
    const size = code & 15;
    const run = (code & 255) >> 4;
    held <<= u64(length);
    left -= length + size;
    if (size) {
      index += run;
      const value = extend(i32(held >> u64(64 - size)), size);
      held <<= u64(size);
      store<i16>(block + usize(load<u8>(slots + index)), i16(value));
      index++;
    } else {
      index += run === 15 ? 16 : i32(END_RUN) + 1;
    }
  }
  // What the reduced block leaves out is passed several coefficients at a time.
  while (index < 64) {
    if (left < 32) {
      const four = bswap<u32>(load<u32>(from));
      if (((~four - 0x01010101) & four & 0x80808080) === 0) {
        held |= u64(four) << u64(32 - left);
        left += 32;
        from += 4;
      } else {
        keepBits(held, left, from);
        fill();
        held = bits;
        left = count;
        from = at;
      }
    }
    const look = usize(held >> (64 - LOOK_BITS));
    const skip = i32(load<u16>(table + SKIPS + (look << 1)));
    const passed = skip >> 8;
    if (skip !== 0 && index + passed < 64) {
      held <<= u64(skip & 127);
      left -= skip & 127;
      index += passed;
      if (skip & 128) break;
      continue;
    }
    let code = i32(load<u16>(table + CODES + (look << 1)));
    if (code === 0) code = longCode(table, held);
    if (code < 0) return BAD_CODE;
    const size = code & 15;
    const run = (code & 255) >> 4;
    const length = (code >> 8) + size;
    held <<= u64(length);
    left -= length;
    if (size === 0 && run !== 15) break;
    index += run + 1;
  }
  keepBits(held, left, from);
  return index > i32(END_RUN) ? index - i32(END_RUN) - 1 : index;
}
