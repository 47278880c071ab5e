const CODE_BITS_MAX = 12;
const CODES_MAX = 1 << CODE_BITS_MAX;
const BLOCK_BYTES_MAX = 255;

/**
 * GIF's variable-length LZW (GIF89a, appendix F): the minimum code size, the codes in blocks of at most
 * 255 bytes, the end block.
 */
export function lzwEncode(indices: Uint8Array, colourBits: number): Uint8Array {
  const minimum = Math.max(2, colourBits);
  const clear = 1 << minimum;
  const end = clear + 1;
  // Next code after `prefix` and a colour, at `prefix << 8 | colour`; stamped, so that a reset costs nothing.
  const next = new Uint16Array(CODES_MAX << 8);
  const stamps = new Uint16Array(CODES_MAX << 8);
  const writer = createBlockWriter(indices.length);
  let stamp = 1;
  let bits = minimum + 1;
  let free = end + 1;
  writer.put(clear, bits);
  let prefix = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at++) {
    const colour = indices[at] ?? 0;
    const key = (prefix << 8) | colour;
    if (stamps[key] === stamp) {
      prefix = next[key] ?? 0;
      continue;
    }
    writer.put(prefix, bits);
    if (free < CODES_MAX) {
      next[key] = free;
      stamps[key] = stamp;
      if (free === 1 << bits) bits += 1;
      free += 1;
    } else {
      writer.put(clear, bits);
      bits = minimum + 1;
      free = end + 1;
      stamp += 1;
    }
    prefix = colour;
  }
  writer.put(prefix, bits);
  // The reader has added a code by now, which may take one bit more.
  if (free === 1 << bits && bits < CODE_BITS_MAX) bits += 1;
  writer.put(end, bits);
  return writer.finish(minimum);
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
