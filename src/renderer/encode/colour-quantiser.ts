import { flatColours, type Histogram } from "./colour-histogram.ts";
import { nearestNeighbour } from "./nearest-neighbour.ts";

/** RGB triples, at most 256 of them. */
export type Palette = Uint8Array<ArrayBuffer>;

/** A colour seen, in the space where distances are compared, and how often. */
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

const REFINEMENTS = 6;

/**
 * Colours stand as (brightness, red against green, blue against yellow): the eye sees a step of brightness
 * sooner than one of red, and that sooner than one of blue. Linear, so that it turns back exactly.
 */
function toPoint(red: number, green: number, blue: number): readonly [number, number, number] {
  const brightness = (red * 299 + green * 587 + blue * 114) / 1000;
  return [brightness, (red - brightness) * 0.6, (blue - brightness) * 0.4];
}

function toColour([brightness, redder, bluer]: readonly [number, number, number]): readonly [
  number,
  number,
  number,
] {
  const red = brightness + redder / 0.6;
  const blue = brightness + bluer / 0.4;
  return [red, (brightness * 1000 - red * 299 - blue * 114) / 587, blue];
}

/**
 * Chooses at most `size` colours: a picture of so few keeps them exactly; otherwise the cluster with the
 * greatest spread is cut at its mean until there are enough, and k-means settles them. Flat colours
 * stay what they are.
 */
export function choosePalette(histogram: Histogram, size: number): Palette {
  if (histogram.exact !== null && histogram.exact.size <= size) return exactPalette(histogram.exact);
  const samples = samplesOf(histogram);
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

/** Neighbouring indices mean neighbouring colours, which compresses better and does not hang on the order of pixels. */
function sortedByBrightness(colours: Uint8ClampedArray): Palette {
  const order = Array.from({ length: colours.length / 3 }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = colours.subarray(index * 3, index * 3 + 3);
    return { red, green, blue, key: (red * 299 + green * 587 + blue * 114) * 65536 + red * 256 + blue };
  }).sort((a, b) => a.key - b.key);
  return Uint8Array.from(order.flatMap(({ red, green, blue }) => [red, green, blue]));
}

function samplesOf({ cells }: Histogram): readonly Sample[] {
  const samples: Sample[] = [];
  for (let at = 0; at < cells.length; at += 4) {
    const count = cells[at] ?? 0;
    if (count === 0) continue;
    const point = toPoint(
      (cells[at + 1] ?? 0) / count,
      (cells[at + 2] ?? 0) / count,
      (cells[at + 3] ?? 0) / count,
    );
    // The square root keeps a large sky from taking every colour; a small logo needs its own.
    samples.push({ point, weight: Math.sqrt(count) });
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

/** k-means: each centre moves to the mean of the samples nearest to it. A centre without samples goes. */
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

/** A 2 × 2 × 2 of colours that holds one of the palette's own. */
const HAS_EXACT = 0xffff;

/** Finds the palette's nearest colour; remembers what it found. Exact colours find themselves. */
export function paletteMatcher(palette: Palette): (red: number, green: number, blue: number) => number {
  const points = new Float64Array(palette.length);
  const exact = new Map<number, number>();
  // One answer for each 2 × 2 × 2 of colours, made when first asked for; counted from 1, so that no memory is filled.
  const known = new Uint16Array(1 << 21);
  const besideExact = new Map<number, number>();
  for (let at = 0; at < palette.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = palette.subarray(at, at + 3);
    points.set(toPoint(red, green, blue), at);
    exact.set((red << 16) | (green << 8) | blue, at / 3);
    known[keyOf(red, green, blue)] = HAS_EXACT;
  }
  const nearest = nearestNeighbour(points);
  return (red, green, blue) => {
    const key = keyOf(red, green, blue);
    const found = known[key] ?? 0;
    if (found === HAS_EXACT) {
      const same = exact.get((red << 16) | (green << 8) | blue) ?? besideExact.get(key);
      if (same !== undefined) return same;
    } else if (found > 0) {
      return found - 1;
    }
    const index = nearest(...toPoint(red, green, blue));
    if (found === HAS_EXACT) besideExact.set(key, index);
    else known[key] = index + 1;
    return index;
  };
}

const keyOf = (red: number, green: number, blue: number): number =>
  ((red >> 1) << 14) | ((green >> 1) << 7) | (blue >> 1);
