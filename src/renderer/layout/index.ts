import type { Box } from "../types.ts";
import { withBadge } from "./badge.ts";
import { isOverlapping } from "./boxes.ts";
import { hasSmallSafeArea } from "./canvas-of-size.ts";
import { centred } from "./centred.ts";
import {
  type Brief,
  COPY_FIELD,
  type Design,
  evenScrim,
  headlineScore,
  isWordless,
  type PictureTraits,
  standsOnSurface,
} from "./design.ts";
import { type Droppable, dropsOf, without } from "./drop-order.ts";
import { fullBleed, isFullBleed } from "./full-bleed.ts";
import { mirrored, mirroredPicture } from "./mirror-right-to-left.ts";
import { overlay } from "./overlay.ts";
import { pictureOnly } from "./picture-only.ts";
import { row } from "./row.ts";
import { isRow } from "./shape-from-size.ts";
import { split } from "./split.ts";
import { studioSet } from "./studio-set.ts";
import { onTextCard, takesTextCard } from "./text-card.ts";
import { shifted } from "./text-panel.ts";
import { readsRightToLeft } from "./typesetter.ts";
import { headlineAlone } from "./words-alone.ts";

export { canvasOf } from "./canvas-of-size.ts";
export type {
  Brief,
  Design,
  PictureTraits,
  PlacedBadge,
  PlacedButton,
  PlacedPicture,
  PlacedText,
  Scrim,
} from "./design.ts";
export { isFullBleed } from "./full-bleed.ts";
export { shapeOf } from "./shape-from-size.ts";
export { Typesetter } from "./typesetter.ts";
export { headlineFits } from "./words-alone.ts";

/** A design, and the elements that were dropped so that the rest fits. */
export interface Arrangement {
  readonly design: Design;
  readonly dropped: readonly Droppable[];
}

/** Finds the best arrangement for a canvas; null when the headline cannot be set legibly. */
export function layOut(brief: Brief): Arrangement | null {
  const { headline, subheadline, cta, disclaimer, price, badge } = brief.copy;
  const words = [headline, subheadline, cta, disclaimer, price, badge].join(" ");
  const isMirrored = readsRightToLeft(words);
  const asked = isMirrored ? mirroredBrief(brief) : brief;
  // A light scrim on a photo looks like fog: a light scenery stands beside its words, as a campaign's photo does.
  const seen: Brief = asked.family === "scenery" && !asked.isDark ? { ...asked, family: "campaign" } : asked;
  const turned = (design: Design): Design => (isMirrored ? mirrored(design, brief.width) : design);
  for (const dropped of dropsOf(seen)) {
    const kept = without(seen, dropped);
    const plain = arrange({ ...kept, copy: { ...kept.copy, badge: undefined } });
    if (plain === null) continue;
    const placed = withBadge({ ...brief, copy: kept.copy }, turned(plain), isMirrored);
    if (placed !== null) return { design: withScrimsKnown(placed), dropped };
    // Where no place on the picture is free the badge stands over the headline.
    const led = arrange(kept);
    const hasBadge = led?.badge !== undefined || kept.copy.badge === undefined;
    if (led !== null && hasBadge) return { design: withScrimsKnown(turned(led)), dropped };
  }
  return headlineOnly(seen, isMirrored);
}

/** The scrim of a headline that has only a background behind it. */
const DENSE_OPACITY = 0.85;

/** The headline alone on the plain surface: it can be set wherever the words of a size pass their check. */
function headlineOnly(brief: Brief, isMirrored: boolean): Arrangement | null {
  const { copy, typesetter, width } = brief;
  if (copy.headline === undefined) return null;
  const block = headlineAlone(brief, typesetter, copy.headline);
  if (block === null) return null;
  const scrims = brief.hasBackground ? [evenScrim(brief, DENSE_OPACITY)] : [];
  const design: Design = { surface: "flat", pictures: [], scrims, scrimsOver: "background", ...block };
  const texts = ["subheadline", "cta", "disclaimer", "price", "old_price", "badge"] as const;
  return {
    design: isMirrored ? mirrored(design, width) : design,
    dropped: [
      ...texts.filter((role) => copy[COPY_FIELD[role]] !== undefined),
      ...(brief.logo === null ? [] : (["logo"] as const)),
      ...(brief.hero === null ? [] : (["hero"] as const)),
      ...(brief.secondaryHero === null ? [] : (["secondary_hero"] as const)),
    ],
  };
}

