/**
 * The boolean entropy decoder (RFC 6386, 7). Its state is 32 bytes of memory, so that inner loops can hold it in
 * locals. `value` has the unread bits at its top; `count` of them are real, the rest is what follows in memory.
 */
export const VALUE: usize = 0;
/** Address of the next byte that is not in `value`. */
export const AT: usize = 8;
/** Address behind the last byte of the window. */
export const END: usize = 12;
export const RANGE: usize = 16;
export const COUNT: usize = 20;
/** Whether the window holds the end of its partition. */
export const IS_LAST: usize = 24;
const READER_BYTES: usize = 32;

/** The first partition, then up to eight of coefficients. */
export const PARTITIONS: i32 = 9;
const READERS: usize = memory.data(288, 16);

export function readerOf(partition: i32): usize {
  return READERS + <usize>partition * READER_BYTES;
}

export function startReader(reader: usize, at: usize): void {
  store<u64>(reader, 0, VALUE);
  store<usize>(reader, at, AT);
  store<usize>(reader, at, END);
  store<u32>(reader, 255, RANGE);
  store<i32>(reader, 0, COUNT);
  store<u32>(reader, 0, IS_LAST);
}

/** Whether more bits were taken than the window has. What was read then means nothing. */
export function isOverrun(reader: usize): bool {
  const taken = <i64>load<usize>(reader, AT) * 8 - <i64>load<i32>(reader, COUNT);
  return taken >= <i64>load<usize>(reader, END) * 8;
}

/** Whether what the next `bytes` may need is there. */
export function isFed(reader: usize, bytes: usize): bool {
  return load<u32>(reader, IS_LAST) !== 0 || load<usize>(reader, AT) + bytes <= load<usize>(reader, END);
}

export function readBool(reader: usize, probability: u32): i32 {
  let value = load<u64>(reader, VALUE);
  let range = load<u32>(reader, RANGE);
  let count = load<i32>(reader, COUNT);
  if (count < 8) {
    const at = load<usize>(reader, AT);
    const bytes = (64 - count) >> 3;
    value |= bswap<u64>(load<u64>(at)) >> <u64>count;
    count += bytes << 3;
    store<usize>(reader, at + bytes, AT);
  }
  const split = 1 + (((range - 1) * probability) >> 8);
  const edge = (<u64>split) << 56;
  const bit = value >= edge;
  range = bit ? range - split : split;
  if (bit) value -= edge;
  const shift = <u32>clz<u32>(range) - 24;
  store<u64>(reader, value << (<u64>shift), VALUE);
  store<u32>(reader, range << shift, RANGE);
  store<i32>(reader, count - <i32>shift, COUNT);
  return bit ? 1 : 0;
}

export function readLiteral(reader: usize, bits: i32): i32 {
  let literal = 0;
  for (let bit = 0; bit < bits; bit++) literal = (literal << 1) | readBool(reader, 128);
  return literal;
}

/** A flag and, where it is set, a magnitude and a sign; else 0. */
export function readOptional(reader: usize, bits: i32): i32 {
  if (readBool(reader, 128) === 0) return 0;
  const magnitude = readLiteral(reader, bits);
  return readBool(reader, 128) !== 0 ? -magnitude : magnitude;
}
