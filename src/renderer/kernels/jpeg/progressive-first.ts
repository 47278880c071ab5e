import { bitBuffer, bitCount, fillBits, isPastEnd, mcuStartMax, nextByte, saveBits } from "./bit-reader.ts";
import {
  AC_TABLE,
  address,
  BLOCK_BYTES,
  COEFFICIENTS,
  DC_TABLE,
  DCT_SIZE,
  field,
  NONZERO_MASKS,
  PRED,
} from "./frame.ts";
import { decodeLong, extend, LOOKAHEAD_BITS, SYMBOL_LOOKUP } from "./huffman.ts";
import { BLOCK, DROPPED, keptOffsets } from "./memory.ts";
import { BAD_CODE, isBadDiff, readDiff } from "./sequential.ts";

/** Parameters of the progressive scan: spectral selection Ss to Se and the low bit position Al (T.81, B.2.3). */
export let ss: i32 = 0;
export let se: i32 = 0;
export let al: i32 = 0;

/** EOBRUN: the number of following blocks without further coefficients in the band (T.81, G.1.2.2). */
export let eobrun: i32 = 0;

export function setSpectralSelection(newSs: i32, newSe: i32, newAl: i32): void {
  ss = newSs;
  se = newSe;
  al = newAl;
  eobrun = 0;
}

export function setEobrun(blocks: i32): void {
  eobrun = blocks;
}

/** The first scan of a block's DC coefficient (T.81, G.1.2.1). */
export function readDcFirst(record: usize, block: i32): i32 {
  if (isPastEnd()) return 0;
  const dc = readDiff(address(record, DC_TABLE)) + field(record, PRED);
  if (isBadDiff) return BAD_CODE;
  store<i32>(record + PRED, dc);
  store<i16>(address(record, COEFFICIENTS) + usize(block * field(record, BLOCK_BYTES)), i16(dc << al));
  return 0;
}

/**
 * The first scan of AC coefficients Ss to Se of up to `blocks` blocks from number `block` on (T.81, G.1.2.2). Returns
 * the number of blocks read, fewer when the input window runs out, or `BAD_CODE`.
 */
export function readAcFirst(record: usize, block: i32, blocks: i32): i32 {
  const table = address(record, AC_TABLE);
  const offsets = keptOffsets(field(record, DCT_SIZE));
  const blockBytes = usize(field(record, BLOCK_BYTES));
  const kEnd = se;
  let coefficients = address(record, COEFFICIENTS) + usize(block) * blockBytes;
  let mask = address(record, NONZERO_MASKS) + (usize(block) << 3);
  let buffer = bitBuffer;
  let available = bitCount;
  let at = nextByte;
  let localEobrun = eobrun;
  let blocksRead: i32 = 0;
  while (blocksRead < blocks) {
    if (localEobrun > 0) {
      const skipped = min(localEobrun, blocks - blocksRead);
      localEobrun -= skipped;
      blocksRead += skipped;
      coefficients += usize(skipped) * blockBytes;
      mask += usize(skipped) << 3;
      continue;
    }
    if (at > mcuStartMax) break;
    let nonzero = load<u64>(mask);
    let k = ss;
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
          // Stop here, or padding bits would be read as coefficients.
          if (isPastEnd()) return blocksRead;
          buffer = bitBuffer;
          available = bitCount;
          at = nextByte;
        }
      }
      const lookahead = usize(buffer >> (64 - LOOKAHEAD_BITS));
      const entry = load<u32>(table + (lookahead << 2));
      let value: i32 = 0;
      if (entry) {
        const length = i32(entry & 255);
        buffer <<= u64(length);
        available -= length;
        k += i32((entry >> 8) & 255);
        value = i32(entry) >> 16;
        if (k > kEnd) break;
      } else {
        let code = i32(load<u16>(table + SYMBOL_LOOKUP + (lookahead << 1)));
        if (code === 0) code = decodeLong(table, buffer);
        if (code < 0) return BAD_CODE;
        const length = code >> 8;
        const ssss = code & 15;
        const rrrr = (code & 255) >> 4;
        buffer <<= u64(length);
        available -= length;
        if (ssss === 0) {
          if (rrrr === 15) {
            k += 16;
            continue;
          }
          localEobrun = (1 << rrrr) - 1;
          if (rrrr) {
            localEobrun += i32(buffer >> u64(64 - rrrr));
            buffer <<= u64(rrrr);
            available -= rrrr;
          }
          break;
        }
        value = extend(i32(buffer >> u64(64 - ssss)), ssss);
        buffer <<= u64(ssss);
        available -= ssss;
        k += rrrr;
        if (k > kEnd) break;
      }
      nonzero |= u64(1) << u64(k);
      const offset = u32(load<u8>(offsets + k));
      store<i16>(offset < DROPPED ? coefficients + offset : BLOCK, i16(value << al));
      k++;
    }
    store<u64>(mask, nonzero);
    blocksRead++;
    coefficients += blockBytes;
    mask += 8;
  }
  saveBits(buffer, available, at);
  eobrun = localEobrun;
  return blocksRead;
}
