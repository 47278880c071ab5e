import { bitBuffer, bitCount, fillBits, isPastEnd, mcuStartMax, nextByte, saveBits } from "./bit-reader.ts";
import { AC_TABLE, address, BLOCK_BYTES, COEFFICIENTS, DCT_SIZE, field, NONZERO_MASKS } from "./frame.ts";
import { decodeLong, EOB_RUN, LOOKAHEAD_BITS, SYMBOL_LOOKUP } from "./huffman.ts";
import { BLOCK, DROPPED, keptOffsets } from "./memory.ts";
import { al, eobrun, se, setEobrun, ss } from "./progressive-first.ts";
import { BAD_CODE } from "./sequential.ts";

/** The next bit of a block's DC coefficient (T.81, G.1.2.1). */
export function readDcRefine(record: usize, block: i32): void {
  if (bitCount < 1) fillBits();
  const isSet = i32(bitBuffer >> 63);
  saveBits(bitBuffer << 1, bitCount - 1, nextByte);
  const coefficients = address(record, COEFFICIENTS) + usize(block * field(record, BLOCK_BYTES));
  store<i16>(coefficients, i16(i32(load<i16>(coefficients)) | (isSet << al)));
}

/** Bit mask of the zig-zag indexes whose coefficients are kept. */
function keptMask(offsets: usize): u64 {
  let kept: u64 = 0;
  for (let k: i32 = 0; k < 64; k++) {
    if (u32(load<u8>(offsets + k)) < DROPPED) kept |= u64(1) << u64(k);
  }
  return kept;
}

/** Bit mask of the indexes 0 to `kEnd`. */
function maskTo(kEnd: i32): u64 {
  return u64.MAX_VALUE >> u64(63 - kEnd);
}

/**
 * Refines AC coefficients Ss to Se of up to `blocks` blocks (T.81, G.1.2.3). Returns the same as `readAcFirst`. A run
 * of zeros counts only coefficients with zero history. Each skipped coefficient with nonzero history has a correction
 * bit in the data, even if it is dropped: `NONZERO_MASKS` has the history of all 64.
 */
export function readAcRefine(record: usize, block: i32, blocks: i32): i32 {
  const table = address(record, AC_TABLE);
  const offsets = keptOffsets(field(record, DCT_SIZE));
  const blockBytes = usize(field(record, BLOCK_BYTES));
  const kept = keptMask(offsets);
  const kEnd = se;
  const step = 1 << al;
  const band = maskTo(kEnd);
  let coefficients = address(record, COEFFICIENTS) + usize(block) * blockBytes;
  let mask = address(record, NONZERO_MASKS) + (usize(block) << 3);
  let buffer = bitBuffer;
  let available = bitCount;
  let at = nextByte;
  let localEobrun = eobrun;
  let blocksRead: i32 = 0;
  for (; blocksRead < blocks; blocksRead++, coefficients += blockBytes, mask += 8) {
    if (at > mcuStartMax) break;
    const history = load<u64>(mask);
    let rest = history & band & ~((u64(1) << u64(ss)) - 1);
    if (localEobrun === 0) {
      let nonzero = history;
      let k = ss;
      while (k <= kEnd) {
        if (available < 32) {
          saveBits(buffer, available, at);
          fillBits();
          if (isPastEnd()) return blocksRead;
          buffer = bitBuffer;
          available = bitCount;
          at = nextByte;
        }
        const lookahead = usize(buffer >> (64 - LOOKAHEAD_BITS));
        const entry = load<u32>(table + (lookahead << 2));
        let rrrr: i32 = 0;
        let value: i32 = 0;
        if (entry) {
          const length = i32(entry & 255);
          buffer <<= u64(length);
          available -= length;
          rrrr = i32((entry >> 8) & 255);
          if (rrrr === i32(EOB_RUN)) {
            localEobrun = 1;
            break;
          }
          value = (i32(entry) >> 16) << al;
        } else {
          let code = i32(load<u16>(table + SYMBOL_LOOKUP + (lookahead << 1)));
          if (code === 0) code = decodeLong(table, buffer);
          if (code < 0) return BAD_CODE;
          const length = code >> 8;
          rrrr = (code & 255) >> 4;
          buffer <<= u64(length);
          available -= length;
          if (code & 15) {
            value = buffer >> 63 ? step : -step;
            buffer <<= 1;
            available--;
          } else if (rrrr < 15) {
            localEobrun = 1 << rrrr;
            if (rrrr) {
              localEobrun += i32(buffer >> u64(64 - rrrr));
              buffer <<= u64(rrrr);
              available -= rrrr;
            }
            break;
          }
        }
        // Moves k past RRRR zeros. `crossed`: the skipped coefficients with nonzero history.
        let crossed = rest;
        for (;;) {
          const next = rest ? i32(ctz(rest)) : 64;
          if (k + rrrr < next) {
            k += rrrr;
            break;
          }
          rrrr -= next - k;
          k = next + 1;
          if (rest === 0) break;
          rest &= rest - 1;
        }
        crossed ^= rest;
        while (crossed) {
          if (available < 32) {
            saveBits(buffer, available, at);
            fillBits();
            buffer = bitBuffer;
            available = bitCount;
            at = nextByte;
          }
          const correctionBits = i32(popcnt(crossed));
          if (correctionBits <= 32 && (crossed & kept) === 0) {
            buffer <<= u64(correctionBits);
            available -= correctionBits;
            break;
          }
          addCorrectionBit(
            coefficients,
            u32(load<u8>(offsets + usize(ctz(crossed)))),
            buffer >> 63 ? step : 0,
          );
          crossed &= crossed - 1;
          buffer <<= 1;
          available--;
        }
        if (value && k <= kEnd) {
          nonzero |= u64(1) << u64(k);
          const offset = u32(load<u8>(offsets + k));
          store<i16>(offset < DROPPED ? coefficients + offset : BLOCK, i16(value));
        }
        k++;
      }
      if (nonzero !== history) store<u64>(mask, nonzero);
    }
    if (localEobrun === 0) continue;
    localEobrun--;
    while (rest) {
      if (available < 32) {
        saveBits(buffer, available, at);
        fillBits();
        buffer = bitBuffer;
        available = bitCount;
        at = nextByte;
      }
      const correctionBits = i32(popcnt(rest));
      if (correctionBits <= 32 && (rest & kept) === 0) {
        buffer <<= u64(correctionBits);
        available -= correctionBits;
        break;
      }
      addCorrectionBit(coefficients, u32(load<u8>(offsets + usize(ctz(rest)))), buffer >> 63 ? step : 0);
      rest &= rest - 1;
      buffer <<= 1;
      available--;
    }
  }
  saveBits(buffer, available, at);
  setEobrun(localEobrun);
  return blocksRead;
}

/** Moves a coefficient by `step` away from zero. */
function addCorrectionBit(coefficients: usize, offset: u32, step: i32): void {
  const at = offset < DROPPED ? coefficients + offset : BLOCK;
  const value = i32(load<i16>(at));
  const sign = value >> 31;
  store<i16>(at, i16(value + ((step ^ sign) - sign)));
}
