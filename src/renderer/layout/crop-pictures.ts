import { unionOf } from "../focus/cover-crop.ts";
import type { Box } from "../types.ts";
import { contained, inset, wholeBox } from "./boxes.ts";
import { type Brief, boxesOf, type Design, type PlacedPicture } from "./design.ts";
import { holds } from "./guarded-kept.ts";
import { densePart } from "./scrim-density.ts";
import { isRow } from "./shape-from-size.ts";

/**
 * Chooses what is shown of every photo of a design. Where its place cannot show all that is guarded, the photo stands
 * whole enough in it, on the surface or, in a story, on a blurred copy of itself; unless words lie on it.
 */
export function withCrops(design: Design, brief: Brief): Design {
  return { ...design, pictures: design.pictures.map((placed) => cropped(placed, design, brief)) };
}

function cropped(placed: PlacedPicture, design: Design, brief: Brief): PlacedPicture {
  if (placed.fill === "cut_out" || placed.shown !== null) return placed;
  const { role, box } = placed;
  const traits = role === "hero" ? brief.hero : brief.secondaryHero;
  const guarded = (traits?.guarded ?? []).map(({ whole }) => whole);
  const free = guarded.length === 0 ? placed.free : clearOfScrims(placed, design);
  const { shown } = brief.cropOf(role, box.width, box.height, free);
  const isWhole = guarded.every((part) => holds(shown, part));
  const hasWordsOn =
    design.scrimsOver === "pictures" && (design.scrims.length > 0 || design.textCard !== undefined);
  if (traits === null || isWhole || placed.fill !== "cover" || hasWordsOn) return { ...placed, free, shown };
  const together = unionOf(guarded);
  if (brief.shape === "story") return { ...placed, free, ...standing(box, traits.aspect, together, 0.5) };
  // A story's readers know blurred edges; elsewhere the photo is smaller than its place, with the surface around it.
  const margin = isRow(brief.shape) ? 0 : brief.scale.marginPx * 0.5;
  const stood = standing(inset(box, margin, margin), traits.aspect, together, acrossAs(design, brief));
  return { ...placed, free, box: stood.sharp, shown: stood.shown, isReduced: true };
}

/** Where a photo that is narrower than its place stands in it, 0..1: flush with the words. */
function acrossAs(design: Design, { width, look }: Brief): number {
  const boxes = boxesOf(design);
  if (look.layout.align === "center" || boxes.length === 0) return 0.5;
  const { x, width: wide } = unionOf(boxes);
  return x <= width - x - wide ? 0 : 1;
}

/**
 * A photo that stands whole enough in a place: the part of it, in shares, that has all of `together` and proportions as
 * near to the place's as can be, and where it stands; `across`, 0..1, is its position in the spare width.
 */
function standing(
  place: Box,
  aspect: number,
  together: Box,
  across: number,
): { readonly shown: Box; readonly sharp: Box } {
  const wanted = place.width / place.height / aspect;
  // In shares of the picture: a slim place takes its whole height and the width that is needed, a flat one the reverse.
  const width = wanted >= 1 ? 1 : Math.min(1, Math.max(wanted, together.width));
  const height = wanted >= 1 ? Math.min(1, Math.max(1 / wanted, together.height)) : 1;
  const shown = {
    x: Math.min(1 - width, Math.max(0, together.x + together.width / 2 - width / 2)),
    y: Math.min(1 - height, Math.max(0, together.y + together.height / 2 - height / 2)),
    width,
    height,
  };
  const sharp = wholeBox(contained(place, (aspect * width) / height, 0.5, across));
  return { shown, sharp };
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
