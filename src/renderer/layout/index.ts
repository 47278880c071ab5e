import { type Box, TEXT_ROLES } from "../types.ts";
import { headlineAlone } from "./arrangements/headline-alone.ts";
import { type CompositionKind, rankedCandidates } from "./candidates.ts";
import { type Change, chooseComposition, type Finish } from "./choose-composition.ts";
import { withCrops } from "./crop-pictures.ts";
import { isOverlapping } from "./design/boxes.ts";
import { type Brief, boxesOf, COPY_FIELD, type Design, evenScrim } from "./design/design.ts";
import { type Droppable, dropStepsOf, without } from "./design/drop-order.ts";
import { mirrored, mirroredPicture } from "./design/mirror-right-to-left.ts";
import { readsRightToLeft } from "./design/typesetter.ts";
import { withBadge } from "./words/badge.ts";

export { headlineFits } from "./arrangements/headline-alone.ts";
export type { Composition } from "./candidates.ts";
export type { Change } from "./choose-composition.ts";
export { canvasAtScale, designAtScale, growBy } from "./design/at-pixel-scale.ts";
export { canvasOf } from "./design/canvas-of-size.ts";
export type {
  Brief,
  CropOf,
  Design,
  PictureCrop,
  PictureTraits,
  PlacedBadge,
  PlacedButton,
  PlacedPicture,
  PlacedText,
  Scrim,
  TextBackground,
} from "./design/design.ts";
export { Typesetter, wholeWordSizes } from "./design/typesetter.ts";

/** A design, and the elements that were dropped to make it fit. */
export interface Arrangement {
  readonly design: Design;
  /** How picture and text share the canvas; null for a headline alone. */
  readonly kind: CompositionKind | null;
  readonly dropped: readonly Droppable[];
  /** Deviations from the usual layout, and why. */
  readonly changes: readonly Change[];
}

/** Finds the best arrangement for a canvas; null when the headline cannot be set legibly. */
export function layOut(brief: Brief): Arrangement | null {
  const { headline, subheadline, cta, disclaimer, price, badge } = brief.copy;
  const words = [headline, subheadline, cta, disclaimer, price, badge].join(" ");
  const isMirrored = readsRightToLeft(words);
  const asked = isMirrored ? mirroredBrief(brief) : brief;
  // A `scenery` picture is composed like a campaign's photo: text on its calm part, or beside it.
  const seen: Brief = asked.family === "scenery" ? { ...asked, family: "campaign" } : asked;
  const inReadingDirection = (design: Design): Design =>
    isMirrored ? mirrored(design, brief.width) : design;
  let spoiled: Arrangement | null = null;
  for (const step of dropStepsOf(seen)) {
    const { dropped } = step;
    const kept = without(seen, step);
    const unbadged: Brief = { ...kept, copy: { ...kept.copy, badge: undefined } };
    const finished: Finish = (make) => {
      // Without a picture the badge is part of the text block.
      const isWithWords = kept.hero === null && kept.copy.badge !== undefined;
      const plain = isWithWords ? null : make(unbadged);
      if (!isWithWords && plain === null) return null;
      const badged = (design: Design) =>
        withBadge({ ...brief, copy: kept.copy }, withCrops(inReadingDirection(design), brief), isMirrored);
      const placed = plain === null ? null : badged(plain);
      if (placed !== null) return isInSafeArea(placed, brief) ? placed : null;
      // With no free spot on the picture, the badge goes above the headline.
      const led = make(kept);
      const design = led?.badge === undefined ? null : withCrops(inReadingDirection(led), brief);
      return design !== null && isInSafeArea(design, brief) ? design : null;
    };
    const choice = chooseComposition(brief, rankedCandidates(kept), finished);
    if (choice === null) continue;
    const arrangement = {
      design: withScrimsKnown(choice.design),
      kind: choice.kind,
      dropped,
      changes: choice.changes,
    };
    if (choice.damage === 0) return arrangement;
    // A damaged area is better than a headline alone, so keep the arrangement that dropped least.
    if (spoiled === null) spoiled = arrangement;
  }
  return spoiled ?? headlineOnly(seen, isMirrored);
}

/** Whether all text, logo and button are inside the safe area. If not, another arrangement is tried. */
const isInSafeArea = (design: Design, { safe }: Brief): boolean =>
  boxesOf(design).every(
    ({ x, y, width, height }) =>
      Math.floor(x) >= safe.x &&
      Math.floor(y) >= safe.y &&
      Math.ceil(x + width) <= safe.x + safe.width &&
      Math.ceil(y + height) <= safe.y + safe.height,
  );

/** Opacity of the scrim between a lone headline and its background. */
const DENSE_OPACITY = 0.85;

/** The headline alone on the plain surface. It fits whenever `headlineFits` returns `fits: true`. */
function headlineOnly(brief: Brief, isMirrored: boolean): Arrangement | null {
  const { copy, typesetter, width } = brief;
  if (copy.headline === undefined) return null;
  const block = headlineAlone(brief, typesetter, copy.headline);
  if (block === null) return null;
  const scrims = brief.hasBackground ? [evenScrim(brief, DENSE_OPACITY)] : [];
  const design: Design = { surface: "flat", pictures: [], scrims, scrimsOver: "background", ...block };
  return {
    design: isMirrored ? mirrored(design, width) : design,
    kind: null,
    changes: [],
    dropped: [
      ...TEXT_ROLES.filter((role) => role !== "headline" && copy[COPY_FIELD[role]] !== undefined),
      ...(brief.logo === null ? [] : (["logo"] as const)),
      ...(brief.hero === null ? [] : (["hero"] as const)),
      ...(brief.secondaryHero === null ? [] : (["secondary_hero"] as const)),
    ],
  };
}

/** Marks the prices that overlap a scrim. */
const withScrimsKnown = (design: Design): Design => ({
  ...design,
  texts: design.texts.map((text) =>
    text.role === "price" && design.scrims.some(({ box }) => isOverlapping(box, text.ink))
      ? { ...text, isOnScrim: true }
      : text,
  ),
});

function mirroredBrief(brief: Brief): Brief {
  const { safe, width } = brief;
  const flip = (box: Box): Box => ({ ...box, x: width - box.x - box.width });
  // Pictures are not mirrored, so look up each area where it will be drawn.
  return {
    ...brief,
    isMirrored: true,
    safe: flip(safe),
    saliencyUnder: (area) => brief.saliencyUnder(flip(area)),
    attentionOf: (picture) => {
      const attention = brief.attentionOf(mirroredPicture(picture, width));
      return (area) => attention(flip(area));
    },
    cropOf: (role, width, height, free) =>
      brief.cropOf(role, width, height, { ...free, x: 1 - free.x - free.width }),
  };
}
