import type { SharePoint } from "../focus/focal-point.ts";
import { emphasiseSubject } from "../focus/plain-background.ts";
import { inShares, type ProtectedArea, protectedAreasOf } from "../focus/protected-areas.ts";
import type { SaliencyMap } from "../focus/saliency.ts";
import type { Box, Placement } from "../types.ts";
import type { Picture } from "./prepared-pack.ts";

/** How far around a given point a picture matters, as a share of its edges, and how much the rest still does. */
const POINT_REACH = 0.3;
const REST_SHARE = 0.3;

/** A picture as its placement directs the eye: what matters in it is what the caller named. */
export function directed(picture: Picture, placement: Placement | undefined): Picture {
  if (placement === undefined) return picture;
  if ("keep" in placement) {
    const { keep } = placement;
    const saliency = emphasiseSubject(picture.saliency, keep);
    const focalPoint = { x: keep.x + keep.width / 2, y: keep.y + keep.height / 2 };
    return { ...picture, placement, saliency, focalPoint };
  }
  const { focalPoint } = placement;
  return { ...picture, placement, focalPoint, saliency: aroundPoint(picture.saliency, focalPoint) };
}

function aroundPoint({ width, height, values }: SaliencyMap, { x, y }: SharePoint): SaliencyMap {
  return {
    width,
    height,
    values: values.map((value, at) => {
      const across = ((at % width) + 0.5) / width - x;
      const down = (Math.floor(at / width) + 0.5) / height - y;
      const apart = Math.sqrt(across * across + down * down);
      return Math.max(REST_SHARE * value, 1 - apart / POINT_REACH);
    }),
  };
}

/** The protected areas of a picture, in shares of the upright picture. */
export const protectedAreasIn = ({ faces, placement, subjects }: Picture): readonly ProtectedArea[] =>
  protectedAreasOf(faces, placement, subjects?.main ?? null);

/** The protected areas of a picture, in shares of what is visible of it. */
export function protectedAreasInVisible(picture: Picture): readonly ProtectedArea[] {
  const { bounds, pyramid, isCutOut } = picture;
  const parts = protectedAreasIn(picture);
  if (!isCutOut) return parts;
  const { width, height } = pyramid.base;
  const visible: Box = {
    x: bounds.x / width,
    y: bounds.y / height,
    width: bounds.width / width,
    height: bounds.height / height,
  };
  return parts.map(({ kind, whole, core }) => ({
    kind,
    whole: inShares(whole, visible),
    core: inShares(core, visible),
  }));
}
