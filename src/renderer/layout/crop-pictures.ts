import { unionOf } from "../box-geometry.ts";
import type { Box } from "../types.ts";
import { type Brief, boxesOf, type Design, type PlacedPicture } from "./design/design.ts";
import { densePart } from "./design/scrim-density.ts";
import { extendedCrop } from "./pictures/extended-crop.ts";
import { holds } from "./pictures/protected-area-damage.ts";
import { standing } from "./pictures/standing-photo.ts";
import { shifted } from "./words/text-panel.ts";

/**
 * Chooses what is shown of every photo of a design. Where its place cannot show all protected areas, the photo stands
 * whole enough in it, on the surface, unless words lie on it.
 */
export function withCrops(design: Design, brief: Brief): Design {
  const pictures = design.pictures.map((placed) => cropped(placed, design, brief));
  return inSpareHeight({ ...design, pictures }, design.pictures);
}

/** Words over or under a photo that is lower than its place stand in the middle of what it leaves. */
function inSpareHeight(design: Design, before: readonly PlacedPicture[]): Design {
  const [photo, other] = design.pictures;
  const region = before[0]?.box;
  const words = boxesOf(design);
  if (photo?.isReduced !== true || region === undefined || other !== undefined || words.length === 0)
    return design;
  const { y, height } = unionOf(words);
  const spare = Math.round((region.height - photo.box.height) / 2);
  if (y >= region.y + region.height) return shifted(design, 0, -spare);
  return y + height <= region.y ? shifted(design, 0, spare) : design;
}

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
  const isFilling = placed.fill === "cover" || placed.isFlat === true;
  if (traits === null || isWhole || !isFilling || hasWordsOn) return { ...placed, free, shown };
  const together = unionOf(protectedAreas);
  const extended = extendedCrop(box, traits, together);
  if (extended !== null) return { ...placed, free, shown: extended };
  const stood = standing(box, traits.aspect, together, acrossAs(box, design, brief), downIn(box, brief));
  return { ...placed, free, box: stood.sharp, shown: stood.shown, isReduced: true };
}

/**
 * Where a photo that is lower than its place stands in it, 0..1: at the canvas's lower edge, else at its upper one. A framed
 * photo's place ends a little before them.
 */
function downIn({ y, height }: Box, { height: canvasHeight, scale }: Brief): number {
  if (y + height >= canvasHeight - scale.marginPx) return 1;
  return y <= scale.marginPx ? 0 : 0.5;
}

/**
 * Where a photo that is narrower than its place stands in it, 0..1: beside words at the far edge of the canvas, over or under
 * them flush with them.
 */
function acrossAs(region: Box, design: Design, { width, look }: Brief): number {
  const boxes = boxesOf(design);
  if (boxes.length === 0) return 0.5;
  const { x, width: wide } = unionOf(boxes);
  if (x + wide <= region.x) return 1;
  if (x >= region.x + region.width) return 0;
  if (look.layout.align === "center") return 0.5;
  return x <= width - x - wide ? 0 : 1;
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
