import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { partOf } from "../../box-geometry.ts";
import { contained, covering, inset, WHOLE, wholeBox } from "../design/boxes.ts";
import type { Brief, PictureTraits, PlacedPicture } from "../design/design.ts";
import { aspectRangeOf, gutterOf, type LengthRange, PAIR_SHARE } from "./whole-subject-range.ts";

/** Fills a region with both pictures of a duo, a gutter between them; `free` is the visible part of the region. */
export function coverDuo(brief: Brief, region: Box, free: Box): readonly PlacedPicture[] {
  const { hero, secondaryHero } = brief;
  if (hero === null || secondaryHero === null) return [];
  const [first, second] = splitRegion(hero, secondaryHero, region, gutterOf(brief));
  const seen = partOf(region, free);
  return [placeInPart("hero", hero, first, seen), placeInPart("secondary_hero", secondaryHero, second, seen)];
}

/**
 * Divides a region so that both pictures show their subjects whole and are cropped least, side by side or one above the
 * other, as equal in size as possible.
 */
export function splitRegion(one: PictureTraits, other: PictureTraits, region: Box, gap: number): [Box, Box] {
  const across = dividedAt(one, other, region.width - gap, region.height, false);
  const down = dividedAt(one, other, region.height - gap, region.width, true);
  // Cut-outs share one floor.
  const divisions = one.isCutOut && other.isCutOut ? [across] : [across, down];
  const best = bestScored(divisions, ({ worth }) => worth) ?? across;
  if (best === down) {
    return [
      { ...region, height: best.first },
      { ...region, y: region.y + best.first + gap, height: region.height - best.first - gap },
    ];
  }
  return [
    { ...region, width: best.first },
    { ...region, x: region.x + best.first + gap, width: region.width - best.first - gap },
  ];
}

interface Division {
  /** The first picture's length in pixels. */
  readonly first: number;
  /** Score of the crops, 0..1: falls slowly as a picture is cropped, and steeply where a subject is cut. */
  readonly worth: number;
}

function dividedAt(
  one: PictureTraits,
  other: PictureTraits,
  lengthPx: number,
  crossPx: number,
  isDown: boolean,
): Division {
  const along = (least: number, most: number): LengthRange =>
    isDown
      ? { least: crossPx / most, most: crossPx / least }
      : { least: crossPx * least, most: crossPx * most };
  const rangeOf = (traits: PictureTraits): LengthRange => {
    const { least, most } = aspectRangeOf(traits);
    return along(least, most);
  };
  const naturalOf = ({ aspect }: PictureTraits): number => along(aspect, aspect).least;
  const [mine, theirs] = [rangeOf(one), rangeOf(other)];
  const least = Math.max(mine.least, lengthPx - theirs.most, lengthPx * PAIR_SHARE.least);
  const most = Math.min(mine.most, lengthPx - theirs.least, lengthPx * PAIR_SHARE.most);
  // Two equal tiles, unless that cuts a subject.
  const wanted = least <= most ? Math.min(most, Math.max(least, lengthPx / 2)) : (least + most) / 2;
  const first = Math.round(
    Math.min(lengthPx * PAIR_SHARE.most, Math.max(lengthPx * PAIR_SHARE.least, wanted)),
  );
  const worthIn = (px: number, range: LengthRange, own: number): number => {
    const cut = Math.min(1, range.most / px) * Math.min(1, px / range.least);
    return cut * cut * cut * cut * Math.sqrt(Math.sqrt(Math.min(own / px, px / own)));
  };
  return {
    first,
    worth: worthIn(first, mine, naturalOf(one)) * worthIn(lengthPx - first, theirs, naturalOf(other)),
  };
}
/** A photo fills its part of the region; a cut-out is shown whole there, on a tinted cell. */
function placeInPart(
  role: PlacedPicture["role"],
  traits: PictureTraits,
  part: Box,
  seen: Box,
): PlacedPicture {
  const top = Math.max(part.y, seen.y);
  const bottom = Math.min(part.y + part.height, seen.y + seen.height);
  // A part that is at least 30 % hidden is laid out as if all of it were visible.
  const isSeen = bottom - top > part.height * 0.7;
  const shown = isSeen ? { ...part, y: top, height: bottom - top } : part;
  if (!traits.isCutOut) {
    const down = { y: (shown.y - part.y) / part.height, height: shown.height / part.height };
    return covering(role, part, { ...WHOLE, ...down });
  }
  const cell = wholeBox(part);
  const air = Math.max(2, Math.min(cell.width, cell.height) * 0.08);
  return {
    ...covering(role, contained(inset(shown, air, air), traits.aspect, 0.5), WHOLE),
    fill: "cut_out",
    footing: "floor",
    cell,
  };
}
