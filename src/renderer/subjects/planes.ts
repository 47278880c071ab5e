import { toOklab } from "../colour/oklab.ts";
import type { Raster } from "../types.ts";

/** One number per pixel, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

/** Extra weight of chroma differences: a red object on grey is noticed first. */
const CHROMA_TIMES = 2;

/** Lightness and the two colour axes of a picture, in OKLab. */
export function planesOf({ width, height, pixels }: Raster): readonly [Plane, Plane, Plane] {
  const count = width * height;
  const [l, a, b] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let at = 0, index = 0; index < count; at += 4, index += 1) {
    const lab = toOklab({ r: pixels[at] ?? 0, g: pixels[at + 1] ?? 0, b: pixels[at + 2] ?? 0 });
    l[index] = lab.l;
    a[index] = lab.a * CHROMA_TIMES;
    b[index] = lab.b * CHROMA_TIMES;
  }
  const plane = (values: Float64Array): Plane => ({ width, height, values });
  return [plane(l), plane(a), plane(b)];
}

/** The length of the lightness gradient at each pixel, by central differences. */
export function edgesOf({ width, height, values }: Plane): Plane {
  const edges = new Float64Array(values.length);
  for (let y = 0; y < height; y += 1) {
    const [above, below] = [Math.max(0, y - 1) * width, Math.min(height - 1, y + 1) * width];
    for (let x = 0; x < width; x += 1) {
      const row = y * width;
      const across =
        (values[row + Math.min(width - 1, x + 1)] ?? 0) - (values[row + Math.max(0, x - 1)] ?? 0);
      const down = (values[below + x] ?? 0) - (values[above + x] ?? 0);
      edges[row + x] = Math.sqrt(across * across + down * down);
    }
  }
  return { width, height, values: edges };
}

/** The sum of the planes, scaled to a maximum of 1. */
export function sumOf(planes: readonly [Plane, ...Plane[]]): Plane {
  const [{ width, height }] = planes;
  const values = new Float64Array(width * height);
  for (const plane of planes) {
    plane.values.forEach((value, at) => {
      values[at] = (values[at] ?? 0) + value;
    });
  }
  return normalised({ width, height, values });
}

/** The plane scaled to a maximum of 1. */
export function normalised({ width, height, values }: Plane): Plane {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return { width, height, values: most === 0 ? values : values.map((value) => value / most) };
}
