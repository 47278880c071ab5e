/** The two codes of a deflate block, put into their tables. */
import { dropBits, held, heldCount, readBits, refill } from "../bit-window";
import { buildDistances, buildLengths, buildPlain, distanceTable } from "./deflate-codes";

const codeLengthOrder: usize = memory.data<u8>([
  16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
]);
const lengths: usize = memory.data(512, 16);

/** The codes that every stream knows (RFC 1951, 3.2.6). */
export function useFixedCodes(): bool {
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  if (!buildLengths(lengths, 288)) return false;
  memory.fill(lengths, 5, 32);
  return buildDistances(lengths, 32);
}

/** The codes of a block with codes of its own (RFC 1951, 3.2.7). */
export function readCodes(): bool {
  const lengthCodes = readBits(5) + 257;
  const distanceCodes = readBits(5) + 1;
  const given = readBits(4) + 4;
  if (lengthCodes > 286 || distanceCodes > 30) return false;
  memory.fill(lengths, 0, 19);
  for (let index: u32 = 0; index < given; index++) {
    store<u8>(lengths + load<u8>(codeLengthOrder + index), <u8>readBits(3));
  }
  if (!buildPlain(lengths, 19)) return false;
  const total = lengthCodes + distanceCodes;
  let previous: u8 = 0;
  for (let index: u32 = 0; index < total; ) {
    if (heldCount < 16) refill();
    const entry = load<u32>(distanceTable + ((<usize>(held & 255)) << 2));
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
  return buildLengths(lengths, lengthCodes) && buildDistances(lengths + lengthCodes, distanceCodes);
}
