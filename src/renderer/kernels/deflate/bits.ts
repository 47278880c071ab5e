/** Bits of the output, the first of a byte its lowest. */
let held: u64 = 0;
let count: u64 = 0;
let to: usize = 0;

export function beginBits(output: usize): void {
  to = output;
  held = 0;
  count = 0;
}

/** Puts up to 48 bits; those above `length` are zero. */
export function putBits(value: u64, length: u32): void {
  held |= value << count;
  count += <u64>length;
  store<u64>(to, held);
  to += <usize>(count >> 3);
  held >>= count & 56;
  count &= 7;
}

/** Fills the last byte, puts `checksum` with its highest byte first, and gives the output's end. */
export function endBits(checksum: u32): usize {
  if (count > 0) putBits(0, <u32>(8 - count));
  store<u32>(to, bswap<u32>(checksum));
  return to + 4;
}
