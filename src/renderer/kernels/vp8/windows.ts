import { AT, END, IS_LAST, PARTITIONS, readerOf, startReader } from "./bits";

/** Compressed bytes come in windows, one a partition; a row of macroblocks reads from two of them. */
const WINDOW_BYTES: usize = 65_536;

/** More than a frame header's or a macroblock's reads can take past a window's end, which fails after them. */
const SLACK_BYTES: usize = 16_384;

/**
 * What one macroblock can take: 400 coefficients of up to 19 bools; 150 bools of modes. A bool takes at most 7 bits.
 * The decoder itself reads 8 bytes ahead.
 */
export const TOKEN_BYTES_MAX: usize = 8192;
export const MODE_BYTES_MAX: usize = 256;

export const WINDOWS_BYTES: usize = <usize>PARTITIONS * (WINDOW_BYTES + SLACK_BYTES);

let windows: usize = 0;

export function startWindows(at: usize): void {
  windows = at;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    startReader(readerOf(partition), windowOf(partition));
  }
}

function windowOf(partition: i32): usize {
  return windows + <usize>partition * (WINDOW_BYTES + SLACK_BYTES);
}

/** Moves what is unread to the window's start; gives the address behind it, where more bytes go. */
export function makeRoom(partition: i32): usize {
  const reader = readerOf(partition);
  const start = windowOf(partition);
  const at = load<usize>(reader, AT);
  const end = load<usize>(reader, END);
  const unread = end > at ? end - at : 0;
  memory.copy(start, at, unread);
  store<usize>(reader, start, AT);
  store<usize>(reader, start + unread, END);
  return start + unread;
}

/** Bytes that fit behind `makeRoom`'s address. */
export function roomOf(partition: i32): usize {
  return windowOf(partition) + WINDOW_BYTES - load<usize>(readerOf(partition), END);
}

/** Says that `bytes` were written at `makeRoom`'s address. */
export function take(partition: i32, bytes: usize, isLast: bool): void {
  const reader = readerOf(partition);
  const end = load<usize>(reader, END) + bytes;
  store<usize>(reader, end, END);
  store<u32>(reader, isLast ? 1 : 0, IS_LAST);
  memory.fill(end, 0, 16);
}
