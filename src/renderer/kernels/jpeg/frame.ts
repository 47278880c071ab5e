import { DAMAGED, DONE, dctSizeLog2, freeMemory, reserve, ZZ } from "./memory.ts";

/** The frame: its size, the DCT size it is decoded at, and a record for each component. */
export const COMPONENTS_MAX: i32 = 4;

const RECORD_BYTES: i32 = 128;
const RECORDS: usize = memory.data(4 * 128, 16);

/* Fields of a record, in bytes from its start. */
export const H: usize = 0; // sampling factors Hi and Vi (T.81, A.1.1)
export const V: usize = 4;
export const TQ: usize = 8; // quantisation table selector Tqi
export const DCT_SIZE: usize = 12; // size of the inverse DCT: a block becomes 1, 2, 4 or 8 samples wide and high
export const BLOCKS_PER_LINE: usize = 16; // blocks, without those that only complete an MCU
export const BLOCK_LINES: usize = 20;
export const ROW_BLOCKS: usize = 24; // blocks per line, with those that complete an MCU
export const WIDTH: usize = 28; // size in samples inside the picture
export const HEIGHT: usize = 32;
export const LINE_BYTES: usize = 36;
export const LINES: usize = 40; // address of the samples of two rows of MCUs, which are used in turn
export const MCU_LINES: usize = 44;
export const COEFFICIENTS: usize = 48; // address of the kept coefficients; 0 when they are not buffered
export const NONZERO_MASKS: usize = 52; // address of 64 bits a block: which coefficients are not zero, by zig-zag index
export const BLOCK_BYTES: usize = 56; // bytes of the kept coefficients of one block
export const HAS_QUANTISERS: usize = 60; // whether the table at QUANTISERS is set
export const DC_TABLE: usize = 64;
export const AC_TABLE: usize = 68;
export const PRED: usize = 72;
export const UPSAMPLED: usize = 76; // address of one line at the output's width
export const QUANTISERS: usize = 80; // address of the quantisation table elements of the kept coefficients

export let components: i32 = 0;
export let width: i32 = 0;
export let height: i32 = 0;
/** Hmax and Vmax (T.81, A.1.1). */
export let hMax: i32 = 1;
export let vMax: i32 = 1;
export let mcusPerRow: i32 = 0;
export let mcuRows: i32 = 0;
/** Size of the inverse DCT of a component that is not subsampled. */
export let dctSize: i32 = 8;
/** Size of the picture at that DCT size: `dctSize` / 8 of the frame's. */
export let outWidth: i32 = 0;
export let outHeight: i32 = 0;

/** Whether coefficients are buffered until the last scan; whether the frame is SOF2. */
export let isBuffered: bool = false;
export let isProgressive: bool = false;

const QUANTISATION_TABLES: usize = memory.data(4 * 128, 16);
let definedTables: i32 = 0;

export function recordOf(index: i32): usize {
  return RECORDS + usize(index * RECORD_BYTES);
}

export function field(record: usize, name: usize): i32 {
  return load<i32>(record + name);
}

export function address(record: usize, name: usize): usize {
  return load<usize>(record + name);
}

export function ceilDivide(value: i32, by: i32): i32 {
  return (value + by - 1) / by;
}

/** Starts a frame and discards the previous one. */
export function beginFrame(
  newWidth: i32,
  newHeight: i32,
  newComponents: i32,
  newDctSize: i32,
  isBufferedFrame: bool,
  isProgressiveFrame: bool,
): void {
  freeMemory();
  memory.fill(RECORDS, 0, COMPONENTS_MAX * RECORD_BYTES);
  definedTables = 0;
  width = newWidth;
  height = newHeight;
  components = newComponents;
  dctSize = newDctSize;
  isBuffered = isBufferedFrame;
  isProgressive = isProgressiveFrame;
  hMax = 1;
  vMax = 1;
}

