import { flatColours, type Histogram } from "./colour-histogram.ts";

/** RGB triples, at most 256 of them. */
export type Palette = Uint8Array<ArrayBuffer>;

/** A colour and its number of pixels, in the space where distances are compared. */
interface Sample {
  readonly point: readonly [number, number, number];
  readonly weight: number;
}

interface Cluster {
  readonly samples: readonly Sample[];
  readonly spread: number;
  readonly axis: 0 | 1 | 2;
  readonly mean: readonly [number, number, number];
}

const REFINEMENTS = 2;

/**
 * Weights of distances in red and blue; green has 1. The eye sees green best and blue least, but more unequal weights
 * make the result less similar to the picture.
 */
const RED_WEIGHT = 0.92;
const BLUE_WEIGHT = 0.85;

/** Green first: `nearestNeighbour` searches along the first coordinate, from 0 to 255. */
const toPoint = (red: number, green: number, blue: number): readonly [number, number, number] => [
  green,
  red * RED_WEIGHT,
  blue * BLUE_WEIGHT,
];

const toColour = ([green, red, blue]: readonly [number, number, number]) =>
  [red / RED_WEIGHT, green, blue / BLUE_WEIGHT] as const;

/**
 * Chooses at most `size` colours. A picture with at most `size` colours keeps them exactly. Otherwise the cluster with
 * the greatest spread is repeatedly split at its mean until there are enough clusters, and k-means refines them. Flat
 * colours are kept exactly. `weigh` converts a colour's number of pixels to its weight.
 */
export function choosePalette(
  histogram: Histogram,
  size: number,
  weigh = (pixels: number): number => pixels,
): Palette {
  if (histogram.exact !== null && histogram.exact.size <= size) return exactPalette(histogram.exact);
  const samples = samplesOf(histogram, weigh);
  const flat = flatColours(histogram);
  const clusters = cutIntoClusters(samples, size - flat.length);
  const centres = settle(
    samples,
    clusters.map((cluster) => cluster.mean),
  );
  const palette = new Uint8ClampedArray((centres.length + flat.length) * 3);
  for (const [index, centre] of centres.entries()) palette.set(toColour(centre), index * 3);
  for (const [index, colour] of flat.entries()) {
    palette.set([colour >> 16, (colour >> 8) & 255, colour & 255], (centres.length + index) * 3);
  }
  return sortedByBrightness(palette);
}

function exactPalette(colours: ReadonlyMap<number, number>): Palette {
  const palette = new Uint8ClampedArray(colours.size * 3);
  let at = 0;
  for (const colour of colours.keys()) {
    palette.set([colour >> 16, (colour >> 8) & 255, colour & 255], at);
    at += 3;
  }
  return sortedByBrightness(palette);
}

/**
 * Sorts the colours, so that neighbouring indices have similar colours and compress better. The order does not depend
 * on the order of pixels.
 */
function sortedByBrightness(colours: Uint8ClampedArray): Palette {
  const order = Array.from({ length: colours.length / 3 }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = colours.subarray(index * 3, index * 3 + 3);
    return { red, green, blue, key: (red * 299 + green * 587 + blue * 114) * 65536 + red * 256 + blue };
  }).sort((a, b) => a.key - b.key);
  return Uint8Array.from(order.flatMap(({ red, green, blue }) => [red, green, blue]));
}

/** Exact colours while there are few; else each cell's mean. */
function samplesOf({ cells, exact }: Histogram, weigh: (pixels: number) => number): readonly Sample[] {
  const samples: Sample[] = [];
  for (const [colour, pixels] of exact ?? []) {
    samples.push({ point: toPoint(colour >> 16, (colour >> 8) & 255, colour & 255), weight: weigh(pixels) });
  }
  for (let at = 0; exact === null && at < cells.length; at += 4) {
    const pixels = cells[at] ?? 0;
    if (pixels === 0) continue;
    const meanOf = (channel: number): number => (cells[at + channel] ?? 0) / pixels;
    samples.push({ point: toPoint(meanOf(1), meanOf(2), meanOf(3)), weight: weigh(pixels) });
  }
  return samples;
}

function cutIntoClusters(samples: readonly Sample[], size: number): readonly Cluster[] {
  const clusters = [measure(samples)];
  while (clusters.length < size) {
    let widest = 0;
    for (const [index, cluster] of clusters.entries()) {
      if (cluster.spread > (clusters[widest]?.spread ?? 0)) widest = index;
    }
    const cluster = clusters[widest];
    if (cluster === undefined || cluster.spread <= 0) break;
    const { axis, mean } = cluster;
    const lower = cluster.samples.filter((sample) => sample.point[axis] <= mean[axis]);
    const upper = cluster.samples.filter((sample) => sample.point[axis] > mean[axis]);
    if (lower.length === 0 || upper.length === 0) break;
    clusters.splice(widest, 1, measure(lower), measure(upper));
  }
  return clusters;
}

