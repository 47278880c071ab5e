import type { Raster } from "../types.ts";
import { smoothNoise } from "./smooth-noise.ts";
import { capitalsPx, wordCoverage } from "./word-tiles.ts";

/** Opacities out of 256; which of a range a pixel gets changes smoothly over the picture. */
interface Range {
  readonly least: number;
  readonly most: number;
}
const LIGHT_OPACITY: Range = { least: 60, most: 104 };
const DARK_OPACITY: Range = { least: 40, most: 72 };
const LINE_OPACITY: Range = { least: 36, most: 64 };
const VEIL_OPACITY: Range = { least: 10, most: 24 };

/** Lines run across the picture as the words rise, at 8 : 15; distances along their normal are in seventeenths. */
const ALONG_X = 8;
const ALONG_Y = 15;
const NORMAL = 17;

/** Of the lines and the veil: the same for every picture of a size (see the room's README). */
const SIZE_SEED = 0x5eed;

/**
 * Blends the mark into an opaque picture, on its own pixels. `seed` places the words; equal pictures, seeds and
 * sizes give equal pixels.
 */
export function drawWatermark(picture: Raster, seed: number): void {
  const { width, height, pixels } = picture;
  const capitals = capitalsPx(width, height);
  const { light, dark } = wordCoverage(width, height, seed);
  const quickNoise = smoothNoise(width, height, Math.ceil(capitals / 2), seed);
  const slowNoise = smoothNoise(width, height, capitals * 2, SIZE_SEED);
  const quick = new Uint8Array(width);
  const slow = new Uint8Array(width);
  const edge = Math.max(1, Math.round(capitals / 15));
  const lineWidth = Math.max(1, Math.round(capitals / 14)) * NORMAL;
  const linePitch = capitals * 3 * NORMAL;
  const tint: Tint = { kept: 256, added: 0 };
  for (let y = 0; y < height; y += 1) {
    quickNoise.fillRow(y, quick);
    slowNoise.fillRow(y, slow);
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const slowly = slow[x] ?? 0;
      const along = x * ALONG_X + y * ALONG_Y;
      const band = Math.floor(along / linePitch);
      const intoBand = along - band * linePitch;
      tint.kept = 256;
      tint.added = 0;
      // The bands between the lines are veiled in turn towards black and towards white.
      lay(tint, (band & 1) * 255, between(VEIL_OPACITY, slowly));
      if (intoBand < lineWidth * 2 + NORMAL) {
        const opacity = between(LINE_OPACITY, slowly);
        lay(tint, 0, (opacity * shareInside(intoBand, lineWidth, lineWidth * 2)) >> 8);
        lay(tint, 255, (opacity * shareInside(intoBand, 0, lineWidth)) >> 8);
      }
      const behind = x >= edge && y >= edge ? at - edge * width - edge : -1;
      const quickly = quick[x] ?? 0;
      layStroke(tint, light[at] ?? 0, light[behind] ?? 0, 255, between(LIGHT_OPACITY, quickly));
      layStroke(tint, dark[at] ?? 0, dark[behind] ?? 0, 0, between(DARK_OPACITY, quickly));
      const { kept, added } = tint;
      const pixel = at * 4;
      pixels[pixel] = ((pixels[pixel] ?? 0) * kept + added) >> 8;
      pixels[pixel + 1] = ((pixels[pixel + 1] ?? 0) * kept + added) >> 8;
      pixels[pixel + 2] = ((pixels[pixel + 2] ?? 0) * kept + added) >> 8;
    }
  }
}

/** What becomes of a pixel's colour: `(value * kept + added) / 256`. */
interface Tint {
  kept: number;
  added: number;
}

/** Lays a grey level over what has been laid before, at `opacity` of 256. */
function lay(tint: Tint, level: number, opacity: number): void {
  const rest = 256 - opacity;
  tint.kept = (tint.kept * rest) >> 8;
  tint.added = ((tint.added * rest) >> 8) + level * opacity;
}

/** Lays a word's stroke, and the edge of the opposite tone that it casts: one of the two shows on any ground. */
function layStroke(tint: Tint, word: number, cast: number, level: number, opacity: number): void {
  if (cast > word) lay(tint, 255 - level, (opacity * (cast - word)) >> 8);
  if (word > 0) lay(tint, level, (opacity * word) >> 8);
}

/** An opacity at `value` of 0..255 along a range. */
const between = ({ least, most }: Range, value: number): number => least + (((most - least) * value) >> 8);

/** How much of a pixel's width (17 units from `from`) lies between two bounds, of 256. */
function shareInside(from: number, start: number, end: number): number {
  const inside = Math.min(from + NORMAL, end) - Math.max(from, start);
  return inside <= 0 ? 0 : Math.floor((inside * 256) / NORMAL);
}
