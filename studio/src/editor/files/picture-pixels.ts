import type { FileColour } from "../draft/draft.ts";

/** Detects from a thumbnail's pixels (straight RGBA, row by row) whether a picture is cut out, and its colours. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

const BYTES = 4;
const CLEAR_ALPHA_MAX = 24;
const SOLID_ALPHA_MIN = 128;
/** A cut-out has mostly transparent edges; a photo with rounded corners does not. */
const CLEAR_EDGE_MIN = 0.5;

/** Whether the subject is cut out on a transparent background. */
export function isCutOut({ width, height, data }: Pixels): boolean {
  let clear = 0;
  let edge = 0;
  for (let y = 0; y < height; y += 1) {
    const isWholeRow = y === 0 || y === height - 1;
    for (let x = 0; x < width; x += isWholeRow ? 1 : Math.max(1, width - 1)) {
      edge += 1;
      if ((data[(y * width + x) * BYTES + 3] ?? 255) <= CLEAR_ALPHA_MAX) clear += 1;
    }
  }
  return edge > 0 && clear / edge >= CLEAR_EDGE_MIN;
}

/** Bits per channel of the colour bins: each is a cube of 32 levels a side. The result has the mean of each bin. */
const CUBE_BITS = 3;
const COLOURS_MAX = 6;
/** Minimum squared distance of two returned colours. */
const APART_MIN = 48 ** 2;
/** Minimum fraction of the picture that a colour covers. */
const SHARE_MIN = 0.004;

interface Gathered {
  readonly sums: readonly [number, number, number];
  readonly count: number;
}

/** The main colours of a picture, most frequent first, visibly different. */
export function coloursOf({ data }: Pixels): FileColour[] {
  const cubes = new Map<number, Gathered>();
  let seen = 0;
  for (let at = 0; at + 3 < data.length; at += BYTES) {
    if ((data[at + 3] ?? 0) < SOLID_ALPHA_MIN) continue;
    seen += 1;
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    const shift = 8 - CUBE_BITS;
    const cube = ((red >> shift) << (2 * CUBE_BITS)) | ((green >> shift) << CUBE_BITS) | (blue >> shift);
    const { sums, count } = cubes.get(cube) ?? { sums: [0, 0, 0], count: 0 };
    cubes.set(cube, { sums: [sums[0] + red, sums[1] + green, sums[2] + blue], count: count + 1 });
  }
  const ranked = [...cubes.values()].sort((a, b) => b.count - a.count);
  const kept: { readonly mean: readonly [number, number, number]; readonly count: number }[] = [];
  for (const { sums, count } of ranked) {
    if (kept.length === COLOURS_MAX || count < SHARE_MIN * seen) break;
    const mean = [sums[0] / count, sums[1] / count, sums[2] / count] as const;
    if (kept.every((other) => distance(other.mean, mean) >= APART_MIN)) kept.push({ mean, count });
  }
  return kept.map(({ mean, count }) => ({ colour: hex(mean), share: count / seen }));
}

const distance = (a: readonly [number, number, number], b: readonly [number, number, number]): number =>
  (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

const hex = (mean: readonly number[]): string =>
  `#${mean.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
