import { toOklab } from "../colour/oklab.ts";
import type { Raster } from "../types.ts";

/** One number a pixel, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

/** Chroma differences count more than they measure: a red thing on grey is seen first. */
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
