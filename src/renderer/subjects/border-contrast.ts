import type { Bounds } from "../box-geometry.ts";
import { normalised, type Plane } from "./planes.ts";

/** Depth of the strip along each side, relative to the longer edge. */
const STRIP_SHARE = 0.06;
const STRIP_PX_MIN = 2;
/** Variance floor for a strip of one flat colour, so that noise does not count as contrast. */
const VARIANCE_MIN = 0.0006;

/**
 * The distance of each pixel's colour from the colours along the picture's sides, in standard deviations of each strip;
 * the side that differs most is left out, because the subject may touch it (J. Zhang et al., "Minimum Barrier Salient
 * Object Detection at 80 FPS", 2015, section 3.3, with a diagonal covariance).
 */
export function borderContrast(planes: readonly [Plane, Plane, Plane]): Plane {
  const [{ width, height }] = planes;
  const deep = Math.max(STRIP_PX_MIN, Math.round(STRIP_SHARE * Math.max(width, height)));
  const strips: readonly Bounds[] = [
    { left: 0, top: 0, right: width, bottom: deep },
    { left: 0, top: height - deep, right: width, bottom: height },
    { left: 0, top: 0, right: deep, bottom: height },
    { left: width - deep, top: 0, right: width, bottom: height },
  ];
  const sum = new Float64Array(width * height);
  const most = new Float64Array(width * height);
  for (const strip of strips) {
    const contrast = contrastWith(strip, planes);
    let highest = 0;
    for (const value of contrast) highest = Math.max(highest, value);
    if (highest === 0) continue;
    for (let at = 0; at < sum.length; at += 1) {
      const value = (contrast[at] ?? 0) / highest;
      sum[at] = (sum[at] ?? 0) + value;
      if (value > (most[at] ?? 0)) most[at] = value;
    }
  }
  return normalised({ width, height, values: sum.map((value, at) => value - (most[at] ?? 0)) });
}

function contrastWith(strip: Bounds, planes: readonly [Plane, Plane, Plane]): Float64Array {
  const contrast = new Float64Array(planes[0].values.length);
  for (const plane of planes) {
    const { mean, variance } = momentsIn(strip, plane);
    const { values } = plane;
    for (let at = 0; at < contrast.length; at += 1) {
      const apart = (values[at] ?? 0) - mean;
      contrast[at] = (contrast[at] ?? 0) + (apart * apart) / variance;
    }
  }
  for (let at = 0; at < contrast.length; at += 1) contrast[at] = Math.sqrt(contrast[at] ?? 0);
  return contrast;
}

function momentsIn({ left, top, right, bottom }: Bounds, { width, values }: Plane) {
  let sum = 0;
  let squares = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const value = values[y * width + x] ?? 0;
      sum += value;
      squares += value * value;
    }
  }
  const count = Math.max(1, (right - left) * (bottom - top));
  const mean = sum / count;
  return { mean, variance: Math.max(VARIANCE_MIN, squares / count - mean * mean) };
}
