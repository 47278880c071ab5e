import { commonArea } from "../box-geometry.ts";
import type { Box } from "../types.ts";

/** Two boxes show one face when they share this much of what both cover, or when the smaller lies in the larger. */
const UNION_SHARE_MIN = 0.3;
const INSIDE_SHARE_MIN = 0.7;

export function isSameFace(one: Box, other: Box): boolean {
  const shared = commonArea(one, other);
  const [oneArea, otherArea] = [one.width * one.height, other.width * other.height];
  return (
    shared > UNION_SHARE_MIN * (oneArea + otherArea - shared) ||
    shared > INSIDE_SHARE_MIN * Math.min(oneArea, otherArea)
  );
}

/** The mean of boxes, in their order: a sum of floats depends on it. */
export function weightedMean(boxes: readonly { readonly box: Box; readonly weight: number }[]): Box {
  const total = boxes.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (read: (box: Box) => number): number =>
    boxes.reduce((sum, { box, weight }) => sum + read(box) * weight, 0) / total;
  return {
    x: mean((box) => box.x),
    y: mean((box) => box.y),
    width: mean((box) => box.width),
    height: mean((box) => box.height),
  };
}
