import { linearOf, luminanceOf } from "#renderer/colour/srgb.ts";

/**
 * Counts flashes by the general and red flash thresholds of WCAG 2.2 (success criterion 2.3.1,
 * https://www.w3.org/TR/WCAG22/#dfn-general-flash-and-red-flash-thresholds): two opposing changes of relative luminance
 * by 0.1 or more, with the darker side under 0.8, or of saturated red. Flashes are allowed in less than a quarter of a
 * field of 10 degrees. A banner is no larger than that field, so the limit is a quarter of the image.
 */

/** A frame in 8-bit RGBA, with its start time. */
export interface ShownFrame {
  readonly pixels: ArrayLike<number>;
  readonly ms: number;
}

const AREA_SHARE = 0.25;
const SECOND_MS = 1000;

/** A measured value of a pixel, and the change of it that counts towards a flash. */
interface Measure {
  readonly of: (r: number, g: number, b: number) => number;
  readonly changeMin: number;
  /** A change counts only if its lower value is below this. */
  readonly lowerMax: number;
}

const LUMINANCE: Measure = { of: luminanceOf, changeMin: 0.1, lowerMax: 0.8 };
/** (R - G - B) × 320, or 0 for unsaturated red. The 0 can only increase the count. */
const RED: Measure = {
  of: (r, g, b) => {
    const others = linearOf(g) + linearOf(b);
    // R / (R + G + B) ≥ 0.8.
    return linearOf(r) >= 4 * others ? Math.max(0, linearOf(r) - others) * 320 : 0;
  },
  changeMin: 20,
  lowerMax: 320,
};

interface PixelHistory {
  /** Times of the pixel's counted changes in the last second. */
  readonly turnedMs: number[];
  /** Direction of the last counted change (1 up, -1 down), and the extremes since then. */
  direction: number;
  lowest: number;
  highest: number;
}

/** The maximum number of flashes, general or red, within a second in a quarter of the image. */
export const mostFlashes = (frames: readonly ShownFrame[]): number =>
  Math.max(...[LUMINANCE, RED].map((measure) => Math.floor(mostChanges(frames, measure) / 2)));

function mostChanges(frames: readonly ShownFrame[], { of, changeMin, lowerMax }: Measure): number {
  const pixels = Array.from({ length: (frames[0]?.pixels.length ?? 0) / 4 }, (): PixelHistory => {
    return { turnedMs: [], direction: 0, lowest: Infinity, highest: -Infinity };
  });
  let most = 0;
  for (const { pixels: rgba, ms } of frames) {
    for (const [at, pixel] of pixels.entries()) {
      const value = of(rgba[at * 4] ?? 0, rgba[at * 4 + 1] ?? 0, rgba[at * 4 + 2] ?? 0);
      pixel.lowest = Math.min(pixel.lowest, value);
      pixel.highest = Math.max(pixel.highest, value);
      const hasRisen = pixel.direction <= 0 && value - pixel.lowest >= changeMin && pixel.lowest < lowerMax;
      const hasFallen = pixel.direction >= 0 && pixel.highest - value >= changeMin && value < lowerMax;
      if (hasRisen || hasFallen) {
        pixel.turnedMs.push(ms);
        Object.assign(pixel, { direction: hasRisen ? 1 : -1, lowest: value, highest: value });
      }
      while ((pixel.turnedMs[0] ?? ms) <= ms - SECOND_MS) pixel.turnedMs.shift();
    }
    const haveMore = (): number => pixels.filter(({ turnedMs }) => turnedMs.length > most).length;
    while (haveMore() >= pixels.length * AREA_SHARE) most += 1;
  }
  return most;
}
