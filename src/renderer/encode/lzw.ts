const CODE_BITS_MAX = 12;
const CODES_MAX = 1 << CODE_BITS_MAX;
const BLOCK_BYTES_MAX = 255;

/**
 * GIF's variable-length LZW (GIF89a, appendix F): the minimum code size, the codes in sub-blocks of at most
 * 255 bytes, the block terminator.
 */
export function lzwEncode(indices: Uint8Array, colourBits: number): Uint8Array {
  const minimumCodeSize = Math.max(2, colourBits);
  const clearCode = 1 << minimumCodeSize;
  const endOfInformation = clearCode + 1;
  // The string table: the code of `prefix` followed by a colour stands at `prefix << 8 | colour`. An entry counts when
  // its stamp is that of the current table, so that a clear code empties the table at no cost.
  const codeAfter = new Uint16Array(CODES_MAX << 8);
  const stampOf = new Uint16Array(CODES_MAX << 8);
  const writer = createBlockWriter(indices.length);
  let stamp = 1;
  let codeSize = minimumCodeSize + 1;
  let freeCode = endOfInformation + 1;
  writer.put(clearCode, codeSize);
  let prefix = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at++) {
    const colour = indices[at] ?? 0;
    const key = (prefix << 8) | colour;
    if (stampOf[key] === stamp) {
      prefix = codeAfter[key] ?? 0;
      continue;
    }
    writer.put(prefix, codeSize);
    if (freeCode < CODES_MAX) {
      codeAfter[key] = freeCode;
      stampOf[key] = stamp;
      if (freeCode === 1 << codeSize) codeSize += 1;
      freeCode += 1;
    } else {
      writer.put(clearCode, codeSize);
      codeSize = minimumCodeSize + 1;
      freeCode = endOfInformation + 1;
      stamp += 1;
    }
    prefix = colour;
  }
  writer.put(prefix, codeSize);
  // The decoder has added a code by now, which may take one bit more.
  if (freeCode === 1 << codeSize && codeSize < CODE_BITS_MAX) codeSize += 1;
  writer.put(endOfInformation, codeSize);
  return writer.finish(minimumCodeSize);
}

function createBlockWriter(expected: number): {
  put(code: number, bits: number): void;
  finish(minimum: number): Uint8Array;
} {
  let bytes = new Uint8Array(Math.max(64, expected >> 1));
  let length = 0;
  let pending = 0;
  let pendingBits = 0;
  const push = (byte: number): void => {
    if (length === bytes.length) {
      const larger = new Uint8Array(bytes.length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    bytes[length++] = byte;
  };
  return {
    put(code, bits) {
      pending |= code << pendingBits;
      pendingBits += bits;
      for (; pendingBits >= 8; pendingBits -= 8) {
        push(pending & 255);
        pending >>>= 8;
      }
    },
    finish(minimum) {
      if (pendingBits > 0) push(pending & 255);
      const blocks = Math.ceil(length / BLOCK_BYTES_MAX);
      const out = new Uint8Array(1 + length + blocks + 1);
      out[0] = minimum;
      let to = 1;
      for (let from = 0; from < length; from += BLOCK_BYTES_MAX) {
        const size = Math.min(BLOCK_BYTES_MAX, length - from);
        out[to] = size;
        out.set(bytes.subarray(from, from + size), to + 1);
        to += size + 1;
      }
      return out;
    },
  };
}
