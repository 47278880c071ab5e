import type { SaliencyMap } from "./saliency.ts";

/** A point as fractions of width and height, 0..1. */
export interface SharePoint {
  readonly x: number;
  readonly y: number;
}

/** Only saliency of at least this fraction of the peak counts as the subject. */
const PEAK_SHARE = 0.55;

/** Centre of the salient area: the mean of the most salient pixels, or the picture's centre if none is. */
export function focalPointOf({ width, height, values }: SaliencyMap): SharePoint {
  let sum = 0;
  let x = 0;
  let y = 0;
  values.forEach((value, at) => {
    const over = value - PEAK_SHARE;
    if (over <= 0) return;
    const weight = over * over;
    sum += weight;
    x += ((at % width) + 0.5) * weight;
    y += (Math.floor(at / width) + 0.5) * weight;
  });
  return sum === 0 ? { x: 0.5, y: 0.5 } : { x: x / sum / width, y: y / sum / height };
}

/** Profiles cached per map, because a layout tries many crops of one picture. */
const knownProfiles = new WeakMap<SaliencyMap, Partial<Record<"across" | "down", Float64Array>>>();

/** Saliency summed down each column (`across`) or along each row (`down`); only saliency above average counts. */
export function profileOf(saliency: SaliencyMap, axis: "across" | "down"): Float64Array {
  const known = knownProfiles.get(saliency) ?? {};
  const found = known[axis];
  if (found !== undefined) return found;
  const profile = summed(saliency, axis);
  knownProfiles.set(saliency, { ...known, [axis]: profile });
  return profile;
}

function summed({ width, height, values }: SaliencyMap, axis: "across" | "down"): Float64Array {
  const profile = new Float64Array(axis === "across" ? width : height);
  let total = 0;
  for (const value of values) total += value;
  const mean = total / Math.max(1, values.length);
  values.forEach((value, at) => {
    const index = axis === "across" ? at % width : Math.floor(at / width);
    const over = Math.max(0, value - mean);
    profile[index] = (profile[index] ?? 0) + over * over;
  });
  return profile;
}
