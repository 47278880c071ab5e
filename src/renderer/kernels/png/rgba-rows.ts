/** Rows of every colour type and bit depth as RGBA, or as the samples that are averaged. */
import { allocate } from "../allocator";
import {
  applyTransparentPixel,
  buildIndexTable,
  expandGrey,
  expandGreyAlpha,
  expandIndexes,
  expandRgb,
  narrowSamples,
} from "./expand-samples";

/** Bits of the flags of `start`. */
export const IS_INTERLACED: i32 = 1;
const HAS_COLOUR_TABLE: i32 = 2;
const HAS_TRANSPARENT_PIXEL: i32 = 4;

/** Address of the RGBA of each index (PLTE and tRNS, or the grey levels), which the caller writes. */
export const colourTable: usize = memory.data(1024, 16);
/** Address of the transparent pixel in stored form, which the caller writes. */
export const transparentPixel: usize = memory.data(16, 16);
const table: usize = memory.data(8192, 16);

let depth: i32 = 8;
let samples: i32 = 4;
let flags: i32 = 0;
/** Samples per pixel in averaged rows: 1 (grey), 3 (RGB) or 4 (RGBA). */
export let channels: i32 = 4;
/**
 * bpp of the filters: distance in bytes between a byte and the same byte of the pixel to its left (PNG specification,
 * third edition, 9.2).
 */
export let bpp: usize = 1;
let isTabulated: bool = false;
/** Whether all rows passed to `trackOpacity` were opaque. */
export let isExpandedOpaque: bool = true;
let narrowed: usize = 0;
/** Output address of `expandToRgba`. */
export let rgbaRow: usize = 0;

/**
 * Starts a picture. `longest` and `rgbaBytes` are the bytes of its longest row, stored and as RGBA. False when out of
 * memory.
 */
export function startExpansion(
  bitDepth: i32,
  samplesPerPixel: i32,
  flagBits: i32,
  longest: usize,
  rgbaBytes: usize,
): bool {
  depth = bitDepth;
  samples = samplesPerPixel;
  flags = flagBits;
  const isPlain = (flags & (IS_INTERLACED | HAS_COLOUR_TABLE | HAS_TRANSPARENT_PIXEL)) === 0 && samples !== 2;
  channels = isPlain ? samples : 4;
  bpp = max(1, <usize>(depth * samples) >> 3);
  isTabulated = false;
  isExpandedOpaque = true;
  narrowed = allocate(longest);
  rgbaRow = allocate(rgbaBytes);
  return narrowed !== 0 && rgbaRow !== 0;
}

/** Builds the index table once, after the caller wrote the colours. */
export function prepareColours(): void {
  if (!isTabulated && (flags & HAS_COLOUR_TABLE) !== 0) buildIndexTable(colourTable, depth, table);
  isTabulated = true;
}

/** Returns the address of the row's pixels with `channels` bytes each. */
export function asSamples(row: usize, pixels: i32): usize {
  if (channels === 4 && samples !== 4) {
    expandToRgba(row, pixels);
    return rgbaRow;
  }
  if (depth !== 16) return row;
  narrowSamples(row, narrowed, pixels * samples);
  return narrowed;
}

/** Expands a row to `rgbaRow`. */
export function expandToRgba(row: usize, pixels: i32): void {
  if (flags & HAS_COLOUR_TABLE) {
    expandIndexes(row, rgbaRow, pixels, depth, table);
    return;
  }
  let bytes = row;
  if (depth === 16) {
    narrowSamples(row, narrowed, pixels * samples);
    bytes = narrowed;
  }
  if (samples === 1) expandGrey(bytes, rgbaRow, pixels);
  else if (samples === 2) expandGreyAlpha(bytes, rgbaRow, pixels);
  else if (samples === 3) expandRgb(bytes, rgbaRow, pixels);
  else memory.copy(rgbaRow, bytes, (<usize>pixels) << 2);
  if (flags & HAS_TRANSPARENT_PIXEL) applyTransparentPixel(row, rgbaRow, pixels, transparentPixel, bpp);
}

/** Records whether the row at `rgbaRow` is opaque. */
export function trackOpacity(pixels: i32): void {
  let alphas: u32 = 0xff000000;
  const end = rgbaRow + ((<usize>pixels) << 2);
  for (let at = rgbaRow; at < end; at += 4) alphas &= load<u32>(at);
  if (alphas !== 0xff000000) isExpandedOpaque = false;
}
