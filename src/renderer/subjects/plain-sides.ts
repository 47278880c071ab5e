import type { Plane } from "./planes.ts";
import type { PlainSides } from "./subject-map.ts";

/** How deep the strip along a side is, as a share of the picture. */
const STRIP_SHARE = 0.04;
/** The mean difference between neighbours along a plain strip, and the difference between its halves, in OKLab. */
const NEIGHBOUR_DIFFERENCE_MAX = 0.012;

/** Whether the strip along each side changes so slowly that its colours can go on beyond the edge. */
export function plainSidesOf(planes: readonly Plane[]): PlainSides {
  const isPlain = (side: keyof PlainSides): boolean =>
    planes.every((plane) => roughness(plane, side) <= NEIGHBOUR_DIFFERENCE_MAX);
  return {
    top: isPlain("top"),
    right: isPlain("right"),
    bottom: isPlain("bottom"),
    left: isPlain("left"),
  };
}

/** The mean absolute difference between neighbouring pixels of a side's strip. */
function roughness({ width, height, values }: Plane, side: keyof PlainSides): number {
  const isAcross = side === "top" || side === "bottom";
  const deep = Math.max(2, Math.round((isAcross ? height : width) * STRIP_SHARE));
  const [left, right] = side === "right" ? [width - deep, width] : side === "left" ? [0, deep] : [0, width];
  const [top, bottom] =
    side === "bottom" ? [height - deep, height] : side === "top" ? [0, deep] : [0, height];
  let sum = 0;
  let count = 0;
  for (let y = top; y < bottom - 1; y += 1) {
    for (let x = left; x < right - 1; x += 1) {
      const value = values[y * width + x] ?? 0;
      sum += Math.abs((values[y * width + x + 1] ?? 0) - value);
      sum += Math.abs((values[(y + 1) * width + x] ?? 0) - value);
      count += 2;
    }
  }
  return count === 0 ? 0 : sum / count;
}
