/** Reads the Huffman codes of a deflate block into their lookup tables. */
import { bitBuffer, bitCount, dropBits, readBits, refill } from "../bit-reader";
import {
  buildCodeLengthTable,
  buildDistanceTable,
  buildLiteralLengthTable,
  distanceTable,
} from "./huffman-tables";

const codeLengthOrder: usize = memory.data<u8>([
  16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
]);
const lengths: usize = memory.data(512, 16);

/** BTYPE 01: the fixed codes (RFC 1951, 3.2.6). */
export function useFixedHuffmanCodes(): bool {
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  if (!buildLiteralLengthTable(lengths, 288)) return false;
  memory.fill(lengths, 5, 32);
  return buildDistanceTable(lengths, 32);
}

/** BTYPE 10: HLIT, HDIST, HCLEN and the dynamic codes (RFC 1951, 3.2.7). Here the three have their offsets added. */
export function readDynamicHuffmanCodes(): bool {
  const hlit = readBits(5) + 257;
  const hdist = readBits(5) + 1;
  const hclen = readBits(4) + 4;
  if (hlit > 286 || hdist > 30) return false;
  memory.fill(lengths, 0, 19);
  for (let index: u32 = 0; index < hclen; index++) {
    store<u8>(lengths + load<u8>(codeLengthOrder + index), <u8>readBits(3));
  }
  if (!buildCodeLengthTable(lengths, 19)) return false;
  const total = hlit + hdist;
  let previous: u8 = 0;
  for (let index: u32 = 0; index < total; ) {
    if (bitCount < 16) refill();
    const entry = load<u32>(distanceTable + ((<usize>(bitBuffer & 255)) << 2));
    dropBits(entry & 0xff);
    const symbol = entry >> 16;
    if (symbol < 16) {
      previous = <u8>symbol;
      store<u8>(lengths + index++, previous);
      continue;
    }
    if (symbol === 16 && index === 0) return false;
    const repeats = symbol === 16 ? 3 + readBits(2) : symbol === 17 ? 3 + readBits(3) : 11 + readBits(7);
    if (symbol !== 16) previous = 0;
    if (index + repeats > total) return false;
    memory.fill(lengths + index, previous, repeats);
    index += repeats;
  }
  return buildLiteralLengthTable(lengths, hlit) && buildDistanceTable(lengths + hlit, hdist);
}
