import { bestScored } from "../best-scored.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Raster } from "../types.ts";
import { chroma, distance, fromOklab, type Oklab, toOklab } from "./oklab.ts";

/** One colour of a picture. `share` is its fraction of the visible pixels, 0..1. */
export interface Swatch {
  readonly colour: Rgb;
  readonly lab: Oklab;
  readonly share: number;
}

const BITS = 4;
const SWATCHES_MAX = 8;
/** Colours closer than this in OKLab are merged. */
const MERGE_DISTANCE = 0.085;
const ROUNDS = 4;

interface Bin {
  r: number;
  g: number;
  b: number;
  weight: number;
}

/**
 * The main colours of a picture, most common first, at most 8. A coarse histogram seeds k-means clusters in OKLab.
 * Reads a small thumbnail.
 */
export function dominantColours(thumbnail: Raster): readonly Swatch[] {
  const points = histogram(thumbnail)
    .map((bin) => ({ lab: toOklab(averageOf(bin)), weight: bin.weight }))
    .sort((one, other) => other.weight - one.weight);
  const total = points.reduce((sum, point) => sum + point.weight, 0);
  if (total === 0) return [];
  let centres: Oklab[] = [];
  for (const point of points) {
    if (centres.length === SWATCHES_MAX) break;
    if (centres.every((centre) => distance(centre, point.lab) > MERGE_DISTANCE)) centres.push(point.lab);
  }
  let weights: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sums = centres.map(() => ({ l: 0, a: 0, b: 0, weight: 0 }));
    for (const point of points) {
      const sum = sums[nearest(centres, point.lab)];
      if (sum === undefined) continue;
      sum.l += point.lab.l * point.weight;
      sum.a += point.lab.a * point.weight;
      sum.b += point.lab.b * point.weight;
      sum.weight += point.weight;
    }
    centres = centres.map((centre, index) => {
      const sum = sums[index];
      return sum === undefined || sum.weight === 0
        ? centre
        : { l: sum.l / sum.weight, a: sum.a / sum.weight, b: sum.b / sum.weight };
    });
    weights = sums.map((sum) => sum.weight);
  }
  return centres
    .map((lab, index) => ({ colour: fromOklab(lab), lab, share: (weights[index] ?? 0) / total }))
    .filter((swatch) => swatch.share > 0)
    .sort((one, other) => other.share - one.share);
}

/** The swatch that a designer would pick as an accent: vivid, neither near black nor near white, not a speck. */
export function vividest(swatches: readonly Swatch[], shareMin: number): Swatch | null {
  return bestScored(
    swatches.filter(({ share, lab }) => share >= shareMin && lab.l >= 0.28 && lab.l <= 0.92),
    ({ share, lab }) => chroma(lab) * (0.6 + 0.4 * Math.min(1, share * 6)),
    0.05,
  );
}

function histogram(raster: Raster): Bin[] {
  const bins = new Map<number, Bin>();
  const pixels = raster.pixels;
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha < 128) continue;
    const isMultiplied = raster.alpha === "premultiplied" && alpha < 255;
    const channel = (offset: number) => {
      const value = pixels[at + offset] ?? 0;
      return isMultiplied ? Math.min(255, Math.round((value * 255) / alpha)) : value;
    };
    const r = channel(0);
    const g = channel(1);
    const b = channel(2);
    const shift = 8 - BITS;
    const key = ((r >> shift) << (2 * BITS)) | ((g >> shift) << BITS) | (b >> shift);
    const bin = bins.get(key) ?? { r: 0, g: 0, b: 0, weight: 0 };
    bin.r += r;
    bin.g += g;
    bin.b += b;
    bin.weight += 1;
    bins.set(key, bin);
  }
  return [...bins.values()];
}

function averageOf(bin: Bin): Rgb {
  return {
    r: Math.round(bin.r / bin.weight),
    g: Math.round(bin.g / bin.weight),
    b: Math.round(bin.b / bin.weight),
  };
}

function nearest(centres: readonly Oklab[], lab: Oklab): number {
  const closest = bestScored(centres.entries(), ([, centre]) => -distance(centre, lab));
  return closest?.[0] ?? 0;
}
