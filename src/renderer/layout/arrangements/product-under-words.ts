import type { Box } from "#renderer/types.ts";
import { covering, inset, symmetric, WHOLE, wholeBox } from "../design/boxes.ts";
import {
  type Brief,
  boxesOf,
  type Design,
  evenScrim,
  isCutByFoot,
  isStandingPerson,
  type PlacedPicture,
  type Scrim,
} from "../design/design.ts";
import { reachOf, standInRegion } from "../pictures/place-pictures.ts";
import { type Panel, signedPanel } from "../words/text-panel.ts";

/** Minimum opacity of the scrim on a background: under the text, and away from it. */
const OPACITY_OVER_BACKGROUND = 0.36;
export const TINT_OPACITY = 0.12;
/**
 * Gap between a story's text and the top and bottom of its safe area, as a multiple of the margin. It is small because
 * the reserved areas beyond are empty.
 */
export const STORY_AIR = 0.3;
/** Positions of the text's bottom to try, as fractions of the height. The first at which the text fits is used. */
const WORDS_END = [0.43, 0.455, 0.48, 0.53, 0.6];
/** Minimum size of the headline, relative to the width. The headline is smaller only if this size does not fit. */
const HEADLINE_MIN = 0.093;
/** A product's height and the position of its bottom, as fractions of the canvas height. */
const PRODUCT = { height: 0.54, foot: 0.93 };
/** Width of the region for an upright device, as a fraction of the canvas. */
const DEVICE_ROOM = 0.9;
/** Visible fraction of a person: the canvas cuts the figure below the hands. */
const PERSON_SHOWN = 0.93;
/**
 * Gap between the text and the picture below, as a multiple of the margin. It is smaller for a `product`, whose outline
 * leaves space anyway.
 */
const GAP = { usual: 0.8, product: 0.5 };

/**
 * Stories and other slim canvases: all text in one stack, and below it the product on its floor, or a person or device
 * cut by the canvas bottom.
 */
export function productUnderWords(brief: Brief): Design | null {
  const { width, height, scale, safe, shape } = brief;
  const large = { ...scale, headlinePxMin: Math.max(scale.headlinePxMin, Math.round(width * HEADLINE_MIN)) };
  const content = inset(
    symmetric(safe, width),
    scale.marginPx,
    scale.marginPx * (shape === "story" ? STORY_AIR : 1),
  );
  const words = { stand: "top", fillMax: 1, disclaimerAt: "words" } as const;
  for (const sized of [large, scale]) {
    for (const share of WORDS_END) {
      const region = { ...content, height: height * share - content.y };
      const panel = signedPanel({ ...brief, scale: sized }, region, words);
      if (panel !== null) return designOf(brief, panel);
    }
  }
  return null;
}

function designOf(brief: Brief, panel: Panel): Design {
  const { height, scale } = brief;
  const pictures = picturesUnder(brief, panel, panel.bottom + scale.marginPx * GAP.usual);
  return onSurface(brief, pictures, panel, "down", [
    { at: 0, opacity: "adaptive" },
    { at: (panel.bottom + scale.marginPx * 0.3) / height, opacity: "adaptive" },
    { at: 1, opacity: TINT_OPACITY },
  ]);
}

/** A design on the plain surface, or on a background under a scrim. */
export const onSurface = (
  brief: Brief,
  pictures: readonly PlacedPicture[],
  panel: Panel,
  axis: Scrim["axis"],
  stops: Scrim["stops"],
): Design => ({
  surface: "lit",
  pictures,
  scrims: brief.hasBackground ? [{ ...evenScrim(brief, OPACITY_OVER_BACKGROUND), axis, stops }] : [],
  scrimsOver: "background",
  ...panel,
});

function picturesUnder(brief: Brief, panel: Panel, top: number): readonly PlacedPicture[] {
  const { width, height, scale, hero } = brief;
  const radius = scale.cornerRadiusPx * 1.6;
  const below: Box = { x: 0, y: top, width, height: height - top };
  if (isStandingPerson(brief) && hero !== null && brief.secondaryHero === null) {
    const wide = Math.round(Math.min(width, (below.height * hero.aspect) / PERSON_SHOWN));
    const box = wholeBox({ ...below, x: (width - wide) / 2, width: wide });
    const shown = (box.height * hero.aspect) / wide;
    if (shown < 1)
      return [
        {
          ...covering("hero", box, WHOLE),
          part: { ...WHOLE, height: shown },
          fill: "cut_out",
          footing: "edge",
        },
      ];
  }
  if (isStandingPerson(brief)) return standInRegion(brief, below, radius);
  if (isCutByFoot(brief)) {
    const room = width * DEVICE_ROOM;
    return standInRegion(brief, { ...below, x: (width - room) / 2, width: room }, radius);
  }
  const foot = height * PRODUCT.foot;
  // A slim product may reach up beside a short line of text.
  const half = scale.marginPx * 0.5 + (height * PRODUCT.height * (hero?.aspect ?? 1)) / 2;
  const over = boxesOf(panel).filter(
    (box) => box.x < width / 2 + half && box.x + box.width > width / 2 - half,
  );
  const roof = Math.max(0, ...over.map((box) => box.y + box.height)) + scale.marginPx * GAP.product;
  const start = Math.max(brief.secondaryHero === null ? roof : top, foot - height * PRODUCT.height);
  const left = scale.marginPx * (reachOf(brief) > 1 ? 0.5 : 1);
  const end = width - (reachOf(brief) > 1 ? 0 : scale.marginPx);
  return standInRegion(brief, { x: left, y: start, width: end - left, height: foot - start }, radius);
}
