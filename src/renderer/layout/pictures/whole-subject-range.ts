import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import type { Brief, PictureTraits } from "../design/design.ts";

/** A range of a region's lengths in pixels, or of its aspects (width / height). */
export interface LengthRange {
  readonly least: number;
  readonly most: number;
}

/** Minimum visible fraction of a photo's width and height: less is a sliver, however small the subject. */
const KEPT_MIN = 0.34;
/** Size of a product with the space around it on its plain background, relative to the product. */
const AIR = 1.12;
/** Maximum factor between the aspects of a cut-out and its region. A cut-out is always whole in its region. */
const CUT_OUT_DRIFT = 2.2;
/** Tolerance for rounding to pixels. */
const SLACK = 0.004;

/** Aspects (width / height) at which a region filled by the photo shows the whole subject. */
export function aspectRangeOf(traits: PictureTraits): LengthRange {
  const { aspect, isCutOut, protectedAreas, subjectBox } = traits;
  if (isCutOut) return { least: aspect / CUT_OUT_DRIFT, most: aspect * CUT_OUT_DRIFT };
  const areas = protectedAreas.map(({ whole }) => whole);
  const { width, height } = areas.length > 0 ? unionOf(areas) : keptOf(subjectBox);
  // A wider region shows the photo's full width and less of its height; a narrower region shows the full height.
  return {
    least: aspect * Math.min(1, Math.max(KEPT_MIN, width) + SLACK),
    most: aspect / Math.min(1, Math.max(KEPT_MIN, height) + SLACK),
  };
}

const keptOf = (subject: Box | null): Pick<Box, "width" | "height"> =>
  subject === null
    ? { width: KEPT_MIN, height: KEPT_MIN }
    : { width: subject.width * AIR, height: subject.height * AIR };

/** Minimum and maximum fraction of a duo's region for one photo, so that neither photo becomes a narrow strip. */
export const PAIR_SHARE = { least: 0.3, most: 0.7 } as const;

/** Gap between the two photos of a duo. */
export const gutterOf = ({ width, height }: Pick<Brief, "width" | "height">): number =>
  Math.max(2, Math.round(Math.min(width, height) * 0.012));

/**
 * Ranges of a region's length along `axis`, in pixels, at which the hero fills the region with its subject whole. The
 * region is `crossPx` long along the other axis. For a duo, both photos fill the region, side by side or one above the
 * other.
 */
export function wholeLengths(brief: Brief, axis: "across" | "down", crossPx: number): readonly LengthRange[] {
  const ranges = [brief.hero, brief.secondaryHero].flatMap((traits) => {
    if (traits === null) return [];
    const { least, most } = aspectRangeOf(traits);
    return axis === "across" ? { least, most } : { least: 1 / most, most: 1 / least };
  });
  const [one, other] = ranges;
  if (one === undefined) return [];
  if (other === undefined) return [{ least: crossPx * one.least, most: crossPx * one.most }];
  const gap = gutterOf(brief);
  const { least, most } = PAIR_SHARE;
  const wide = Math.max(one.least, other.least);
  const narrow = Math.min(one.most, other.most);
  const rest = crossPx - gap;
  // Two equal tiles look like a pair. A story may also have unequal tiles, because equal tiles could be too short.
  const equal = [
    { least: crossPx * wide * 2 + gap, most: crossPx * narrow * 2 + gap },
    { least: (rest / 2) * wide, most: (rest / 2) * narrow },
  ];
  if (wide <= narrow && brief.shape !== "story") return equal;
  return [
    ...(wide <= narrow ? equal : []),
    {
      least: crossPx * Math.max(one.least + other.least, wide / most) + gap,
      most: crossPx * Math.min(one.most + other.most, narrow / least) + gap,
    },
    {
      least: rest * Math.max(1 / (1 / one.least + 1 / other.least), wide * least),
      most: rest * Math.min(1 / (1 / one.most + 1 / other.most), narrow * most),
    },
  ];
}

/** The length in any of the ranges that is nearest to `wanted`; null if no range contains a whole number. */
export function nearestLength(ranges: readonly LengthRange[], wanted: number): number | null {
  let nearest: number | null = null;
  for (const { least, most } of ranges) {
    if (Math.floor(most) < Math.ceil(least)) continue;
    const length = Math.min(Math.floor(most), Math.max(Math.ceil(least), Math.round(wanted)));
    if (nearest === null || Math.abs(length - wanted) < Math.abs(nearest - wanted)) nearest = length;
  }
  return nearest;
}
