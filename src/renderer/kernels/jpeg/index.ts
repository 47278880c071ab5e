/*
 * Decodes sequential and progressive Huffman-coded JPEG (ITU-T T.81) at full or reduced size, row by row.
 *
 * The caller walks the marker segments and passes the body of each DQT, DHT, DRI and SOS to its function. Entropy-coded
 * data goes in chunks through the input window. The caller has checked the frame's size, its sampling factors (1 to 4)
 * and the DCT sizes (1, 2, 4, 8).
 */
import { beginInput } from "./bit-reader.ts";
import { beginFrame, layOutFrame, readDqt as readDqtAt } from "./frame.ts";
import { clearTables, readDht as readDhtAt } from "./huffman.ts";
import { DAMAGED, DONE, fillKeptOffsets, WINDOW } from "./memory.ts";
import { layOutRows, outRowCount, outRows } from "./output-rows.ts";
import { clearScanComponents, setRestartInterval } from "./scan.ts";

/**
 * `inputRoom` returns how many bytes of the scan fit at `inputAt`. It moves the unread bytes, so call it first; then
 * `feed` with the number of bytes written.
 */
export { feed, inputAt, inputRoom } from "./bit-reader";
export { setComponent } from "./frame";
export { beginBuffered, readBuffered } from "./output-rows";
export { addScanComponent, beginScan, clearScanComponents, readScan, setRestartInterval } from "./scan";

/** Starts a picture. `isBufferedFrame`: it has several scans, so coefficients are kept until the last. */
export function begin(
  width: i32,
  height: i32,
  components: i32,
  dctSize: i32,
  isBufferedFrame: bool,
  isProgressiveFrame: bool,
): void {
  fillKeptOffsets();
  clearTables();
  setRestartInterval(0);
  clearScanComponents();
  beginFrame(width, height, components, dctSize, isBufferedFrame, isProgressiveFrame);
}

/** Allocates memory, after the last `setComponent`. */
export function layOut(colours: i32, factor: i32): i32 {
  return layOutFrame() && layOutRows(colours, factor) ? DONE : DAMAGED;
}

/** Address at which the caller writes the body of a DQT or DHT segment before it calls `readDqt` or `readDht`. */
export function segmentAt(): usize {
  beginInput();
  return WINDOW;
}

export function readDqt(length: i32): i32 {
  return readDqtAt(WINDOW, length);
}

export function readDht(length: i32): i32 {
  return readDhtAt(WINDOW, length) ? DONE : DAMAGED;
}

/** Address and number of the latest rows, four bytes a pixel. */
export function rowsAt(): usize {
  return outRows;
}

export function rowsReady(): i32 {
  return outRowCount;
}
