/**
 * The boolean entropy decoder (RFC 6386, 7.3), one for each partition. Its state is a record of 32 bytes, which inner
 * loops copy into locals. VALUE has 64 bits instead of the RFC's two bytes; the bits compared with `split` are topmost.
 * Only the upper BIT_COUNT bits count as loaded. Bits below them may already be set; the next load ORs the same values
 * into them.
 */
export const VALUE: usize = 0;
/** Address of the next byte that is not in VALUE. */
export const INPUT: usize = 8;
/** Address after the last byte of the window. */
const END: usize = 12;
export const RANGE: usize = 16;
export const BIT_COUNT: usize = 20;
/** Whether the window contains the end of its partition. */
const IS_LAST: usize = 24;
const DECODER_BYTES: usize = 32;

/** The first partition, then up to eight DCT token partitions. */
const PARTITIONS: i32 = 9;
const DECODERS: usize = memory.data(288, 16);

export function boolDecoder(partition: i32): usize {
  return DECODERS + <usize>partition * DECODER_BYTES;
}

function startBoolDecoder(decoder: usize, at: usize): void {
  store<u64>(decoder, 0, VALUE);
  store<usize>(decoder, at, INPUT);
  store<usize>(decoder, at, END);
  store<u32>(decoder, 255, RANGE);
  store<i32>(decoder, 0, BIT_COUNT);
  store<u32>(decoder, 0, IS_LAST);
}

/** Whether more bits were read than the window has. If so, the decoded values are garbage. */
export function isPastEnd(decoder: usize): bool {
  const taken = <i64>load<usize>(decoder, INPUT) * 8 - <i64>load<i32>(decoder, BIT_COUNT);
  return taken >= <i64>load<usize>(decoder, END) * 8;
}

/** Whether the window contains the next `bytes` or the end of the partition. */
export function hasInput(decoder: usize, bytes: usize): bool {
  return (
    load<u32>(decoder, IS_LAST) !== 0 || load<usize>(decoder, INPUT) + bytes <= load<usize>(decoder, END)
  );
}

export function readBool(decoder: usize, probability: u32): i32 {
  let value = load<u64>(decoder, VALUE);
  let range = load<u32>(decoder, RANGE);
  let count = load<i32>(decoder, BIT_COUNT);
  if (count < 8) {
    const at = load<usize>(decoder, INPUT);
    const bytes = (64 - count) >> 3;
    value |= bswap<u64>(load<u64>(at)) >> <u64>count;
    count += bytes << 3;
    store<usize>(decoder, at + bytes, INPUT);
  }
  const split = 1 + (((range - 1) * probability) >> 8);
  const edge = (<u64>split) << 56;
  const bit = value >= edge;
  range = bit ? range - split : split;
  if (bit) value -= edge;
  const shift = <u32>clz<u32>(range) - 24;
  store<u64>(decoder, value << (<u64>shift), VALUE);
  store<u32>(decoder, range << shift, RANGE);
  store<i32>(decoder, count - <i32>shift, BIT_COUNT);
  return bit ? 1 : 0;
}

export function readLiteral(decoder: usize, bits: i32): i32 {
  let literal = 0;
  for (let bit = 0; bit < bits; bit++) literal = (literal << 1) | readBool(decoder, 128);
  return literal;
}

/** Reads a flag and, if it is set, a magnitude of `bits` bits and a sign. Returns 0 if it is not set. */
export function readOptionalSigned(decoder: usize, bits: i32): i32 {
  if (readBool(decoder, 128) === 0) return 0;
  const magnitude = readLiteral(decoder, bits);
  return readBool(decoder, 128) !== 0 ? -magnitude : magnitude;
}

/**
 * Each partition has an input window that the caller refills. A macroblock row reads from the first partition and one
 * token partition.
 */
const WINDOW_BYTES: usize = 65_536;

/**
 * Upper bound of the bytes that the frame header or a macroblock reads past the end of a window, because `isPastEnd` is
 * tested only after each.
 */
const SLACK_BYTES: usize = 16_384;

/**
 * Upper bounds of a macroblock's input: 400 coefficients of at most 19 bools, and a header of at most 150 bools. A bool
 * takes at most 7 bits. The decoder reads 8 bytes ahead.
 */
export const MACROBLOCK_TOKEN_BYTES_MAX: usize = 8192;
export const MACROBLOCK_HEADER_BYTES_MAX: usize = 256;

export const PARTITION_INPUT_BYTES: usize = <usize>PARTITIONS * (WINDOW_BYTES + SLACK_BYTES);

let windows: usize = 0;

export function startPartitionInput(at: usize): void {
  windows = at;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    startBoolDecoder(boolDecoder(partition), windowOf(partition));
  }
}

function windowOf(partition: i32): usize {
  return windows + <usize>partition * (WINDOW_BYTES + SLACK_BYTES);
}

/** Moves the unread bytes to the start of the window. Returns the address for new bytes. */
export function inputAt(partition: i32): usize {
  const decoder = boolDecoder(partition);
  const start = windowOf(partition);
  const at = load<usize>(decoder, INPUT);
  const end = load<usize>(decoder, END);
  const unread = end > at ? end - at : 0;
  memory.copy(start, at, unread);
  store<usize>(decoder, start, INPUT);
  store<usize>(decoder, start + unread, END);
  return start + unread;
}

/** Room in bytes at `inputAt`. */
export function inputRoom(partition: i32): usize {
  return windowOf(partition) + WINDOW_BYTES - load<usize>(boolDecoder(partition), END);
}

/** Accepts the `bytes` written at `inputAt`; `isLast` at the end of the partition. */
export function feed(partition: i32, bytes: usize, isLast: bool): void {
  const decoder = boolDecoder(partition);
  const end = load<usize>(decoder, END) + bytes;
  store<usize>(decoder, end, END);
  store<u32>(decoder, isLast ? 1 : 0, IS_LAST);
  memory.fill(end, 0, 16);
}
