import { boolDecoder, END, INPUT, IS_LAST, PARTITIONS, startBoolDecoder } from "./boolean-decoder";

/** Each partition has an input window that the caller refills. A macroblock row reads from the first and a token partition. */
const WINDOW_BYTES: usize = 65_536;

/** More than the frame header or a macroblock can read past the end of a window. `isPastEnd` is tested only after them. */
const SLACK_BYTES: usize = 16_384;

/**
 * More than a macroblock takes: 400 coefficients of at most 19 bools, and a header of at most 150 bools. A bool takes at
 * most 7 bits. The decoder reads 8 bytes ahead.
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

/** Moves the unread bytes to the start of the window. Returns where the next bytes go. */
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

/** How many bytes fit at `inputAt`. */
export function inputRoom(partition: i32): usize {
  return windowOf(partition) + WINDOW_BYTES - load<usize>(boolDecoder(partition), END);
}

/** `bytes` were written at `inputAt`; `isLast` at the end of the partition. */
export function feed(partition: i32, bytes: usize, isLast: bool): void {
  const decoder = boolDecoder(partition);
  const end = load<usize>(decoder, END) + bytes;
  store<usize>(decoder, end, END);
  store<u32>(decoder, isLast ? 1 : 0, IS_LAST);
  memory.fill(end, 0, 16);
}
