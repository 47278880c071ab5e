import { freeRaster } from "../buffers.ts";
import { premultiplied } from "../raster/blend.ts";
import { boxOf } from "../raster/canvas.ts";
import type { Resampler } from "../raster/resampler.ts";
import type { Raster } from "../types.ts";
import { type MarkValues, markValues } from "./mark-values.ts";
import { drawWatermark, UNPAID_SHARE_MAX } from "./watermark.ts";

/** Marks a canvas in place. */
export type Mark = (canvas: Raster) => void;

/** One seed for all workspaces, so that outputs with equal fingerprints have equal bytes. */
const SEED = 0x7e57;

/**
 * The mark of test outputs: each canvas of one output is reduced like an unpaid preview, watermarked and enlarged to
 * its own size. A canvas with transparency is watermarked after it is enlarged. The mark depends on the first canvas,
 * so it does not move in an animation, and still areas take no bytes.
 */
export function createTestMark(resampler: Resampler): Mark {
  let values: MarkValues | null = null;
  return (canvas) => {
    const { width, height, pixels } = canvas;
    const isOpaque = canvas.alpha === "opaque";
    const source = isOpaque ? canvas : premultiplied(canvas);
    const small = resampler.shrinkByArea(source, unpaidPx(width), unpaidPx(height));
    values ??= markValues(small, SEED);
    if (isOpaque) drawWatermark(small, SEED, values);
    const enlarged = resampler.resample(small, boxOf(small), width, height, () => pixels);
    freeRaster(small);
    if (isOpaque) return;
    divideByAlpha(enlarged);
    drawWatermark(enlarged, SEED, values);
    clearUnseen(enlarged);
  };
}

const unpaidPx = (edge: number): number => Math.max(1, Math.round(edge * UNPAID_SHARE_MAX));

/** Converts premultiplied to straight alpha, in place. */
function divideByAlpha({ pixels }: Raster): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel += 1) {
      pixels[channel] = ((pixels[channel] ?? 0) * 255) / alpha;
    }
  }
}

/** Gives all invisible pixels the same colour, so that they take almost no bytes. */
function clearUnseen({ pixels }: Raster): void {
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] === 0) pixels.fill(0, at, at + 3);
}
