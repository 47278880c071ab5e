import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { contained, covering, inset, WHOLE, wholeBox } from "../design/boxes.ts";
import type { Brief, PictureTraits, PlacedPicture } from "../design/design.ts";

/** Shares of a region that the first picture may take, each with a factor: it is the larger, unless that cuts the other. */
const SHARES = [
  { share: 0.58, score: 1 },
  { share: 0.68, score: 0.94 },
  { share: 0.5, score: 0.95 },
  { share: 0.42, score: 0.88 },
];
/** A product with the empty space around it, as a factor of its size. */
const AIR = 1.12;

/** Fills a region with both pictures of a duo, a gutter between them; `free` is the part of it that is seen. */
export function coverDuo(brief: Brief, region: Box, free: Box): readonly PlacedPicture[] {
  const { hero, secondaryHero } = brief;
  if (hero === null || secondaryHero === null) return [];
  const gutter = Math.max(2, Math.round(Math.min(brief.width, brief.height) * 0.008));
  const [first, second] = splitRegion(hero, secondaryHero, region, gutter);
  const seen: Box = {
    x: region.x + region.width * free.x,
    y: region.y + region.height * free.y,
    width: region.width * free.width,
    height: region.height * free.height,
  };
  return [placeInPart("hero", hero, first, seen), placeInPart("secondary_hero", secondaryHero, second, seen)];
}

/** Divides a region so that most of both pictures is shown: side by side, or one over the other. */
export function splitRegion(one: PictureTraits, other: PictureTraits, region: Box, gap: number): [Box, Box] {
  // Cut-outs share one floor.
  const divisions = one.isCutOut && other.isCutOut ? [sideBySide] : [sideBySide, oneOverOther];
  const splits = divisions.flatMap((divide) =>
    SHARES.map(({ share, score }) => ({ parts: divide(region, share, gap), score })),
  );
  const best = bestScored(
    splits,
    ({ parts, score }) => shownOf(one, aspectOf(parts[0])) * shownOf(other, aspectOf(parts[1])) * score,
  );
  return best?.parts ?? [region, region];
}

function sideBySide(region: Box, share: number, gap: number): [Box, Box] {
  const first = Math.round((region.width - gap) * share);
  return [
    { ...region, width: first },
    { ...region, x: region.x + first + gap, width: region.width - first - gap },
  ];
}

function oneOverOther(region: Box, share: number, gap: number): [Box, Box] {
  const first = Math.round((region.height - gap) * share);
  return [
    { ...region, height: first },
    { ...region, y: region.y + first + gap, height: region.height - first - gap },
  ];
}

const aspectOf = ({ width, height }: Box): number => Math.max(1, width) / Math.max(1, height);

/** How much of a picture's subject a box of an aspect shows, 0..1. A cut-out is shown whole, but smaller. */
function shownOf({ aspect, isCutOut, subjectBox }: PictureTraits, boxAspect: number): number {
  const across = Math.min(1, boxAspect / aspect);
  const down = Math.min(1, aspect / boxAspect);
  if (isCutOut || subjectBox === null) return Math.sqrt(across * down);
  const whole =
    Math.min(1, across / Math.min(1, subjectBox.width * AIR)) *
    Math.min(1, down / Math.min(1, subjectBox.height * AIR));
  return whole ** 3 * (across * down) ** 0.25;
}

/** A photo covers its part; a cut-out stands whole in it, on a tinted cell. */
export function placeInPart(
  role: PlacedPicture["role"],
  traits: PictureTraits,
  part: Box,
  seen: Box,
): PlacedPicture {
  const top = Math.max(part.y, seen.y);
  const bottom = Math.min(part.y + part.height, seen.y + seen.height);
  // A part of which little is seen is laid out as if all of it were.
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
