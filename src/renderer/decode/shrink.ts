import type { Wanted } from "./index.ts";
import { RASTER_PX_MAX } from "./limits.ts";

/** Sums of 256 × 256 × 255 and of 16 × 16 × 255 fit the two widths of accumulator. */
const FACTOR_MAX = 4096;
const FACTOR_16_BIT_MAX = 16;

/** Largest whole factor by which a picture shrinks and still is at least as large as wanted, and within the limit. */
export function shrinkFactor(width: number, height: number, wanted: Wanted): number {
  const fitting = Math.floor(
    Math.min(width / Math.max(1, wanted.width), height / Math.max(1, wanted.height)),
  );
  let factor = Math.min(FACTOR_MAX, Math.max(1, fitting));
  while (Math.ceil(width / factor) * Math.ceil(height / factor) > RASTER_PX_MAX) factor += 1;
  return factor;
}

export interface Shrinker {
  /**
   * Adds pixels of row `y`: the pixel `index` of `rgba` (straight alpha) stands at x = `left + index * step`.
   * Without `isScattered`, whole rows come from top to bottom; with it, in any order.
   */
  add(y: number, rgba: Uint8Array | Uint8ClampedArray, pixels: number, left: number, step: number): void;
  /** The means, straight alpha. */
  finish(): {
    readonly width: number;
    readonly height: number;
    readonly pixels: Uint8ClampedArray;
    readonly isOpaque: boolean;
  };
}

/**
 * Averages `factor` × `factor` boxes, weighing colours by alpha, and never holds the picture that goes in.
 * Boxes at the right and bottom edge may be partly outside; they average what is inside.
 */
export function createShrinker(
  width: number,
  height: number,
  factor: number,
  isScattered: boolean,
): Shrinker {
  const outWidth = Math.ceil(width / factor);
  const outHeight = Math.ceil(height / factor);
  const pixels = new Uint8ClampedArray(outWidth * outHeight * 4);
  const bandRows = isScattered ? outHeight : 1;
  const length = factor === 1 ? 0 : bandRows * outWidth * 4;
  const sums = factor <= FACTOR_16_BIT_MAX ? new Uint16Array(length) : new Uint32Array(length);
  let isOpaque = true;
  let bandTop = 0;

  const flush = (): void => {
    for (let row = 0; row < bandRows; row++) {
      const y = bandTop + row;
      const boxHeight = Math.min(factor, height - y * factor);
      for (let x = 0; x < outWidth; x++) {
        const count = boxHeight * Math.min(factor, width - x * factor);
        const from = (row * outWidth + x) * 4;
        const to = (y * outWidth + x) * 4;
        const alphaSum = sums[from + 3] ?? 0;
        if (alphaSum === 0) continue;
        const scale = alphaSum === count * 255 ? 1 / count : 255 / alphaSum;
        // A clamped array rounds to nearest.
        pixels[to] = (sums[from] ?? 0) * scale;
        pixels[to + 1] = (sums[from + 1] ?? 0) * scale;
        pixels[to + 2] = (sums[from + 2] ?? 0) * scale;
        pixels[to + 3] = alphaSum / count;
      }
    }
    sums.fill(0);
  };

  return {
    add(y, rgba, count, left, step) {
      if (factor === 1) {
        let to = (y * width + left) * 4;
        for (let from = 0; from < count * 4; from += 4, to += step * 4) {
          const alpha = rgba[from + 3] ?? 0;
          if (alpha !== 255) isOpaque = false;
          pixels[to] = rgba[from] ?? 0;
          pixels[to + 1] = rgba[from + 1] ?? 0;
          pixels[to + 2] = rgba[from + 2] ?? 0;
          pixels[to + 3] = alpha;
        }
        return;
      }
      const outY = Math.floor(y / factor);
      if (!isScattered && outY !== bandTop) {
        flush();
        bandTop = outY;
      }
      const base = (outY - bandTop) * outWidth * 4;
      let x = left;
      for (let from = 0; from < count * 4; from += 4, x += step) {
        const to = base + ((x / factor) | 0) * 4;
        const alpha = rgba[from + 3] ?? 0;
        if (alpha === 255) {
          sums[to] = (sums[to] ?? 0) + (rgba[from] ?? 0);
          sums[to + 1] = (sums[to + 1] ?? 0) + (rgba[from + 1] ?? 0);
          sums[to + 2] = (sums[to + 2] ?? 0) + (rgba[from + 2] ?? 0);
          sums[to + 3] = (sums[to + 3] ?? 0) + 255;
          continue;
        }
        isOpaque = false;
        if (alpha === 0) continue;
        sums[to] = (sums[to] ?? 0) + Math.round(((rgba[from] ?? 0) * alpha) / 255);
        sums[to + 1] = (sums[to + 1] ?? 0) + Math.round(((rgba[from + 1] ?? 0) * alpha) / 255);
        sums[to + 2] = (sums[to + 2] ?? 0) + Math.round(((rgba[from + 2] ?? 0) * alpha) / 255);
        sums[to + 3] = (sums[to + 3] ?? 0) + alpha;
      }
    },
    finish() {
      if (factor > 1) flush();
      return { width: outWidth, height: outHeight, pixels, isOpaque };
    },
  };
}
