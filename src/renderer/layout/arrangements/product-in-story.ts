import type { Box } from "#renderer/types.ts";
import { covering, inset, symmetric, WHOLE, wholeBox } from "../design/boxes.ts";
import { type Brief, type Design, isCutByFoot, isStanding, type PlacedPicture } from "../design/design.ts";
import { reachOf, standInRegion } from "../pictures/place-pictures.ts";
import { fitPanel, type Panel } from "../words/text-panel.ts";
import { OPACITY_OVER_BACKGROUND, STORY_AIR } from "./product-corner.ts";

/** Where the words end, as shares of the height: the first that fits. */
const WORDS_END = [0.46, 0.52, 0.6];
/** How high a product is, and where it stands, as shares of the height. */
const PRODUCT = { height: 0.48, foot: 0.92 };
/** The room of an upright device, of which it takes most, and the least width of a person, as shares of the width. */
const DEVICE_ROOM = 0.75;
const PERSON_WIDTH = 0.88;
/** Between the words and the picture under them, in margins. */
const GAP = 0.8;
const TINT_OPACITY = 0.12;

/** A story: all words in one stack, under them the product on its floor, or a person or device that the foot cuts. */
export function productInStory(brief: Brief): Design | null {
  for (const share of WORDS_END) {
    const { width, height, scale, safe } = brief;
    const content = inset(symmetric(safe, width), scale.marginPx, scale.marginPx * STORY_AIR);
    const region = { ...content, height: height * share - content.y };
    const words = {
      stand: "top",
      align: "start",
      logoAt: "head",
      fillMax: 1,
      disclaimerAt: "words",
    } as const;
    const panel = fitPanel(brief, { ...words, region });
    if (panel !== null) return designOf(brief, panel);
  }
  return null;
}

function designOf(brief: Brief, panel: Panel): Design {
  const { width, height, scale } = brief;
  const top = panel.bottom + scale.marginPx * GAP;
  return {
    surface: "lit",
    pictures: picturesUnder(brief, top),
    scrims: brief.hasBackground
      ? [
          {
            box: { x: 0, y: 0, width, height },
            axis: "down",
            stops: [
              { at: 0, opacity: "adaptive" },
              { at: (panel.bottom + scale.marginPx * 0.3) / height, opacity: "adaptive" },
              { at: 1, opacity: TINT_OPACITY },
            ],
            adaptiveOpacityMin: OPACITY_OVER_BACKGROUND,
          },
        ]
      : [],
    scrimsOver: "background",
    ...panel,
  };
}

function picturesUnder(brief: Brief, top: number): readonly PlacedPicture[] {
  const { width, height, scale, hero } = brief;
  const radius = scale.cornerRadiusPx * 1.6;
  const below: Box = { x: 0, y: top, width, height: height - top };
  if (isStanding(brief) && hero !== null && brief.secondaryHero === null) {
    const wide = Math.round(Math.min(width, Math.max(width * PERSON_WIDTH, below.height * hero.aspect)));
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
  if (isStanding(brief)) return standInRegion(brief, below, radius);
  if (isCutByFoot(brief)) {
    const room = width * DEVICE_ROOM;
    return standInRegion(brief, { ...below, x: (width - room) / 2, width: room }, radius);
  }
  const foot = height * PRODUCT.foot;
  const start = Math.max(top, foot - height * PRODUCT.height);
  const left = scale.marginPx * (reachOf(brief) > 1 ? 0.5 : 1);
  const end = width - (reachOf(brief) > 1 ? 0 : scale.marginPx);
  return standInRegion(brief, { x: left, y: start, width: end - left, height: foot - start }, radius);
}
