import { unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import type { Brief, Design, PictureTraits, PlacedPicture } from "./design/design.ts";
import { densePart, holds } from "./pictures/protected-area-damage.ts";

/** Chooses what is shown of every photo of a design; what a composition has chosen itself stays. */
export const withCrops = (design: Design, brief: Brief): Design => ({
  ...design,
  pictures: design.pictures.map((placed) => cropped(placed, design, brief)),
});

function cropped(placed: PlacedPicture, design: Design, brief: Brief): PlacedPicture {
  if (placed.fill === "cut_out" || placed.shown !== null) return placed;
  const { role, box } = placed;
  const traits = role === "hero" ? brief.hero : brief.secondaryHero;
  const protectedAreas = (traits?.protectedAreas ?? []).map(({ whole }) => whole);
  const free = protectedAreas.length === 0 ? placed.free : clearOfScrims(placed, design);
  const { shown } = brief.cropOf(role, box.width, box.height, free);
  const isWhole = protectedAreas.every((part) => holds(shown, part));
  const hasWordsOn =
    design.scrimsOver === "pictures" && (design.scrims.length > 0 || design.textCard !== undefined);
  if (traits === null || isWhole || placed.fill !== "cover" || hasWordsOn) return { ...placed, free, shown };
  // Where the photo's own proportions cut the subject, its plain background goes on.
  return { ...placed, free, shown: extendedCrop(box, traits, unionOf(protectedAreas)) ?? shown };
}

/** The least of a place that a subject is given beside scrims, as a share of it. */
const CLEAR_SHARE_MIN = 0.2;

/** The free part of a photo's place (shares) without what dense scrims lie on: a face may not stand there. */
function clearOfScrims({ box, free }: PlacedPicture, design: Design): Box {
  if (design.scrimsOver === "background") return free;
  let { x, y, width, height } = free;
  for (const scrim of design.scrims) {
    const dense = densePart(scrim);
    if (dense === null) continue;
    if (scrim.axis === "down") {
      const from = (dense.y - box.y) / box.height;
      const to = from + dense.height / box.height;
      // A scrim at the foot takes the end of the free part, one at the head its start.
      if (from > y && from < y + height) height = from - y;
      else if (to > y && to < y + height) [y, height] = [to, y + height - to];
    } else {
      const from = (dense.x - box.x) / box.width;
      const to = from + dense.width / box.width;
      if (from > x && from < x + width) width = from - x;
      else if (to > x && to < x + width) [x, width] = [to, x + width - to];
    }
  }
  return width < CLEAR_SHARE_MIN || height < CLEAR_SHARE_MIN ? free : { x, y, width, height };
}

/** Between a subject and the edges of its place, as a share of the subject. */
const AIR = 0.04;

/**
 * The part of a photo (shares) that fills a place and has all of `together` in it, reaching over the photo's plain sides; null
 * where those that it would reach over are not plain.
 */
export function extendedCrop(
  place: Pick<Box, "width" | "height">,
  { aspect, ground }: PictureTraits,
  together: Box,
): Box | null {
  if (ground === null) return null;
  const { top, right, bottom, left } = ground.plainSides;
  const wide = place.width / place.height / aspect;
  const height = Math.max(
    withAir(together.height, top || bottom),
    withAir(together.width, left || right) / wide,
  );
  const x = startOf(together.x, together.width, height * wide, left, right);
  const y = startOf(together.y, together.height, height, top, bottom);
  return x === null || y === null ? null : { x, y, width: height * wide, height };
}

/** A length with air at both ends, within the photo unless it goes on beyond one of them. */
const withAir = (length: number, isPlain: boolean): number =>
  Math.min(length * (1 + AIR * 2), isPlain ? Number.POSITIVE_INFINITY : 1);

/** Where a window starts that has a stretch in its middle, over its plain ends only; null where that cuts the stretch. */
function startOf(
  from: number,
  length: number,
  window: number,
  isPlainBefore: boolean,
  isPlainAfter: boolean,
): number | null {
  let start = from + length / 2 - window / 2;
  if (!isPlainAfter) start = Math.min(start, 1 - window);
  if (!isPlainBefore) start = Math.max(start, 0);
  const isInPhoto = isPlainAfter || start + window <= 1 + SLACK;
  return isInPhoto && start <= from + SLACK && start + window >= from + length - SLACK ? start : null;
}

/** Shares of a photo are sums of shares: they have an error. */
const SLACK = 1e-9;
