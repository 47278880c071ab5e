import { unionOf } from "#renderer/box-geometry.ts";
import { inset } from "../design/boxes.ts";
import { type Brief, boxesOf, type Design, type PlacedPicture } from "../design/design.ts";
import { placeInPart } from "../pictures/duo-pictures.ts";
import { type Panel, shifted, signedPanel } from "../words/text-panel.ts";

/** Shares of the safe area's height that the words of a duo may take: the first that fits. */
const FILL_SHARES = [0.42, 0.5, 0.62, 0.34];

/** Both photos of a duo at full width, the words on a field between them. */
export function duoStory(brief: Brief): Design | null {
  const { hero, secondaryHero, width, height, scale, safe } = brief;
  if (hero === null || secondaryHero === null) return null;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const gap = scale.marginPx;
  for (const share of FILL_SHARES) {
    const region = { ...content, height: content.height * share };
    const panel = signedPanel(brief, region, { stand: "top", fillMax: 1 });
    if (panel === null) continue;
    const words = unionOf(boxesOf(panel));
    const field = words.height + gap * 2;
    const top = Math.round(
      Math.min(Math.max((height - field) / 2, safe.y), safe.y + safe.height - field + gap * 0.5),
    );
    const upper = { x: 0, y: 0, width, height: top };
    const lower = { x: 0, y: top + Math.round(field), width, height: height - top - Math.round(field) };
    return onField(shifted(panel, 0, Math.round(top + gap - words.y)), [
      placeInPart("hero", hero, upper, safe),
      placeInPart("secondary_hero", secondaryHero, lower, safe),
    ]);
  }
  return null;
}

const onField = (panel: Panel, pictures: readonly PlacedPicture[]): Design => ({
  surface: "flat",
  pictures,
  scrims: [],
  scrimsOver: "pictures",
  ...panel,
});
