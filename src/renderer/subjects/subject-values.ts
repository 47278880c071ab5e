import type { ObjectPlanes } from "./main-object.ts";
import { normalised, type Plane } from "./planes.ts";

/** Edges count a little where the background reaches, too: a subject may have the background's colours. */
const BARRIER_FLOOR = 0.1;
/** Smoothing, in pixels of a thumbnail of 128. */
const RADIUS_PX = 2;
/** A pixel in a corner counts this much less than one in the middle: photographers centre what matters. */
const CORNER_LOSS = 0.7;

/** How much each pixel belongs to an object, 0..1: sharp edges where the background does not reach, nearer the middle. */
export function subjectValues({ barrier, edges }: ObjectPlanes): Plane {
  const { width, height } = barrier;
  const raw = edges.values.map((edge, at) => edge * ((barrier.values[at] ?? 0) + BARRIER_FLOOR));
  const { values } = normalised({ width, height, values: smoothed(raw, width, height) });
  return {
    width,
    height,
    values: values.map((value, at) => {
      const across = ((at % width) + 0.5) / width - 0.5;
      const down = (Math.floor(at / width) + 0.5) / height - 0.5;
      return value * (1 - CORNER_LOSS * 2 * (across * across + down * down));
    }),
  };
}

/** Means over a square around each pixel. */
function smoothed(values: Float64Array, width: number, height: number): Float64Array {
  const acrossed = averaged(values, { length: width, lines: height, step: 1, stride: width });
  return averaged(acrossed, { length: height, lines: width, step: width, stride: 1 });
}

interface Lines {
  readonly length: number;
  readonly lines: number;
  readonly step: number;
  readonly stride: number;
}

function averaged(from: Float64Array, { length, lines, step, stride }: Lines): Float64Array {
  const to = new Float64Array(from.length);
  for (let line = 0; line < lines; line += 1) {
    for (let i = 0; i < length; i += 1) {
      const [low, high] = [Math.max(0, i - RADIUS_PX), Math.min(length - 1, i + RADIUS_PX)];
      let sum = 0;
      for (let k = low; k <= high; k += 1) sum += from[line * stride + k * step] ?? 0;
      to[line * stride + i * step] = sum / (high - low + 1);
    }
  }
  return to;
}
