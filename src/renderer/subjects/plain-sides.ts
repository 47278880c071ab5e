import type { Plane } from "./planes.ts";
import type { PlainSides } from "./subject-map.ts";

/** How deep the strip along a side is, as a share of the picture. */
const STRIP_SHARE = 0.04;
/** The largest mean difference between neighbours in a plain strip, in OKLab. */
const NEIGHBOUR_DIFFERENCE_MAX = 0.012;

/** Parts of a strip, each of which must be plain; one may have an edge that crosses it, a table's for one. */
const PARTS = 12;
const PART_DIFFERENCE_MAX = 0.024;

/** Whether the strip along each side changes so slowly that its colours can go on beyond the edge. */
export function plainSidesOf(planes: readonly Plane[]): PlainSides {
  const isPlain = (side: keyof PlainSides): boolean =>
    planes.every((plane) => {
      const parts = Array.from({ length: PARTS }, (_, part) => roughness(plane, side, part));
      const mean = parts.reduce((sum, one) => sum + one, 0) / PARTS;
      return mean <= NEIGHBOUR_DIFFERENCE_MAX && Math.max(...parts) <= PART_DIFFERENCE_MAX;
    });
  return {
    top: isPlain("top"),
    right: isPlain("right"),
    bottom: isPlain("bottom"),
    left: isPlain("left"),
  };
}

/** The mean absolute difference between neighbouring pixels of one part of a side's strip. */
function roughness({ width, height, values }: Plane, side: keyof PlainSides, part: number): number {
  const isAcross = side === "top" || side === "bottom";
  const deep = Math.max(2, Math.round((isAcross ? height : width) * STRIP_SHARE));
  const along = isAcross ? width : height;
  const [from, to] = [
    Math.floor((along * part) / PARTS),
    Math.min(along - 1, Math.ceil((along * (part + 1)) / PARTS)),
  ];
  const first = side === "right" ? width - deep : side === "bottom" ? height - deep : 0;
  const [left, right] = isAcross ? [from, to] : [first, first + deep - 1];
  const [top, bottom] = isAcross ? [first, first + deep - 1] : [from, to];
  let sum = 0;
  let count = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const value = values[y * width + x] ?? 0;
      sum += Math.abs((values[y * width + x + 1] ?? 0) - value);
      sum += Math.abs((values[(y + 1) * width + x] ?? 0) - value);
      count += 2;
    }
  }
  return count === 0 ? 0 : sum / count;
}
