/**
 * The sub-resolution images before the pixels of a picture: predictor image, color transform image, color table (RFC
 * 9649, 3.5) and entropy image (3.7.2.2). Each has its own single prefix code group.
 */

import { allocate, allocationMark, freeTo } from "../allocator";
import { isPastEnd, needsInput, readBits, STEP_BYTES_MAX } from "../bit-reader";
import { buildColourTable } from "./colour-transforms";
import { keepMetaPrefixCodes, packedBitsFor, renumberGroups } from "./entropy-image";
import { decodeRow, nextRow, rowStart, startPixels } from "./image-data";
import { GROUP_BYTES, limitTables, readGroup } from "./prefix-codes";
import { DAMAGED, GO_ON, NEEDS_INPUT, READY, TOO_COMPLEX } from "./status";
import { addTransform, COLOUR_INDEXING, keepTransformData, transformDataBytes } from "./transforms";

/** Value of `kind` for an entropy image; the other values are kinds of transforms. */
export const ENTROPY_IMAGE: i32 = 4;

const colours: usize = memory.data(1024 + 64, 16);

/** The current image's purpose and block bits. */
export let kind: i32 = 0;
export let bits: i32 = 0;
let width: i32 = 0;
let rowsLeft: i32 = 0;
let start: usize = 0;
let next: usize = 0;
let allocationMarkBefore: usize = 0;
let tableBytesMax: usize = 0;

/** DIV_ROUND_UP: the number of blocks, `1 << blockBits` pixels wide or high, that cover `pixels`. */
export function blocksAcross(pixels: i32, blockBits: i32): i32 {
  return (pixels + (1 << blockBits) - 1) >> blockBits;
}

/** Starts the image of a transform. False when out of memory for its data. */
export function startTransformImage(transform: i32, blockBits: i32, across: i32, down: i32): bool {
  const bytes = transformDataBytes(transform, blockBits, across * down);
  return startImage(transform, blockBits, across, down, bytes);
}

/** Starts an entropy image. False when out of memory. */
export function startEntropyImage(blockBits: i32, across: i32, down: i32): bool {
  return startImage(ENTROPY_IMAGE, blockBits, across, down, (<usize>(across * down)) << 1);
}

function startImage(purpose: i32, blockBits: i32, across: i32, down: i32, bytes: usize): bool {
  kind = purpose;
  bits = blockBits;
  width = across;
  rowsLeft = down;
  start = allocate(bytes);
  next = kind === COLOUR_INDEXING ? colours : start;
  return start !== 0;
}

/** Bits of the color cache, 0 without one, -1 when damaged. */
export function readCacheBits(): i32 {
  if (readBits(1) === 0) return 0;
  const cacheBits = <i32>readBits(4);
  return cacheBits >= 1 && cacheBits <= 11 ? cacheBits : -1;
}

/** Reads the prefix code group of the image. Its tables are freed after the pixels. */
export function readSubImageCodes(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  const cacheBits = readCacheBits();
  if (cacheBits < 0) return DAMAGED;
  allocationMarkBefore = allocationMark();
  const group = allocate(GROUP_BYTES);
  if (group === 0) return TOO_COMPLEX;
  const status = readGroup(group, cacheBits, packedBitsFor(width * rowsLeft, 1));
  if (status === GO_ON) startPixels(width, rowsLeft, group, cacheBits);
  return status;
}

/** Reads the pixels and stores their data. After `NEEDS_INPUT`, the next call continues in the same row. */
export function readSubImagePixels(): i32 {
  for (; rowsLeft > 0; rowsLeft--) {
    const status = decodeRow();
    if (status !== READY) return status;
    if (isPastEnd()) return DAMAGED;
    if (kind === ENTROPY_IMAGE) next = keepMetaPrefixCodes(rowStart, width, next);
    else next = keepTransformData(kind, rowStart, width, next);
    nextRow();
  }
  freeTo(allocationMarkBefore);
  limitTables(tableBytesMax);
  if (kind === ENTROPY_IMAGE) return renumberGroups(start, next) ? GO_ON : TOO_COMPLEX;
  if (kind === COLOUR_INDEXING) buildColourTable(colours, width, start, bits);
  return addTransform(kind, bits, start) ? GO_ON : TOO_COMPLEX;
}

/** Limits the lookup tables of each sub-image, and of the picture itself, to `bytes`. */
export function limitTablesOfImages(bytes: usize): void {
  tableBytesMax = bytes;
  limitTables(bytes);
}
