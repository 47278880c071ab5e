/**
 * The small images before a picture: the numbers of a transform, or the map of prefix code groups (RFC 9649, 3.5 and 3.7.2.2).
 * Each is entropy-coded by a group of its own.
 */
import { mark, releaseTo, take } from "../arena";
import { isPastEnd, needsInput, readBits, STEP_BYTES_MAX } from "../bit-window";
import { tabulateColours } from "./colours";
import { keepGroups, numberGroups, pixelsBitsFor, readOneGroup } from "./group-map";
import { decodeRow, nextRow, PIXELS_READY, pixelRow, startPixels } from "./pixels";
import { GROUP_BYTES, limitTables } from "./prefix-codes";
import { DAMAGED, GO_ON, NEEDS_INPUT, TOO_COMPLEX } from "./status";
import { addTransform, COLOUR_INDEXING, keepNumbers, numbersBytes } from "./transforms";

/** What a small image is for: a kind of transform, or this. */
const GROUP_MAP: i32 = 4;

const colours: usize = memory.data(1024 + 64, 16);

let kind: i32 = 0;
let bits: i32 = 0;
let width: i32 = 0;
let rowsLeft: i32 = 0;
let start: usize = 0;
let next: usize = 0;
let before: usize = 0;
let tableBytesMax: usize = 0;

/** How many tiles of 2^`tileBits` pixels lie along so many pixels. */
export function tilesOf(pixels: i32, tileBits: i32): i32 {
  return (pixels + (1 << tileBits) - 1) >> tileBits;
}

/** Begins the image of a transform. False when there is no memory for its numbers. */
export function startNumbers(transform: i32, tileBits: i32, across: i32, down: i32): bool {
  const bytes = numbersBytes(transform, tileBits, across * down);
  return startImage(transform, tileBits, across, down, bytes);
}

/** Begins the map of groups over a picture. False when there is no memory for it. */
export function startMap(tileBits: i32, across: i32, down: i32): bool {
  return startImage(GROUP_MAP, tileBits, across, down, (<usize>(across * down)) << 1);
}

function startImage(purpose: i32, tileBits: i32, across: i32, down: i32, bytes: usize): bool {
  kind = purpose;
  bits = tileBits;
  width = across;
  rowsLeft = down;
  start = take(bytes);
  next = kind === COLOUR_INDEXING ? colours : start;
  return start !== 0;
}

export function isGroupMap(): bool {
  return kind === GROUP_MAP;
}

/** Of the image that was read last: 2^ this many pixels share a number. */
export function tileBitsOfImage(): i32 {
  return bits;
}

/** Bits of a colour cache, 0 without one, or -1. */
export function readCacheBits(): i32 {
  if (readBits(1) === 0) return 0;
  const cacheBits = <i32>readBits(4);
  return cacheBits >= 1 && cacheBits <= 11 ? cacheBits : -1;
}

/** Reads the image's group of codes, whose tables are gone when its pixels are read. */
export function readCodes(): i32 {
  if (needsInput(STEP_BYTES_MAX)) return NEEDS_INPUT;
  const cacheBits = readCacheBits();
  if (cacheBits < 0) return DAMAGED;
  before = mark();
  const group = take(GROUP_BYTES);
  if (group === 0) return TOO_COMPLEX;
  const status = readOneGroup(group, cacheBits, pixelsBitsFor(width * rowsLeft, 1));
  if (status === GO_ON) startPixels(width, rowsLeft, group, cacheBits);
  return status;
}

/** Reads the pixels and keeps what they say. */
export function readNumbers(): i32 {
  for (; rowsLeft > 0; rowsLeft--) {
    const status = decodeRow();
    if (status !== PIXELS_READY) return status;
    if (isPastEnd()) return DAMAGED;
    if (kind === GROUP_MAP) next = keepGroups(pixelRow(), width, next);
    else next = keepNumbers(kind, pixelRow(), width, next);
    nextRow();
  }
  releaseTo(before);
  limitTables(tableBytesMax);
  if (kind === GROUP_MAP) return numberGroups(start, next) ? GO_ON : TOO_COMPLEX;
  if (kind === COLOUR_INDEXING) tabulateColours(colours, width, start, bits);
  return addTransform(kind, bits, start) ? GO_ON : TOO_COMPLEX;
}

/** What the lookup tables of a picture may take, for each of its images. */
export function limitTablesOfImages(bytes: usize): void {
  tableBytesMax = bytes;
  limitTables(bytes);
}