/** Mean, widest axis and the sum of squared distances along it. */
function measure(samples: readonly Sample[]): Cluster {
  let weight = 0;
  const sum: [number, number, number] = [0, 0, 0];
  const squares: [number, number, number] = [0, 0, 0];
  for (const sample of samples) {
    weight += sample.weight;
    for (const axis of [0, 1, 2] as const) {
      sum[axis] += sample.point[axis] * sample.weight;
      squares[axis] += sample.point[axis] * sample.point[axis] * sample.weight;
    }
  }
  const mean = [sum[0] / weight, sum[1] / weight, sum[2] / weight] as const;
  let axis: 0 | 1 | 2 = 0;
  let spread = 0;
  if (samples.length > 1) {
    for (const candidate of [0, 1, 2] as const) {
      const candidateSpread = squares[candidate] - sum[candidate] * mean[candidate];
      if (candidateSpread > spread) {
        spread = candidateSpread;
        axis = candidate;
      }
    }
  }
  return { samples, spread, axis, mean };
}

/** k-means: each centre moves to the mean of the samples nearest to it. A centre without samples is removed. */
function settle(
  samples: readonly Sample[],
  start: readonly (readonly [number, number, number])[],
): readonly (readonly [number, number, number])[] {
  let centres = Float64Array.from(start.flat());
  for (let round = 0; round < REFINEMENTS; round++) {
    const nearest = nearestNeighbour(centres);
    const totals = new Float64Array((centres.length / 3) * 4);
    for (const { point, weight } of samples) {
      const at = nearest(point[0], point[1], point[2]) * 4;
      totals[at] = (totals[at] ?? 0) + point[0] * weight;
      totals[at + 1] = (totals[at + 1] ?? 0) + point[1] * weight;
      totals[at + 2] = (totals[at + 2] ?? 0) + point[2] * weight;
      totals[at + 3] = (totals[at + 3] ?? 0) + weight;
    }
    const moved: number[] = [];
    for (let at = 0; at < totals.length; at += 4) {
      const weight = totals[at + 3] ?? 0;
      if (weight === 0) continue;
      moved.push((totals[at] ?? 0) / weight, (totals[at + 1] ?? 0) / weight, (totals[at + 2] ?? 0) / weight);
    }
    centres = Float64Array.from(moved);
  }
  return Array.from({ length: centres.length / 3 }, (_, index) => [
    centres[index * 3] ?? 0,
    centres[index * 3 + 1] ?? 0,
    centres[index * 3 + 2] ?? 0,
  ]);
}

const CACHE_BITS = 16;

/** Finds the index of the palette's nearest colour; of equally near colours, the first. */
export function paletteMatcher(palette: Palette): (red: number, green: number, blue: number) => number {
  const points = new Float64Array(palette.length);
  for (let at = 0; at < palette.length; at += 3) {
    points.set(toPoint(palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0), at);
  }
  const nearest = nearestNeighbour(points);
  // Cache of colours and their indices, `colour << 8 | index`, by hash. Black's hash is 0; its slot is filled here, so
  // that an empty slot (0) matches no other colour.
  const cache = new Uint32Array(1 << CACHE_BITS);
  cache[0] = nearest(...toPoint(0, 0, 0));
  return (red, green, blue) => {
    const colour = (red << 16) | (green << 8) | blue;
    const place = Math.imul(colour, 0x9e3779b1) >>> (32 - CACHE_BITS);
    const cached = cache[place] ?? 0;
    if (cached >>> 8 === colour) return cached & 255;
    const index = nearest(...toPoint(red, green, blue));
    cache[place] = (colour << 8) | index;
    return index;
  };
}

/** Number of whole values of a point's first coordinate, 0 to 255. */
const STEPS = 256;

/**
 * Finds which of `points` (triples) is nearest to a point; of equally near points the first. Skips points whose first
 * coordinate alone is farther away than the best so far.
 */
export function nearestNeighbour(points: Float64Array): (a: number, b: number, c: number) => number {
  const count = points.length / 3;
  const firstOf = (index: number): number => points[index * 3] ?? 0;
  const order = Uint16Array.from(
    Array.from({ length: count }, (_, index) => index).sort((one, other) => firstOf(one) - firstOf(other)),
  );
  const sorted = new Float64Array(points.length);
  for (const [place, index] of order.entries())
    sorted.set(points.subarray(index * 3, index * 3 + 3), place * 3);
  // For each whole value of the first coordinate: number of points below it.
  const below = new Uint16Array(STEPS);
  for (let step = 0, place = 0; step < STEPS; step++) {
    while (place < count && (sorted[place * 3] ?? 0) < step) place++;
    below[step] = place;
  }
  return (a, b, c) => {
    const start = (below[Math.max(0, Math.min(STEPS - 1, Math.floor(a)))] ?? 0) * 3;
    let best = 0;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (let at = start; at < sorted.length; at += 3) {
      const da = (sorted[at] ?? 0) - a;
      if (da > 0 && da * da > bestDistance) break;
      const db = b - (sorted[at + 1] ?? 0);
      const dc = c - (sorted[at + 2] ?? 0);
      const distance = da * da + db * db + dc * dc;
      if (distance > bestDistance) continue;
      const index = order[at / 3] ?? 0;
      if (distance < bestDistance || index < best) best = index;
      bestDistance = distance;
    }
    for (let at = start - 3; at >= 0; at -= 3) {
      const da = a - (sorted[at] ?? 0);
      if (da > 0 && da * da > bestDistance) break;
      const db = b - (sorted[at + 1] ?? 0);
      const dc = c - (sorted[at + 2] ?? 0);
      const distance = da * da + db * db + dc * dc;
      if (distance > bestDistance) continue;
      const index = order[at / 3] ?? 0;
      if (distance < bestDistance || index < best) best = index;
      bestDistance = distance;
    }
    return best;
  };
}
