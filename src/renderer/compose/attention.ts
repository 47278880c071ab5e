import type { Bounds } from "../box-geometry.ts";
import type { PlacedPicture } from "../layout/index.ts";
import type { Box } from "../types.ts";
import { shownPart } from "./draw-picture.ts";
import type { Picture } from "./prepared-pack.ts";

/**
 * If at most this fraction of an area is on a shape, the area touches only the shape's antialiased rim, which does not
 * count.
 */
const TOUCHED_SHARE_MAX = 0.03;
/** Minimum saliency of a striking part of a photo, and the weight of such a part. */
const STRIKING_MIN = 0.6;
const STRIKING_WEIGHT = 2.4;
/** A cell of a cut-out's saliency map with more than this value shows a part of its shape. */
const SHAPE_MIN = 0.04;

/**
 * Fraction 0..1 of a placed picture's importance under an area of the canvas: the mean of its saliency, or 1 if the
 * area touches a head, a product on a plain background, or a cut-out's shape.
 */
export function attentionIn(picture: Picture, placed: PlacedPicture): (area: Box) => number {
  const shown = shownPart(picture, placed);
  const { base } = picture.pyramid;
  const { box } = placed;
  // Fractions 0..1 of the upright picture.
  const across = (x: number): number => (shown.x + ((x - box.x) / box.width) * shown.width) / base.width;
  const down = (y: number): number => (shown.y + ((y - box.y) / box.height) * shown.height) / base.height;
  const heads = picture.faces.map(({ head }) => head);
  const solid = picture.subjectBox === null ? heads : [...heads, picture.subjectBox];
  return (area) => {
    const [left, right] = [Math.max(area.x, box.x), Math.min(area.x + area.width, box.x + box.width)];
    const [top, bottom] = [Math.max(area.y, box.y), Math.min(area.y + area.height, box.y + box.height)];
    if (left >= right || top >= bottom) return 0;
    const seen = { left: across(left), right: across(right), top: down(top), bottom: down(bottom) };
    if (solid.some((other) => isTouching(seen, other))) return 1;
    return attentionTo(picture, seen, ((right - left) * (bottom - top)) / (area.width * area.height));
  };
}

/** Importance 0..1 of the part `seen` of a picture, which is under the fraction `share` of the area. */
function attentionTo({ saliency, isCutOut }: Picture, seen: Bounds, share: number): number {
  const { width, height, values } = saliency;
  let sum = 0;
  let touched = 0;
  let striking = 0;
  let count = 0;
  for (let row = Math.floor(seen.top * height); row < Math.ceil(seen.bottom * height); row += 1) {
    for (let column = Math.floor(seen.left * width); column < Math.ceil(seen.right * width); column += 1) {
      const value = values[row * width + column] ?? 0;
      sum += value;
      if (value > SHAPE_MIN) touched += 1;
      if (value > STRIKING_MIN) striking += 1;
      count += 1;
    }
  }
  if (count === 0) return 0;
  if (isCutOut && touched > count * TOUCHED_SHARE_MAX) return 1;
  // The part of the area outside the picture covers nothing important.
  return Math.min(1, Math.max(sum, striking * STRIKING_WEIGHT) / count) * share;
}

const isTouching = (seen: Bounds, other: Box): boolean =>
  seen.left < other.x + other.width &&
  other.x < seen.right &&
  seen.top < other.y + other.height &&
  other.y < seen.bottom;
