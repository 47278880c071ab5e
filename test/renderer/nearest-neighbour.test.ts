import { describe, expect, it } from "vitest";
import { nearestNeighbour } from "#renderer/encode/colour-quantiser.ts";
import { seededRandom } from "../support/pictures.ts";

/** Guarantee: the search that measures few points finds the same point as measuring all of them. */

const SEED = 20261121;

function plainlyNearest(points: Float64Array, a: number, b: number, c: number): number {
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let at = 0; at < points.length; at += 3) {
    const [da, db, dc] = [a - (points[at] ?? 0), b - (points[at + 1] ?? 0), c - (points[at + 2] ?? 0)];
    const distance = da * da + db * db + dc * dc;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = at / 3;
    }
  }
  return best;
}

describe(`the nearest of a palette's points (seed ${SEED})`, () => {
  it.each([1, 2, 17, 256])("among %d points, the first if several are equally near", (count) => {
    const random = seededRandom(SEED + count);
    for (const grain of [0, 16]) {
      // A coarse grid gives coinciding points and equal distances.
      const coordinate = (least: number, most: number): number => {
        const value = least + random() * (most - least);
        return grain === 0 ? value : Math.round(value / grain) * grain;
      };
      const uint24 = () => [coordinate(0, 255), coordinate(-150, 150), coordinate(-100, 100)] as const;
      const points = Float64Array.from(Array.from({ length: count }, uint24).flat());
      const nearest = nearestNeighbour(points);
      for (let asked = 0; asked < 2_000; asked += 1) {
        const [a, b, c] = uint24();
        expect(nearest(a, b, c)).toBe(plainlyNearest(points, a, b, c));
      }
    }
  });
});
