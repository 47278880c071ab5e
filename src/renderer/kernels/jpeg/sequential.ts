import { bitBuffer, bitCount, fillBits, isPastEnd, nextByte, saveBits } from "./bit-reader.ts";
import { AC_TABLE, address, DC_TABLE, DCT_SIZE, field, PRED } from "./frame.ts";
import { decodeLong, EOB_RUN, extend, LOOKAHEAD_BITS, SKIP_LOOKUP, SYMBOL_LOOKUP } from "./huffman.ts";
import { keptOffsets, lastKeptIndex } from "./memory.ts";

/** The bits match no Huffman code. */
export const BAD_CODE: i32 = -1;

/** Set by `readDiff` when the bits match no code. */
export let isBadDiff: bool = false;

/** Reads DIFF, a block's DC coefficient less PRED (T.81, F.2.2.1). */
export function readDiff(table: usize): i32 {
  isBadDiff = false;
  if (bitCount < 32) fillBits();
  const lookahead = bitBuffer >> (64 - LOOKAHEAD_BITS);
  const entry = load<u32>(table + (usize(lookahead) << 2));
  if (entry) {
    const length = i32(entry & 255);
    saveBits(bitBuffer << u64(length), bitCount - length, nextByte);
    return i32(entry) >> 16;
  }
  let code = i32(load<u16>(table + SYMBOL_LOOKUP + (usize(lookahead) << 1)));
  if (code === 0) code = decodeLong(table, bitBuffer);
  if (code < 0) {
    isBadDiff = true;
    return 0;
  }
  const length = code >> 8;
  const ssss = code & 15;
  const rest = bitBuffer << u64(length);
  const value = ssss === 0 ? 0 : extend(i32(rest >> u64(64 - ssss)), ssss);
  saveBits(rest << u64(ssss), bitCount - length - ssss, nextByte);
  return value;
}

/**
 * Reads a block of a sequential scan (T.81, F.2.2) into `block`, which is zero. Keeps only the lowest coefficients, as
 * many as the component's inverse DCT needs. Returns 1 + the index K of the last coefficient coded, or `BAD_CODE`.
 */
export function readBlock(record: usize, block: usize): i32 {
  if (isPastEnd()) {
    // The data ended early, in the picture's last row of MCUs: missing blocks repeat the last DC coefficient.
    store<i16>(block, i16(field(record, PRED)));
    return 1;
  }
  const dc = readDiff(address(record, DC_TABLE)) + field(record, PRED);
  if (isBadDiff) return BAD_CODE;
  store<i32>(record + PRED, dc);
  store<i16>(block, i16(dc));

  const table = address(record, AC_TABLE);
  const dctSize = field(record, DCT_SIZE);
  const offsets = keptOffsets(dctSize);
  const kEnd = lastKeptIndex(dctSize);
  let buffer = bitBuffer;
  let available = bitCount;
  let at = nextByte;
  let k: i32 = 1;
  while (k <= kEnd) {
    if (available < 32) {
      const four = bswap<u32>(load<u32>(at));
      if (((~four - 0x01010101) & four & 0x80808080) === 0) {
        buffer |= u64(four) << u64(32 - available);
        available += 32;
        at += 4;
      } else {
        saveBits(buffer, available, at);
        fillBits();
        buffer = bitBuffer;
        available = bitCount;
        at = nextByte;
      }
    }
    const lookahead = usize(buffer >> (64 - LOOKAHEAD_BITS));
    const entry = load<u32>(table + (lookahead << 2));
    if (entry) {
      k += i32((entry >> 8) & 255);
      store<i16>(block + usize(load<u8>(offsets + k)), i16(i32(entry) >> 16));
      k++;
      const length = i32(entry & 255);
      buffer <<= u64(length);
      available -= length;
      continue;
    }
    let code = i32(load<u16>(table + SYMBOL_LOOKUP + (lookahead << 1)));
    if (code === 0) code = decodeLong(table, buffer);
    if (code < 0) return BAD_CODE;
    const length = code >> 8;
    const ssss = code & 15;
    const rrrr = (code & 255) >> 4;
    buffer <<= u64(length);
    available -= length + ssss;
    if (ssss) {
      k += rrrr;
      const value = extend(i32(buffer >> u64(64 - ssss)), ssss);
      buffer <<= u64(ssss);
      store<i16>(block + usize(load<u8>(offsets + k)), i16(value));
      k++;
    } else {
      k += rrrr === 15 ? 16 : i32(EOB_RUN) + 1;
    }
  }
  // Skips dropped coefficients, several at once.
  while (k < 64) {
    if (available < 32) {
      const four = bswap<u32>(load<u32>(at));
      if (((~four - 0x01010101) & four & 0x80808080) === 0) {
        buffer |= u64(four) << u64(32 - available);
        available += 32;
        at += 4;
      } else {
        saveBits(buffer, available, at);
        fillBits();
        buffer = bitBuffer;
        available = bitCount;
        at = nextByte;
      }
    }
    const lookahead = usize(buffer >> (64 - LOOKAHEAD_BITS));
    const skip = i32(load<u16>(table + SKIP_LOOKUP + (lookahead << 1)));
    const crossed = skip >> 8;
    if (skip !== 0 && k + crossed < 64) {
      buffer <<= u64(skip & 127);
      available -= skip & 127;
      k += crossed;
      if (skip & 128) break;
      continue;
    }
    let code = i32(load<u16>(table + SYMBOL_LOOKUP + (lookahead << 1)));
    if (code === 0) code = decodeLong(table, buffer);
    if (code < 0) return BAD_CODE;
    const ssss = code & 15;
    const rrrr = (code & 255) >> 4;
    const length = (code >> 8) + ssss;
    buffer <<= u64(length);
    available -= length;
    if (ssss === 0 && rrrr !== 15) break;
    k += rrrr + 1;
  }
  saveBits(buffer, available, at);
  return k > i32(EOB_RUN) ? k - i32(EOB_RUN) - 1 : k;
}
