import type { Raster } from "../types.ts";
import { addToHistogram, createHistogram, flatColours } from "./colour-histogram.ts";
import { choosePalette, type Palette } from "./colour-quantiser.ts";
import { diffuseErrors } from "./error-diffusion.ts";
import { PALETTE_SIZES, SAME_LOOK_PSNR_DB, SMALL_TRUECOLOUR_SHARE_MIN } from "./limits.ts";
import { deflate, indexDepth, packIndices, pngChunk, pngFile } from "./png-chunk-writer.ts";
import { deflateTruecolour } from "./png-filter.ts";

export interface PngAttempt {
  readonly bytes: Uint8Array;
  /** Whether it has visibly fewer colours than the picture. */
  readonly isReduced: boolean;
}

/**
 * The best PNG under the cap, or the smallest acceptable one when that is over it. Without loss where that fits, in
 * truecolour or in a palette of all the picture's colours; else dithered, in as many colours as fit.
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

/** A PNG without loss of a picture whose alpha is straight. */
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
 * Peak signal-to-noise ratio, in decibels, between the 3 × 3 means of a picture and of its palette version: dithering is noise that the eye averages away, banding and lost colours are not. Infinite when equal.
 */
function smoothedPsnr({ width, height, pixels }: Raster, indices: Uint8Array, palette: Palette): number {
  let squares = 0;
  // Sums of three neighbours' differences along the last three rows, whichever of them is the latest.
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

/** Fills `sums` for the row whose first pixel is `start`; beyond its ends there is no difference. */
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