/** Marks the prices that stand on a scrim. */
const withScrimsKnown = (design: Design): Design => ({
  ...design,
  texts: design.texts.map((text) =>
    text.role === "price" && design.scrims.some(({ box }) => isOverlapping(box, text.ink))
      ? { ...text, isOnScrim: true }
      : text,
  ),
});

function arrange(brief: Brief): Design | null {
  // In a strip a logo would hide most of the photo: they stand side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  if (isWordless(brief.copy) && !isSignedStrip) return pictureOnly(brief);
  if (isRow(brief.shape)) return row(brief);
  if (brief.family === "brand") {
    if (hasSmallSafeArea(brief)) return inSmallSafeArea(brief) ?? centred(brief);
    return brief.shape === "leaderboard" ? rowOrCentred(brief) : centred(brief);
  }
  const isOnSet = standsOnSurface(brief) || brief.hasBackground || brief.family === "person";
  if (isOnSet && brief.family !== "scenery") return studioSet(brief);
  if (isFullBleed(brief)) return fullBleed(brief);
  if (takesTextCard(brief)) return onTextCard(brief) ?? overlay(brief);
  if (brief.shape === "leaderboard") return split(brief);
  return brief.shape === "landscape" ? splitOrOverlay(brief) : overlay(brief);
}

/** A headline with this score is large enough: no other arrangement is tried. */
const HEADLINE_SIZE_FAIR = 0.6;
const OVERLAY_GAIN_MIN = 1.35;

/** Words that are too long for a column are set across the foot of a dark photo instead. */
function splitOrOverlay(brief: Brief): Design | null {
  const beside = split(brief);
  const score = beside === null ? 0 : headlineScore(beside);
  if (score >= HEADLINE_SIZE_FAIR || !brief.isDark || brief.secondaryHero !== null) return beside;
  const across = overlay(brief);
  if (across === null) return beside;
  return headlineScore(across) > score * OVERLAY_GAIN_MIN ? across : beside;
}

/** The words stand beside the button, or over it where a long button leaves them too narrow a column. */
function rowOrCentred(brief: Brief): Design | null {
  const inRow = row(brief);
  const inColumn = centred(brief);
  if (inRow === null || inColumn === null) return inRow ?? inColumn;
  return headlineScore(inColumn) > headlineScore(inRow) * 1.1 ? inColumn : inRow;
}

/** A row inside the small safe area. */
function inSmallSafeArea(brief: Brief): Design | null {
  const { x, y, width, height } = brief.safe;
  const design = row({ ...brief, width, height, shape: "leaderboard", safe: { x: 0, y: 0, width, height } });
  return design === null ? null : shifted(design, x, y);
}

function mirroredBrief(brief: Brief): Brief {
  const { safe, width } = brief;
  const flip = (box: Box): Box => ({ ...box, x: width - box.x - box.width });
  const turned = (traits: PictureTraits | null) =>
    traits === null ? null : { ...traits, focusX: 1 - traits.focusX };
  // Pictures are not mirrored, so what lies under an area is looked up where the area will be.
  return {
    ...brief,
    safe: flip(safe),
    hero: turned(brief.hero),
    secondaryHero: turned(brief.secondaryHero),
    saliencyUnder: (area) => brief.saliencyUnder(flip(area)),
    attentionOf: (picture) => {
      const attention = brief.attentionOf(mirroredPicture(picture, width));
      return (area) => attention(flip(area));
    },
  };
}
