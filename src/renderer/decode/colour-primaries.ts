import { D50 } from "./icc-device.ts";

/** Chromaticities of a display's white point and primaries, as in PNG's cHRM. */
export interface Primaries {
  readonly white: Chromaticity;
  readonly red: Chromaticity;
  readonly green: Chromaticity;
  readonly blue: Chromaticity;
}

export type Chromaticity = readonly [x: number, y: number];

/** XYZ, or one row of a matrix. */
export type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const D65: Chromaticity = [0.3127, 0.329];

/** IEC 61966-2-1. */
export const SRGB_PRIMARIES: Primaries = {
  white: D65,
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
};

/** ITU-T H.273, table 2: value 12 is SMPTE EG 432-1, Display P3 with the curve of sRGB. */
export const DISPLAY_P3_PRIMARIES: Primaries = {
  white: D65,
  red: [0.68, 0.32],
  green: [0.265, 0.69],
  blue: [0.15, 0.06],
};

/** ITU-T H.273, table 2: value 9. */
export const BT2020_PRIMARIES: Primaries = {
  white: D65,
  red: [0.708, 0.292],
  green: [0.17, 0.797],
  blue: [0.131, 0.046],
};

/** The linear Bradford transform, by which ICC profiles adapt to D50 (ICC.1:2022, E.3). */
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** Below this determinant the primaries count as linearly dependent. */
const DETERMINANT_MIN = 1e-4;

/**
 * XYZ of the primaries relative to D50: the matrix columns of an ICC profile. Null when no mixture of the primaries
 * yields the white point.
 */
export function primariesToXyz({ white, red, green, blue }: Primaries): Matrix | null {
  if ([white, red, green, blue].some(([x, y]) => !(x >= 0 && y > 0 && x + y <= 1))) return null;
  const [r, g, b, w] = [xyzAt(red), xyzAt(green), xyzAt(blue), xyzAt(white)];
  const inverse = inverseOf(transposed([r, g, b]));
  const cones = inverseOf(BRADFORD);
  if (inverse === null || cones === null) return null;
  const strengths = times(inverse, w);
  // White needs a positive amount of each primary.
  if (strengths.some((strength) => strength <= 0)) return null;
  const from = times(BRADFORD, w);
  const to = times(BRADFORD, D50);
  const adapted = ([x, y, z]: Triple, strength: number): Triple => {
    const [long, medium, short] = times(BRADFORD, [x * strength, y * strength, z * strength]);
    return times(cones, [(long * to[0]) / from[0], (medium * to[1]) / from[1], (short * to[2]) / from[2]]);
  };
  return [adapted(r, strengths[0]), adapted(g, strengths[1]), adapted(b, strengths[2])];
}

const xyzAt = ([x, y]: Chromaticity): Triple => [x / y, 1, (1 - x - y) / y];

const dot = (one: Triple, other: Triple): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

const times = ([first, second, third]: Matrix, value: Triple): Triple => [
  dot(first, value),
  dot(second, value),
  dot(third, value),
];

const transposed = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];

const cross = ([a, b, c]: Triple, [x, y, z]: Triple): Triple => [b * z - c * y, c * x - a * z, a * y - b * x];

function inverseOf([a, b, c]: Matrix): Matrix | null {
  const [first, second, third] = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = dot(a, first);
  if (Math.abs(determinant) < DETERMINANT_MIN) return null;
  const scaled = ([x, y, z]: Triple): Triple => [x / determinant, y / determinant, z / determinant];
  return transposed([scaled(first), scaled(second), scaled(third)]);
}