export function setComponent(index: i32, h: i32, v: i32, tq: i32, componentDctSize: i32): void {
  const record = recordOf(index);
  store<i32>(record + H, h);
  store<i32>(record + V, v);
  store<i32>(record + TQ, tq & 3);
  store<i32>(record + DCT_SIZE, componentDctSize);
  hMax = max(hMax, h);
  vMax = max(vMax, v);
}

/** Allocates the components' buffers. False when out of memory. */
export function layOutFrame(): bool {
  mcusPerRow = ceilDivide(width, 8 * hMax);
  mcuRows = ceilDivide(height, 8 * vMax);
  outWidth = ceilDivide(width * dctSize, 8);
  outHeight = ceilDivide(height * dctSize, 8);
  for (let index: i32 = 0; index < components; index++) {
    const record = recordOf(index);
    const h = field(record, H);
    const v = field(record, V);
    const size = field(record, DCT_SIZE);
    store<i32>(record + BLOCKS_PER_LINE, ceilDivide(ceilDivide(width * h, hMax), 8));
    store<i32>(record + BLOCK_LINES, ceilDivide(ceilDivide(height * v, vMax), 8));
    store<i32>(record + ROW_BLOCKS, mcusPerRow * h);
    store<i32>(record + WIDTH, ceilDivide(width * h * size, hMax * 8));
    store<i32>(record + HEIGHT, ceilDivide(height * v * size, vMax * 8));
    // Vector loads reach past the end of a line.
    const lineBytes = mcusPerRow * h * size + 32;
    store<i32>(record + LINE_BYTES, lineBytes);
    store<i32>(record + MCU_LINES, v * size);
    store<i32>(record + BLOCK_BYTES, size * size * 2);
    const lines = reserve(usize(lineBytes * v * size * 2));
    const upsampled = reserve(usize(outWidth + 64));
    const quantisers = reserve(128);
    if (lines === 0 || upsampled === 0 || quantisers === 0) return false;
    store<usize>(record + LINES, lines);
    store<usize>(record + UPSAMPLED, upsampled);
    store<usize>(record + QUANTISERS, quantisers);
    if (!isBuffered) continue;
    const blocks = mcusPerRow * h * mcuRows * v;
    const coefficients = reserve(usize(blocks * size * size * 2));
    if (coefficients === 0) return false;
    store<usize>(record + COEFFICIENTS, coefficients);
    if (!isProgressive) continue;
    const masks = reserve(usize(blocks * 8));
    if (masks === 0) return false;
    store<usize>(record + NONZERO_MASKS, masks);
  }
  return true;
}

/** Reads the body of a DQT segment (T.81, B.2.4.1). */
export function readDqt(from: usize, length: i32): i32 {
  let at = from;
  const end = from + usize(length);
  while (at < end) {
    const pq = i32(load<u8>(at)) >> 4;
    const tq = i32(load<u8>(at)) & 15;
    at++;
    if (pq > 1 || tq > 3 || at + usize(64 << pq) > end) return DAMAGED;
    const table = QUANTISATION_TABLES + usize(tq * 128);
    for (let index: i32 = 0; index < 64; index++) {
      const q = pq ? bswap<u16>(load<u16>(at)) : u16(load<u8>(at));
      store<u16>(table + (usize(load<u8>(ZZ + index)) << 1), q);
      at += 1 + pq;
    }
    definedTables |= 1 << tq;
  }
  return DONE;
}

/** Copies the table in force at a component's first scan, because a later DQT may replace it for other components. */
export function keepQuantisers(record: usize): bool {
  if (field(record, HAS_QUANTISERS)) return true;
  const number = field(record, TQ);
  if (!((definedTables >> number) & 1)) return false;
  const table = QUANTISATION_TABLES + usize(number * 128);
  const quantisers = address(record, QUANTISERS);
  const size = field(record, DCT_SIZE);
  const shift = dctSizeLog2(size);
  for (let index: i32 = 0; index < size * size; index++) {
    const place = ((index >> shift) << 3) | (index & (size - 1));
    store<u16>(quantisers + (index << 1), load<u16>(table + (place << 1)));
  }
  store<i32>(record + HAS_QUANTISERS, 1);
  return true;
}
