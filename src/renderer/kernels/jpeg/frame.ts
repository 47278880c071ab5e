import { DAMAGED, DONE, edgeIndex, freeAll, reserve, ZIGZAG } from "./layout.ts";

/** The picture: its size, the scale it is made at, and a record for each component. */
export const COMPONENTS_MAX: i32 = 4;

const RECORD_BYTES: i32 = 128;
const RECORDS: usize = memory.data(4 * 128, 16);

/* Fields of a record, in bytes from its start. */
export const ACROSS: usize = 0; // sampling factors (T.81, A.1.1)
export const DOWN: usize = 4;
export const QUANTISATION: usize = 8; // number of its table
export const EDGE: usize = 12; // samples a block's edge is reduced to: 1, 2, 4, 8
export const BLOCKS_ACROSS: usize = 16; // that hold some of the picture
export const BLOCKS_DOWN: usize = 20;
export const ROW_BLOCKS: usize = 24; // of whole units
export const WIDTH: usize = 28; // samples that are some of the picture
export const HEIGHT: usize = 32;
export const LINE_BYTES: usize = 36;
export const LINES: usize = 40; // address of two rows of units, which take turns
export const UNIT_LINES: usize = 44;
export const PLANE: usize = 48; // address of the kept coefficients; 0 when they are not held
export const MASKS: usize = 52; // address of a bit for each coefficient: whether it is not zero
export const BLOCK_BYTES: usize = 56; // kept of one block
export const IS_STEPPED: usize = 60; // whether STEPS are set
export const DC_TABLE: usize = 64;
export const AC_TABLE: usize = 68;
export const PREDICTION: usize = 72;
export const UPSAMPLED: usize = 76; // address of one line at the picture's width
export const STEPS: usize = 80; // address of the quantisation steps of what is kept

export let components: i32 = 0;
export let width: i32 = 0;
export let height: i32 = 0;
/** Sampling factors that the units have. */
export let acrossMax: i32 = 1;
export let downMax: i32 = 1;
export let unitsAcross: i32 = 0;
export let unitsDown: i32 = 0;
/** Samples a full block's edge is reduced to. */
export let edge: i32 = 8;
/** The reduced picture. */
export let outWidth: i32 = 0;
export let outHeight: i32 = 0;

/** Whether coefficients are held until the last scan, and whether they are refined by scans. */
export let isHeld: bool = false;
export let isProgressive: bool = false;

const QUANTISATION_TABLES: usize = memory.data(4 * 128, 16);
let definedQuantisations: i32 = 0;

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

/** Forgets the picture before. */
export function beginFrame(
  newWidth: i32,
  newHeight: i32,
  newComponents: i32,
  newEdge: i32,
  holds: bool,
  refines: bool,
): void {
  freeAll();
  memory.fill(RECORDS, 0, COMPONENTS_MAX * RECORD_BYTES);
  definedQuantisations = 0;
  width = newWidth;
  height = newHeight;
  components = newComponents;
  edge = newEdge;
  isHeld = holds;
  isProgressive = refines;
  acrossMax = 1;
  downMax = 1;
}

export function setComponent(index: i32, across: i32, down: i32, quantisation: i32, reducedEdge: i32): void {
  const record = recordOf(index);
  store<i32>(record + ACROSS, across);
  store<i32>(record + DOWN, down);
  store<i32>(record + QUANTISATION, quantisation & 3);
  store<i32>(record + EDGE, reducedEdge);
  acrossMax = max(acrossMax, across);
  downMax = max(downMax, down);
}

/** Reserves what the components need. False when the platform has no such memory. */
export function layOutFrame(): bool {
  unitsAcross = ceilDivide(width, 8 * acrossMax);
  unitsDown = ceilDivide(height, 8 * downMax);
  outWidth = ceilDivide(width * edge, 8);
  outHeight = ceilDivide(height * edge, 8);
  for (let index: i32 = 0; index < components; index++) {
    const record = recordOf(index);
    const across = field(record, ACROSS);
    const down = field(record, DOWN);
    const reduced = field(record, EDGE);
    store<i32>(record + BLOCKS_ACROSS, ceilDivide(ceilDivide(width * across, acrossMax), 8));
    store<i32>(record + BLOCKS_DOWN, ceilDivide(ceilDivide(height * down, downMax), 8));
    store<i32>(record + ROW_BLOCKS, unitsAcross * across);
    store<i32>(record + WIDTH, ceilDivide(width * across * reduced, acrossMax * 8));
    store<i32>(record + HEIGHT, ceilDivide(height * down * reduced, downMax * 8));
    // Whole vectors are read from a line's end.
    const lineBytes = unitsAcross * across * reduced + 32;
    store<i32>(record + LINE_BYTES, lineBytes);
    store<i32>(record + UNIT_LINES, down * reduced);
    store<i32>(record + BLOCK_BYTES, reduced * reduced * 2);
    const lines = reserve(usize(lineBytes * down * reduced * 2));
    const upsampled = reserve(usize(outWidth + 64));
    const steps = reserve(128);
    if (lines === 0 || upsampled === 0 || steps === 0) return false;
    store<usize>(record + LINES, lines);
    store<usize>(record + UPSAMPLED, upsampled);
    store<usize>(record + STEPS, steps);
    if (!isHeld) continue;
    const blocks = unitsAcross * across * unitsDown * down;
    const plane = reserve(usize(blocks * reduced * reduced * 2));
    if (plane === 0) return false;
    store<usize>(record + PLANE, plane);
    if (!isProgressive) continue;
    const masks = reserve(usize(blocks * 8));
    if (masks === 0) return false;
    store<usize>(record + MASKS, masks);
  }
  return true;
}

/** Reads a segment of quantisation tables (T.81, B.2.4.1). */
export function defineQuantisations(from: usize, length: i32): i32 {
  let at = from;
  const end = from + usize(length);
  while (at < end) {
    const wide = i32(load<u8>(at)) >> 4;
    const destination = i32(load<u8>(at)) & 15;
    at++;
    if (wide > 1 || destination > 3 || at + usize(64 << wide) > end) return DAMAGED;
    const table = QUANTISATION_TABLES + usize(destination * 128);
    for (let index: i32 = 0; index < 64; index++) {
      const step = wide ? bswap<u16>(load<u16>(at)) : u16(load<u8>(at));
      store<u16>(table + (usize(load<u8>(ZIGZAG + index)) << 1), step);
      at += 1 + wide;
    }
    definedQuantisations |= 1 << destination;
  }
  return DONE;
}

/** Keeps the steps that hold when a component's first scan begins; later ones are for others. */
export function keepSteps(record: usize): bool {
  if (field(record, IS_STEPPED)) return true;
  const number = field(record, QUANTISATION);
  if (!((definedQuantisations >> number) & 1)) return false;
  const table = QUANTISATION_TABLES + usize(number * 128);
  const steps = address(record, STEPS);
  const reduced = field(record, EDGE);
  const shift = edgeIndex(reduced);
  for (let index: i32 = 0; index < reduced * reduced; index++) {
    const place = ((index >> shift) << 3) | (index & (reduced - 1));
    store<u16>(steps + (index << 1), load<u16>(table + (place << 1)));
  }
  store<i32>(record + IS_STEPPED, 1);
  return true;
}
