import type { Raster } from "../types.ts";
import { addToHistogram, createHistogram, flatColours } from "./colour-histogram.ts";
import { choosePalette, type Palette, paletteMatcher } from "./colour-quantiser.ts";
import { PALETTE_SIZES, SAME_LOOK_PSNR_DB, SMALL_TRUECOLOUR_SHARE_MIN } from "./limits.ts";
import { deflate, indexDepth, packIndices, pngChunk, pngFile } from "./png-chunk-writer.ts";
import { deflateTruecolour } from "./png-filter.ts";

export interface PngAttempt {
  readonly bytes: Uint8Array;
  /** Whether the PNG has visibly fewer colours than the picture. */
  readonly isReduced: boolean;
}

/**
 * The best PNG within the cap; if none fits, the smallest acceptable one. Lossless if that fits, in truecolour or with
 * a palette of all the picture's colours; else dithered, in as many colours as fit.
 */
export function encodePng(raster: Raster, byteCap: number | null): PngAttempt {
  const isWithinCap = ({ bytes }: PngAttempt) => byteCap === null || bytes.length <= byteCap;
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const flat = flatColours(histogram);
  const inColours = (size: number): PngAttempt => {
    const palette = choosePalette(histogram, size);
    const indices = diffuseErrors(raster, palette, flat);
    const isReduced = size < PALETTE_SIZES[0] || smoothedPsnr(raster, indices, palette) < SAME_LOOK_PSNR_DB;
    return { bytes: writePalette(raster.width, raster.height, indices, palette), isReduced };
  };

  let smallest: PngAttempt = { bytes: writeTruecolour(raster, "quick"), isReduced: false };
  const areColoursFew = histogram.exact !== null && histogram.exact.size <= PALETTE_SIZES[0];
  if (areColoursFew) smallest = smallerOf(smallest, inColours(PALETTE_SIZES[0]));
  if (isWithinCap(smallest)) return smallest;
  if (smallest.bytes.length * SMALL_TRUECOLOUR_SHARE_MIN <= (byteCap ?? 0)) {
    smallest = smallerOf(smallest, { bytes: writeTruecolour(raster, "small"), isReduced: false });
  }
  for (const size of PALETTE_SIZES) {
    if (isWithinCap(smallest)) return smallest;
    smallest = smallerOf(smallest, inColours(size));
  }
  return smallest;
}

const smallerOf = (left: PngAttempt, right: PngAttempt): PngAttempt =>
  right.bytes.length < left.bytes.length ? right : left;

/** A lossless PNG of a picture with straight alpha. */
export const encodeTransparentPng = (raster: Raster): Uint8Array => writeTruecolour(raster, "small");

function writeTruecolour(raster: Raster, effort: "quick" | "small"): Uint8Array {
  const { width, height } = raster;
  const pixels = pngChunk("IDAT", deflateTruecolour(raster, effort));
  return pngFile(width, height, raster.alpha === "opaque" ? "rgb" : "rgba", [pixels]);
}

function writePalette(width: number, height: number, indices: Uint8Array, palette: Palette): Uint8Array {
  const depth = indexDepth(palette.length / 3);
  const pixels = pngChunk("IDAT", deflate(packIndices(indices, width, height, depth)));
  return pngFile(width, height, depth, [pngChunk("PLTE", palette), pixels]);
}

/**
 * Peak signal-to-noise ratio, in decibels, between the 3 × 3 means of a picture and of its palette version: the eye
 * averages dithering noise away, but not banding and lost colours. Infinite when equal.
 */
function smoothedPsnr({ width, height, pixels }: Raster, indices: Uint8Array, palette: Palette): number {
  let squares = 0;
  // Sums of three neighbours' differences along the last three rows, in rotation.
  const one = new Int32Array(width * 3);
  const two = new Int32Array(width * 3);
  const three = new Int32Array(width * 3);
  for (let y = 0; y < height; y++) {
    const latest = y % 3 === 0 ? one : y % 3 === 1 ? two : three;
    sumAlongRow(pixels, indices, palette, y * width, latest);
    if (y < 2) continue;
    for (let at = 0; at < width * 3; at++) {
      const mean = ((one[at] ?? 0) + (two[at] ?? 0) + (three[at] ?? 0)) / 9;
      squares += mean * mean;
    }
  }
  const count = Math.max(1, (height - 2) * width * 3);
  return squares === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((255 * 255 * count) / squares);
}

