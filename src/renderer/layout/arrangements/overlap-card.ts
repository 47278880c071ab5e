import type { Box } from "#renderer/types.ts";
import { covering, inset, isOverlapping, wholeBox } from "../design/boxes.ts";
import {
  type Brief,
  type Design,
  isBeside,
  NO_SCRIMS,
  type PlacedPicture,
  type Side,
} from "../design/design.ts";
import { mirroredBox, mirroredPicture } from "../design/mirror-right-to-left.ts";
import { protectedBoxes } from "../pictures/protected-area-damage.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { type Panel, signedPanel } from "../words/text-panel.ts";
import { roomOf } from "./photo-panels.ts";

/** Padding between a card's edge and its text, as a multiple of the margin. */
const PADDING_MARGINS = 0.9;
/**
 * Minimum length of the photo along the card's axis, as a fraction of the canvas. With a shorter photo, the card would
 * be beside it rather than on it.
 */
const PHOTO_SHARE_MIN = 0.55;
/** Minimum overlap of card and photo along the card's axis, as a fraction of the canvas. */
const OVERLAP_SHARE_MIN = 0.1;
/** Lengths of a card along its axis, as fractions of the canvas, the largest first. */
const CARD_SHARES = [0.5, 0.44, 0.38, 0.32];
/** Maximum area of a card, as a fraction of the canvas: a larger card hides too much of the photo. */
const CARD_AREA_MAX = 0.3;
/** Factor by which the largest headline on a card exceeds the largest on a photo. */
const TYPE_TIMES = 1.2;

/**
 * A text card across the photo's edge, or on a corner of a photo that fills the canvas, clear of the subject. Null if
 * no card fits without covering the subject.
 */
export function overlapCard(brief: Brief, side: Side): Design | null {
  const { width, height, scale, hero } = brief;
  if (hero === null || brief.secondaryHero !== null) return null;
  const isAcross = isBeside(side);
  const whole = isAcross ? width : height;
  const length = nearestLength(
    wholeLengths(brief, isAcross ? "across" : "down", isAcross ? height : width),
    whole,
  );
  if (length === null || length > whole || length < whole * PHOTO_SHARE_MIN) return null;
  const room = roomOf(brief, side, length, 0);
  for (const share of CARD_SHARES) {
    const found = cardOf(brief, side, share);
    if (found === null) continue;
    const { card, panel } = found;
    if (card.width * card.height > width * height * CARD_AREA_MAX) continue;
    if (overlapOf(card, room, isAcross) < whole * OVERLAP_SHARE_MIN) continue;
    const free = freeOf(card, room, side);
    const placed = {
      ...covering("hero", room, free),
      cell: length < whole ? { x: 0, y: 0, width, height } : null,
    };
    if (!isClearOf(brief, placed, card)) continue;
    const textCard = { box: card, cornerRadiusPx: scale.cornerRadiusPx };
    return { surface: "flat", pictures: [placed], ...NO_SCRIMS, textCard, ...panel };
  }
  return null;
}

/**
 * Whether a card covers none of a photo's protected areas. Photos are not mirrored on a mirrored canvas, so both are
 * compared as drawn.
 */
function isClearOf(brief: Brief, placed: PlacedPicture, card: Box): boolean {
  const { width, isMirrored } = brief;
  const { shown } = brief.cropOf("hero", placed.box.width, placed.box.height, placed.free);
  const [seen, covered] =
    isMirrored === true ? [mirroredPicture(placed, width), mirroredBox(card, width)] : [placed, card];
  return !protectedBoxes({ ...seen, shown }, brief).some((box) => isOverlapping(box, covered));
}

/** A card with its text at one side of the canvas, inside the margins; null if the text does not fit. */
function cardOf(
  brief: Brief,
  side: Side,
  share: number,
): { readonly card: Box; readonly panel: Panel } | null {
  const { safe, scale, width, height } = brief;
  const pad = Math.round(scale.marginPx * PADDING_MARGINS);
  const outer = inset(safe, scale.marginPx, scale.marginPx);
  const larger = { ...brief, scale: { ...scale, headlinePxMax: scale.headlinePxMax * TYPE_TIMES } };
  const isAcross = isBeside(side);
  const wide = isAcross ? Math.round(Math.min(outer.width, width * share)) : outer.width;
  const tall = isAcross ? outer.height : Math.min(outer.height, height * share);
  const region = inset(
    {
      x: side === "end" ? outer.x + outer.width - wide : outer.x,
      y: side === "head" ? outer.y : outer.y + outer.height - tall,
      width: wide,
      height: tall,
    },
    pad,
    pad,
  );
  const stand = side === "head" ? "top" : "bottom";
  const panel = signedPanel(larger, region, { stand, fillMax: 1 });
  if (panel === null) return null;
  const top = Math.min(panel.top, panel.logo?.y ?? panel.top) - pad;
  const card = wholeBox({ x: region.x - pad, y: top, width: wide, height: panel.bottom + pad - top });
  return { card, panel };
}

function overlapOf(card: Box, room: Box, isAcross: boolean): number {
  const [from, length] = isAcross ? (["x", "width"] as const) : (["y", "height"] as const);
  return Math.min(card[from] + card[length], room[from] + room[length]) - Math.max(card[from], room[from]);
}

/** The part of the photo's region that the card leaves free, in fractions. */
function freeOf(card: Box, room: Box, side: Side): Box {
  const [left, top] = [(card.x - room.x) / room.width, (card.y - room.y) / room.height];
  const [right, bottom] = [left + card.width / room.width, top + card.height / room.height];
  switch (side) {
    case "start":
      return { x: right, y: 0, width: 1 - right, height: 1 };
    case "end":
      return { x: 0, y: 0, width: left, height: 1 };
    case "head":
      return { x: 0, y: bottom, width: 1, height: 1 - bottom };
    case "foot":
      return { x: 0, y: 0, width: 1, height: top };
  }
}
