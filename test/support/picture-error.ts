import type { Raster } from "../../src/renderer/types.ts";

/** Mean absolute difference of the four samples over two rasters of one size, 0–255. */
export function meanError(actual: Raster, expected: Uint8Array): number {
  if (actual.pixels.length !== expected.length) return 255;
  let sum = 0;
  for (let at = 0; at < expected.length; at++)
    sum += Math.abs((actual.pixels[at] ?? 0) - (expected[at] ?? 0));
  return sum / expected.length;
}
