/**
 * The transforms of a picture in the order of the file (RFC 9649, 3.5). Their inverses run in reverse order, row by
 * row.
 */
import { allocate } from "../allocator";
import { undoColourIndexing, undoColourTransform, undoSubtractGreen } from "./colour-transforms";
import { predictFirstRow, predictRow } from "./predictors";

export const PREDICTOR: i32 = 0;
export const CROSS_COLOUR: i32 = 1;
export const SUBTRACT_GREEN: i32 = 2;
export const COLOUR_INDEXING: i32 = 3;

/** Vector stores and bundled indexes write past the end of a row. */
const ROW_SLACK_BYTES: usize = 64;

/* The record of a transform: kind, block or bundling bits, width of its rows, address of its data, and two output rows. */
const TRANSFORM_BYTES: usize = 32;
const KIND: usize = 0;
const BITS: usize = 4;
const WIDTH: usize = 8;
const DATA: usize = 12;
const ROW: usize = 16;
const OTHER_ROW: usize = 20;

const transforms: usize = memory.data(128, 16);
let count: i32 = 0;
/** A bit for each kind of transform so far. */
export let kindsSeen: i32 = 0;
/** Width of the coded rows, after the transforms so far: color indexing bundles pixels. */
export let codedWidth: i32 = 0;
let y: i32 = 0;

export function startTransforms(width: i32): void {
  count = 0;
  kindsSeen = 0;
  codedWidth = width;
  y = 0;
}

/** Whether this kind of transform is still allowed; each may occur once. */
export function mayAdd(kind: i32): bool {
  return (kindsSeen & (1 << kind)) === 0;
}

/** Bytes of data of a transform of this kind whose image has `pixels` pixels. */
export function transformDataBytes(kind: i32, bits: i32, pixels: i32): usize {
  if (kind === PREDICTOR) return <usize>pixels;
  return kind === CROSS_COLOUR ? (<usize>pixels) << 2 : (<usize>1024) << bits;
}

/** Adds a transform. False when out of memory. */
export function addTransform(kind: i32, bits: i32, numbers: usize): bool {
  kindsSeen |= 1 << kind;
  const transform = transforms + <usize>count * TRANSFORM_BYTES;
  const rowBytes = ((<usize>codedWidth) << 2) + ROW_SLACK_BYTES;
  const rows = allocate(rowBytes * 2);
  if (rows === 0) return false;
  store<i32>(transform, kind, KIND);
  store<i32>(transform, bits, BITS);
  store<i32>(transform, codedWidth, WIDTH);
  store<usize>(transform, numbers, DATA);
  store<usize>(transform, rows, ROW);
  store<usize>(transform, rows + rowBytes, OTHER_ROW);
  count++;
  if (kind === COLOUR_INDEXING) codedWidth = (codedWidth + (1 << bits) - 1) >> bits;
  return true;
}

/**
 * Stores a row of a transform's image at `at`: predictor modes as bytes, other data as pixels. Returns the address for
 * the next row.
 */
export function keepTransformData(kind: i32, row: usize, width: i32, at: usize): usize {
  if (kind !== PREDICTOR) {
    memory.copy(at, row, (<usize>width) << 2);
    return at + ((<usize>width) << 2);
  }
  for (let x = 0; x < width; x++) store<u8>(at + x, load<u8>(row + ((<usize>x) << 2), 1) & 15);
  return at + width;
}

/** Runs the inverse transforms on the next coded row. Returns the address of its ARGB words. */
export function undoTransforms(stored: usize): usize {
  let from = stored;
  for (let index = count - 1; index >= 0; index--) {
    from = undo(transforms + <usize>index * TRANSFORM_BYTES, from);
  }
  y++;
  return from;
}

function undo(transform: usize, from: usize): usize {
  const bits = load<i32>(transform, BITS);
  const width = load<i32>(transform, WIDTH);
  const numbers = load<usize>(transform, DATA);
  const to = load<usize>(transform, ROW);
  const blockGroups = (width + (1 << bits) - 1) >> bits;
  switch (load<i32>(transform, KIND)) {
    case PREDICTOR: {
      const above = load<usize>(transform, OTHER_ROW);
      if (y === 0) predictFirstRow(from, to, width);
      else predictRow(from, to, above, width, numbers + <usize>(y >> bits) * <usize>blockGroups, bits);
      store<usize>(transform, above, ROW);
      store<usize>(transform, to, OTHER_ROW);
      break;
    }
    case CROSS_COLOUR:
      undoColourTransform(from, to, width, numbers + ((<usize>(y >> bits) * <usize>blockGroups) << 2), bits);
      break;
    case SUBTRACT_GREEN:
      undoSubtractGreen(from, to, width);
      break;
    default:
      undoColourIndexing(from, to, width, numbers, bits);
  }
  return to;
}
