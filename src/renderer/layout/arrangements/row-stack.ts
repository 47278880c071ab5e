import { inset } from "../design/boxes.ts";
import {
  type Brief,
  type Design,
  hasKeyAreas,
  isHeroOnSurface,
  type PlacedPicture,
  type Scrim,
} from "../design/design.ts";
import { showsProtectedAreas } from "../pictures/protected-area-damage.ts";
import { rowPictures } from "../pictures/row-pictures.ts";
import { fitPanel } from "../words/text-panel.ts";

/** Strips of at least this aspect (width / height) have room for logo, text and button side by side. */
const ASPECT_MAX = 2.6;
/** Widths of a portrait beside the text, as multiples of the canvas height, the preferred one first. */
const PORTRAIT_WIDTHS = [0.9, 0.75, 0.6];

/**
 * A strip too narrow for a row: the logo above the text, with a portrait beside both if its faces stay whole. Null if
 * the text does not fit or the picture is not a portrait. `scrims` are drawn over a background.
 */
export function stackedRow(brief: Brief, scrims: readonly Scrim[]): Design | null {
  const { width, height, hero } = brief;
  if (width >= height * ASPECT_MAX) return null;
  if (hero === null) {
    const panel = wordsAfter(brief, brief.safe.x);
    return panel === null
      ? null
      : { surface: "lit", pictures: [], scrims, scrimsOver: "background", ...panel };
  }
  if (!hasKeyAreas(hero) || isHeroOnSurface(brief) || brief.family === "scenery") return null;
  for (const heights of PORTRAIT_WIDTHS) {
    const pictures = rowPictures(brief, height * heights, false);
    const panel = wordsAfter(brief, endOf(pictures));
    if (panel === null || !showsProtectedAreas(brief, pictures)) continue;
    return { surface: "flat", pictures, scrims: [], scrimsOver: "pictures", ...panel };
  }
  return null;
}

const endOf = (pictures: readonly PlacedPicture[]): number =>
  Math.max(...pictures.map(({ box }) => box.x + box.width));

function wordsAfter(brief: Brief, start: number) {
  const { safe, scale } = brief;
  const room = { ...safe, x: start, width: safe.x + safe.width - start };
  const region = inset(room, scale.marginPx, scale.marginPx);
  return fitPanel(brief, { region, align: "start", stand: "middle", logoAt: "lead", fillMax: 1 });
}
