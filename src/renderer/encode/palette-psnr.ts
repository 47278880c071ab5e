import type { Raster } from "../types.ts";
import type { Palette } from "./colour-quantiser.ts";

/**
 * Peak signal-to-noise ratio, in decibels, between the 3 × 3 means of a picture and of its palette version: dithering is noise that the eye averages away, banding and lost colours are not. Infinite when equal.
 */
export function smoothedPsnr(
  { width, height, pixels }: Raster,
  indices: Uint8Array,
  palette: Palette,
): number {
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
