import { type Box, TEXT_ROLES } from "../types.ts";
import { headlineAlone } from "./arrangements/words-alone.ts";
import { rankedCandidates } from "./candidates.ts";
import { type Change, chooseComposition, type Finish } from "./choose-composition.ts";
import { withCrops } from "./crop-pictures.ts";
import { isOverlapping } from "./design/boxes.ts";
import {
  type Brief,
  boxesOf,
  COPY_FIELD,
  type Design,
  evenScrim,
  type PictureTraits,
} from "./design/design.ts";
import { type Droppable, dropsOf, without } from "./design/drop-order.ts";
import { mirrored, mirroredPicture } from "./design/mirror-right-to-left.ts";
import { readsRightToLeft } from "./design/typesetter.ts";
import { withFramedPhotos } from "./pictures/frame-photos.ts";
import { isSparedForPhoto, stampShareOf } from "./pictures/small-photo.ts";
import { withBadge } from "./words/badge.ts";

export { isFullBleed } from "./arrangements/full-bleed.ts";
export { headlineFits } from "./arrangements/words-alone.ts";
export { type Change, hasWordsOnPhoto } from "./choose-composition.ts";
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
} from "./design/design.ts";
export { smallestSizes, Typesetter } from "./design/typesetter.ts";

/** A design, and the elements that were dropped so that the rest fits. */
export interface Arrangement {
  readonly design: Design;
  readonly dropped: readonly Droppable[];
  /** What is done otherwise than usual, and why. */
  readonly changes: readonly Change[];
}

/** Finds the best arrangement for a canvas; null when the headline cannot be set legibly. */
export function layOut(brief: Brief): Arrangement | null {
  const { headline, subheadline, cta, disclaimer, price, badge } = brief.copy;
  const words = [headline, subheadline, cta, disclaimer, price, badge].join(" ");
  const isMirrored = readsRightToLeft(words);
  const asked = isMirrored ? mirroredBrief(brief) : brief;
  // A light scrim on a photo looks like fog: a light scenery stands beside its words, as a campaign's photo does.
  const seen: Brief = asked.family === "scenery" && !asked.isDark ? { ...asked, family: "campaign" } : asked;
  const inReadingDirection = (design: Design): Design =>
    isMirrored ? mirrored(design, brief.width) : design;
  let spoiled: Arrangement | null = null;
  let stamped: { readonly arrangement: Arrangement; readonly share: number } | null = null;
  for (const dropped of dropsOf(seen)) {
    if (stamped !== null && !isSparedForPhoto(dropped, stamped.arrangement.dropped)) continue;
    const kept = without(seen, dropped);
    const unbadged: Brief = { ...kept, copy: { ...kept.copy, badge: undefined } };
    const finished: Finish = (make) => {
      const plain = make(unbadged);
      if (plain === null) return null;
      const badged = (design: Design) =>
        withBadge(
          { ...brief, copy: kept.copy },
          withCrops(withFramedPhotos(inReadingDirection(design), brief), brief),
          isMirrored,
        );
      const placed = badged(plain);
      if (placed !== null) return isInSafeArea(placed, brief) ? placed : null;
      // Where no place on the picture is free the badge stands over the headline.
      const led = make(kept);
      const design =
        led?.badge === undefined ? null : withCrops(withFramedPhotos(inReadingDirection(led), brief), brief);
      return design !== null && isInSafeArea(design, brief) ? design : null;
    };
    const choice = chooseComposition(brief, rankedCandidates(kept), finished);
    if (choice === null) continue;
    const arrangement = { design: withScrimsKnown(choice.design), dropped, changes: choice.changes };
    if (choice.damage === 0) {
      const share = stampShareOf(brief, choice.design);
      if (share === null) return arrangement;
      // Fewer words may leave the photo room to be seen.
      if (stamped === null || share > stamped.share) stamped = { arrangement, share };
    }
    // Or the faces; what is dropped for them must not be the message.
    if (spoiled === null) spoiled = arrangement;
  }
  return stamped?.arrangement ?? spoiled ?? headlineOnly(seen, isMirrored);
}

/** Whether all words, logo and button stay out of what the size reserves: other arrangements may where one does not. */
const isInSafeArea = (design: Design, { safe }: Brief): boolean =>
  boxesOf(design).every(
    ({ x, y, width, height }) =>
      Math.floor(x) >= safe.x &&
      Math.floor(y) >= safe.y &&
      Math.ceil(x + width) <= safe.x + safe.width &&
      Math.ceil(y + height) <= safe.y + safe.height,
  );

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
  return {
    design: isMirrored ? mirrored(design, width) : design,
    changes: [],
    dropped: [
      ...TEXT_ROLES.filter((role) => role !== "headline" && copy[COPY_FIELD[role]] !== undefined),
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

function mirroredBrief(brief: Brief): Brief {
  const { safe, width } = brief;
  const flip = (box: Box): Box => ({ ...box, x: width - box.x - box.width });
  const flipTraits = (traits: PictureTraits | null) =>
    traits === null ? null : { ...traits, focusX: 1 - traits.focusX };
  // Pictures are not mirrored, so what lies under an area is looked up where the area will be.
  return {
    ...brief,
    safe: flip(safe),
    hero: flipTraits(brief.hero),
    secondaryHero: flipTraits(brief.secondaryHero),
    saliencyUnder: (area) => brief.saliencyUnder(flip(area)),
    attentionOf: (picture) => {
      const attention = brief.attentionOf(mirroredPicture(picture, width));
      return (area) => attention(flip(area));
    },
    cropOf: (role, width, height, free) =>
      brief.cropOf(role, width, height, { ...free, x: 1 - free.x - free.width }),
  };
}
