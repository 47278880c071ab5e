import type { Box } from "#renderer/types.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, type Design, headlineScore } from "../design/design.ts";

/** Rates an arrangement: a large picture and a large headline, with no wide gap between them. */
export function scoreProductOnSurface(brief: Brief, design: Design): number {
  const idle = idleOf(brief, design);
  // Where space is left empty anyway, a button at the foot ends the composition.
  const isClosed = idle > 0 && design.button !== null && isUnderPictures(design.button.box, design);
  return scoreSizes(brief, design) * (1 - idle) * (isClosed ? CLOSED_FOOT_FACTOR : 1);
}

/** Whether a canvas is so wide that words and picture stand side by side. */
export const isWide = ({ shape }: Brief): boolean => shape === "landscape" || shape === "leaderboard";

/** The headline's size weighs more than the picture's: a large picture does not make up for small words. */
const HEADLINE_WEIGHT = 1.4;

/** Of the canvas: a product is the hero, and a larger one takes nothing from it. */
const PICTURE_SHARE_WANTED = 0.38;

/** Rises with the size of both picture and headline; one of them alone scores little. */
function scoreSizes(brief: Brief, design: Design): number {
  const shown = design.pictures.reduce((sum, picture) => sum + picture.box.width * picture.box.height, 0);
  // Around a small safe area the picture has plenty of room: it is measured against the safe area instead.
  const { safe } = brief;
  const wanted = hasSmallSafeArea(brief)
    ? safe.width * safe.height * 0.3
    : brief.width * brief.height * PICTURE_SHARE_WANTED;
  return (
    Math.sqrt(Math.min(1, shown / wanted)) * Math.min(1, 0.05 + headlineScore(design)) ** HEADLINE_WEIGHT
  );
}

const CLOSED_FOOT_FACTOR = 1.06;
const isUnderPictures = (box: Box, { pictures }: Design): boolean =>
  pictures.every((picture) => box.y >= picture.box.y + picture.box.height);

/** The largest gap that looks intended, as a share of the height, and the cost of what goes beyond it. */
const AIR_SHARE = 0.07;
const IDLE_COST = 0.8;

/** The cost of the largest gap between words, picture and foot in an upright design, 0..1. */
function idleOf(brief: Brief, { pictures, texts, button }: Design): number {
  const [picture] = pictures;
  if (isWide(brief) || hasSmallSafeArea(brief) || picture === undefined) return 0;
  const top = Math.min(...pictures.map(({ box }) => box.y));
  const bottom = Math.max(...pictures.map(({ box }) => box.y + box.height));
  const boxes = [...texts.map(({ ink }) => ink), ...(button === null ? [] : [button.box])];
  const above = boxes.filter((box) => box.y + box.height <= top);
  if (above.length === 0) return 0;
  const below = boxes.filter((box) => box.y >= bottom).map((box) => box.y);
  const over = top - Math.max(...above.map((box) => box.y + box.height));
  const under = Math.min(brief.safe.y + brief.safe.height - brief.scale.marginPx, ...below) - bottom;
  return IDLE_COST * Math.max(0, Math.max(over, under) / brief.height - AIR_SHARE);
}
