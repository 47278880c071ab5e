import { inShares } from "../box-geometry.ts";
import { coverCrop } from "../focus/cover-crop.ts";
import type { SharePoint } from "../focus/focal-point.ts";
import { emphasiseSubject } from "../focus/plain-background.ts";
import { type ProtectedArea, protectedAreasOf } from "../focus/protected-areas.ts";
import type { SaliencyMap } from "../focus/saliency.ts";
import { WHOLE } from "../layout/design/boxes.ts";
import type { CropOf, PictureCrop } from "../layout/index.ts";
import type { Box, Placement } from "../types.ts";
import type { Picture } from "./prepared-pack.ts";

/** The part of a picture that fills a region, with its subject in the free part; fractions of the upright picture. */
export function coverPart(picture: Picture, boxWidth: number, boxHeight: number, free: Box): Box {
  const { saliency, focalPoint, placement, pyramid } = picture;
  const { width, height } = pyramid.base;
  const part = coverCrop({
    sourceWidth: width,
    sourceHeight: height,
    boxWidth,
    boxHeight,
    free,
    saliency,
    focalPoint,
    isFocusGiven: placement !== undefined && "focalPoint" in placement,
    protectedAreas: protectedAreasIn(picture).map(({ whole }) => whole),
  });
  return { x: part.x / width, y: part.y / height, width: part.width / width, height: part.height / height };
}

/** Returns a memoized function for the crop of each picture in a region. */
export function cropsOf(hero: Picture | null, secondaryHero: Picture | null): CropOf {
  const known = new Map<string, PictureCrop>();
  return (role, width, height, free) => {
    const key = [role, width, height, free.x, free.y, free.width, free.height].join();
    const found = known.get(key);
    if (found !== undefined) return found;
    const picture = role === "hero" ? hero : secondaryHero;
    const crop = picture === null ? NOTHING : cropOf(picture, width, height, free);
    known.set(key, crop);
    return crop;
  };
}

const NOTHING: PictureCrop = { shown: WHOLE, enlargement: 1, salience: () => 1 };

function cropOf(picture: Picture, width: number, height: number, free: Box): PictureCrop {
  const shown = coverPart(picture, width, height, free);
  return {
    shown,
    enlargement: Math.max(
      width / (shown.width * picture.sourceWidth),
      height / (shown.height * picture.sourceHeight),
    ),
    salience: () => salienceIn(picture.saliency, shown),
  };
}

/** The fraction 0..1 of a map's saliency in a box (fractions); only saliency above average counts. */
function salienceIn(map: SaliencyMap, { x, y, ...box }: Box): number {
  const { width, height } = map;
  const { over, sum } = overAverage(map);
  let inside = 0;
  for (let row = 0; row < height; row += 1) {
    const down = (row + 0.5) / height;
    if (down < y || down > y + box.height) continue;
    for (let column = 0; column < width; column += 1) {
      const across = (column + 0.5) / width;
      if (across >= x && across <= x + box.width) inside += over[row * width + column] ?? 0;
    }
  }
  return sum === 0 ? 1 : inside / sum;
}

interface OverAverage {
  /** Per pixel: the square of the saliency above the mean, 0 below. */
  readonly over: Float64Array;
  readonly sum: number;
}

/** Cached per map: a layout asks about many parts of one picture. */
const knownOvers = new WeakMap<SaliencyMap, OverAverage>();

function overAverage(map: SaliencyMap): OverAverage {
  const known = knownOvers.get(map);
  if (known !== undefined) return known;
  const { values } = map;
  let total = 0;
  for (const value of values) total += value;
  const mean = total / Math.max(1, values.length);
  const over = values.map((value) => Math.max(0, value - mean) ** 2);
  let sum = 0;
  for (const value of over) sum += value;
  const found: OverAverage = { over, sum };
  knownOvers.set(map, found);
  return found;
}

/**
 * Radius of the important area around the caller's focal point, as a fraction of the picture's edges, and the factor of
 * the saliency outside this area.
 */
const POINT_REACH = 0.3;
const REST_SHARE = 0.3;

/** A picture whose saliency follows its placement: the area or point that the caller named counts most. */
export function withPlacement(picture: Picture, placement: Placement | undefined): Picture {
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

/** The protected areas of a picture, in fractions of the upright picture. */
const protectedAreasIn = ({ faces, placement, subjects }: Picture): readonly ProtectedArea[] =>
  protectedAreasOf(faces, placement, subjects?.main ?? null);

/** The protected areas of a picture, in fractions of its visible part. */
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