/** Fills `sums` for the row whose first pixel is `start`; past its ends the difference is 0. */
function sumAlongRow(
  pixels: Uint8ClampedArray,
  indices: Uint8Array,
  palette: Palette,
  start: number,
  sums: Int32Array,
): void {
  const end = start + sums.length / 3;
  for (let channel = 0; channel < 3; channel++) {
    const differenceAt = (pixel: number): number =>
      (pixels[pixel * 4 + channel] ?? 0) - (palette[(indices[pixel] ?? 0) * 3 + channel] ?? 0);
    let left = 0;
    let middle = differenceAt(start);
    for (let pixel = start, at = channel; pixel < end; pixel++, at += 3) {
      const right = pixel + 1 < end ? differenceAt(pixel + 1) : 0;
      sums[at] = left + middle + right;
      left = middle;
      middle = right;
    }
  }
}

/**
 * Share of the error diffused inside a band of one colour. Diffusing all of it makes worm-like patterns in flat areas.
 */
const STRENGTH = 0.85;

/** Largest squared error, summed over the channels, that is invisible, so that diffusing it would only add noise. */
const UNSEEN = 6;

/**
 * Maps a picture to palette indices with Floyd and Steinberg's error diffusion, in alternating directions from row to
 * row. A pixel accepts error in proportion to the share of its neighbours with the same nearest colour, because such
 * pixels would form a band. Texture hides errors, so dithering it would only add noise and bytes. A pixel of a flat
 * colour gets exactly that colour and diffuses nothing, so that fills, text and logos stay clean. `flat` are colours in
 * the palette, `r << 16 | g << 8 | b`.
 */
function diffuseErrors(
  { width, height, pixels }: Raster,
  palette: Palette,
  flat: readonly number[],
): Uint8Array {
  const match = paletteMatcher(palette);
  const nearest = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < nearest.length; pixel++, at += 4) {
    nearest[pixel] = match(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
  }
  const indices = nearest.slice();
  const flatColours = new Set(flat);
  let errors = new Float64Array((width + 2) * 3);
  let below = new Float64Array((width + 2) * 3);
  for (let y = 0; y < height; y++) {
    const isForward = y % 2 === 0;
    const step = isForward ? 1 : -1;
    for (let count = 0, x = isForward ? 0 : width - 1; count < width; count++, x += step) {
      const pixel = y * width + x;
      let red = pixels[pixel * 4] ?? 0;
      let green = pixels[pixel * 4 + 1] ?? 0;
      let blue = pixels[pixel * 4 + 2] ?? 0;
      if (flatColours.has((red << 16) | (green << 8) | blue)) continue;
      const strength = STRENGTH * bandShare(nearest, pixel, width);
      const at = (x + 1) * 3;
      const ofRed = (errors[at] ?? 0) * strength;
      const ofGreen = (errors[at + 1] ?? 0) * strength;
      const ofBlue = (errors[at + 2] ?? 0) * strength;
      if (ofRed * ofRed + ofGreen * ofGreen + ofBlue * ofBlue > UNSEEN) {
        red = clampByte(red + ofRed);
        green = clampByte(green + ofGreen);
        blue = clampByte(blue + ofBlue);
        indices[pixel] = match(Math.round(red), Math.round(green), Math.round(blue));
      }
      const taken = (indices[pixel] ?? 0) * 3;
      pass(errors, below, at, step * 3, red - (palette[taken] ?? 0));
      pass(errors, below, at + 1, step * 3, green - (palette[taken + 1] ?? 0));
      pass(errors, below, at + 2, step * 3, blue - (palette[taken + 2] ?? 0));
    }
    [errors, below] = [below, errors];
    below.fill(0);
  }
  return indices;
}

/** Share of a pixel's four neighbours with the same nearest colour. */
function bandShare(nearest: Uint8Array, pixel: number, width: number): number {
  const own = nearest[pixel];
  let same = 0;
  if (nearest[pixel - 1] === own) same++;
  if (nearest[pixel + 1] === own) same++;
  if (nearest[pixel - width] === own) same++;
  if (nearest[pixel + width] === own) same++;
  return same / 4;
}

function pass(errors: Float64Array, below: Float64Array, at: number, ahead: number, error: number): void {
  const part = error / 16;
  errors[at + ahead] = (errors[at + ahead] ?? 0) + part * 7;
  below[at - ahead] = (below[at - ahead] ?? 0) + part * 3;
  below[at] = (below[at] ?? 0) + part * 5;
  below[at + ahead] = (below[at + ahead] ?? 0) + part;
}

function clampByte(value: number): number {
  return Math.max(0, Math.min(255, value));
}
