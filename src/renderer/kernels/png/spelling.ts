/** Rows of any kind of PNG as the samples that are averaged, or as RGBA. */
import { take } from "../arena";
import {
  clearKey,
  narrowSamples,
  spellGrey,
  spellGreyAlpha,
  spellIndexes,
  spellRgb,
  tabulate,
} from "./samples";

/** How pixels are stored; bits of `start`'s flags. */
export const IS_INTERLACED: i32 = 1;
const HAS_COLOURS: i32 = 2;
const HAS_KEY: i32 = 4;

const colours: usize = memory.data(1024, 16);
const key: usize = memory.data(16, 16);
const table: usize = memory.data(8192, 16);

let depth: i32 = 8;
let samples: i32 = 4;
let flags: i32 = 0;
let channels: i32 = 4;
let pixelBytes: usize = 1;
let isTabulated: bool = false;
let isOpaqueSoFar: bool = true;
let narrowed: usize = 0;
let rgba: usize = 0;

/** Where the caller puts the RGBA of each index. */
export function coloursOfIndexes(): usize {
  return colours;
}

/** Where the caller puts the transparent pixel as it is stored. */
export function transparentPixel(): usize {
  return key;
}

/** Begins a picture whose longest row is of so many bytes and pixels. False when there is no memory. */
export function startSpelling(
  bitDepth: i32,
  samplesPerPixel: i32,
  flagBits: i32,
  longest: usize,
  rgbaBytes: usize,
): bool {
  depth = bitDepth;
  samples = samplesPerPixel;
  flags = flagBits;
  const isPlain = (flags & (IS_INTERLACED | HAS_COLOURS | HAS_KEY)) === 0 && samples !== 2;
  channels = isPlain ? samples : 4;
  pixelBytes = max(1, <usize>(depth * samples) >> 3);
  isTabulated = false;
  isOpaqueSoFar = true;
  narrowed = take(longest);
  rgba = take(rgbaBytes);
  return narrowed !== 0 && rgba !== 0;
}

/** Bytes a pixel that rows are averaged with: 1, 3 or 4. */
export function channelsOfSamples(): i32 {
  return channels;
}

/** Bytes from a pixel to the one that filters compare it with. */
export function bytesOfPixel(): usize {
  return pixelBytes;
}

/** Makes use of the caller's colours, which are there by the first row. */
export function tabulateColours(): void {
  if (!isTabulated && (flags & HAS_COLOURS) !== 0) tabulate(colours, depth, table);
  isTabulated = true;
}

/** A row with `channels` bytes a pixel. */
export function asSamples(row: usize, pixels: i32): usize {
  if (channels === 4 && samples !== 4) {
    spell(row, pixels);
    return rgba;
  }
  if (depth !== 16) return row;
  narrowSamples(row, narrowed, pixels * samples);
  return narrowed;
}

/** Writes a row to `rgbaRow`. */
export function spell(row: usize, pixels: i32): void {
  if (flags & HAS_COLOURS) {
    spellIndexes(row, rgba, pixels, depth, table);
    return;
  }
  let bytes = row;
  if (depth === 16) {
    narrowSamples(row, narrowed, pixels * samples);
    bytes = narrowed;
  }
  if (samples === 1) spellGrey(bytes, rgba, pixels);
  else if (samples === 2) spellGreyAlpha(bytes, rgba, pixels);
  else if (samples === 3) spellRgb(bytes, rgba, pixels);
  else memory.copy(rgba, bytes, (<usize>pixels) << 2);
  if (flags & HAS_KEY) clearKey(row, rgba, pixels, key, pixelBytes);
}

/** Where `spell` writes. */
export function rgbaRow(): usize {
  return rgba;
}

/** Remembers whether the row that was spelt is opaque. */
export function noteAlpha(pixels: i32): void {
  let alphas: u32 = 0xff000000;
  const end = rgba + ((<usize>pixels) << 2);
  for (let at = rgba; at < end; at += 4) alphas &= load<u32>(at);
  if (alphas !== 0xff000000) isOpaqueSoFar = false;
}

/** Whether all rows were opaque whose alpha was noted. */
export function isEveryNotedOpaque(): bool {
  return isOpaqueSoFar;
}
