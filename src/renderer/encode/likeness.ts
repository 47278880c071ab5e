import type { Raster } from "../types.ts";
import type { Palette } from "./palette.ts";

/**
 * How alike a picture and its palette version look, in decibels (peak signal to noise) of their 3 × 3
 * means: dithering is noise that the eye averages away, banding and lost colours are not. Infinite when equal.
 */
export function likenessDecibels(
  { width, height, pixels }: Raster,
  indices: Uint8Array,
  palette: Palette,
): number {
  let squares = 0;
  // Sums of three neighbours' differences along each of the last three rows.
  const rows = [0, 1, 2].map(() => new Float64Array(width * 3));
  for (let y = 0; y < height; y++) {
    const sums = rows[y % 3] ?? new Float64Array(0);
    sumAlongRow(pixels, indices, palette, y * width, width, sums);
    if (y < 2) continue;
    for (let at = 0; at < width * 3; at++) {
      const mean = ((rows[0]?.[at] ?? 0) + (rows[1]?.[at] ?? 0) + (rows[2]?.[at] ?? 0)) / 9;
      squares += mean * mean;
    }
  }
  const count = Math.max(1, (height - 2) * width * 3);
  return squares === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((255 * 255 * count) / squares);
}

function sumAlongRow(
  pixels: Uint8ClampedArray,
  indices: Uint8Array,
  palette: Palette,
  start: number,
  width: number,
  sums: Float64Array,
): void {
  sums.fill(0);
  for (let x = 0; x < width; x++) {
    const entry = (indices[start + x] ?? 0) * 3;
    for (let channel = 0; channel < 3; channel++) {
      const difference = (pixels[(start + x) * 4 + channel] ?? 0) - (palette[entry + channel] ?? 0);
      const at = x * 3 + channel;
      sums[at] = (sums[at] ?? 0) + difference;
      if (x > 0) sums[at - 3] = (sums[at - 3] ?? 0) + difference;
      if (x < width - 1) sums[at + 3] = (sums[at + 3] ?? 0) + difference;
    }
  }
}
