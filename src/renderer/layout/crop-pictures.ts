import { unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import type { Brief, Design, PictureTraits, PlacedPicture } from "./design/design.ts";
import { contains, densePart } from "./pictures/protected-area-damage.ts";

/** Crops the photos of a design, except those that its composition has already cropped. */
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
  const isWhole = protectedAreas.every((part) => contains(shown, part));
  const hasWordsOn =
    design.scrimsOver === "pictures" && (design.scrims.length > 0 || design.textCard !== undefined);
  if (traits === null || isWhole || placed.fill !== "cover" || hasWordsOn) return { ...placed, free, shown };
  // If the crop would cut the subject, show more of the photo and extend its plain background.
  return { ...placed, free, shown: extendedCrop(box, traits, unionOf(protectedAreas)) ?? shown };
}

/** Minimum width and height of the free part beside scrims, as fractions of the region. */
const CLEAR_SHARE_MIN = 0.2;

/** The free part of a photo's region (fractions) outside dense scrims: a face must not lie under them. */
function clearOfScrims({ box, free }: PlacedPicture, design: Design): Box {
  if (design.scrimsOver === "background") return free;
  let { x, y, width, height } = free;
  for (const scrim of design.scrims) {
    const dense = densePart(scrim);
    if (dense === null) continue;
    if (scrim.axis === "down") {
      const from = (dense.y - box.y) / box.height;
      const to = from + dense.height / box.height;
      // A scrim at the bottom removes the end of the free part, and one at the top its start.
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

/** Gap between a subject and the edges of its region, as a fraction of the subject. */
const AIR = 0.04;

/**
 * The crop of a photo (fractions) that fills a region, contains all of `together` and may extend past the photo's plain
 * sides. Null if it would extend past a side that is not plain.
 */
export function extendedCrop(
  place: Pick<Box, "width" | "height">,
  { aspect, textBackground }: PictureTraits,
  together: Box,
): Box | null {
  if (textBackground === null) return null;
  const { top, right, bottom, left } = textBackground.plainSides;
  const wide = place.width / place.height / aspect;
  const height = Math.max(
    withAir(together.height, top || bottom),
    withAir(together.width, left || right) / wide,
  );
  const x = startOf(together.x, together.width, height * wide, left, right);
  const y = startOf(together.y, together.height, height, top, bottom);
  return x === null || y === null ? null : { x, y, width: height * wide, height };
}

/**
 * A subject's length with a gap at both ends, in fractions of the photo: at most 1, unless the photo can be extended at
 * an end.
 */
const withAir = (length: number, isPlain: boolean): number =>
  Math.min(length * (1 + AIR * 2), isPlain ? Number.POSITIVE_INFINITY : 1);

/**
 * The start of a window centred on the subject. The window may extend past the photo only at plain ends; null if it
 * would then cut the subject.
 */
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

/** Tolerance for rounding errors, because crops are sums of fractions. */
const SLACK = 1e-9;
