import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import { isOverlapping } from "../design/boxes.ts";
import { boxesOf, type CopyBlock, NO_TEXT } from "../design/design.ts";
import { shifted } from "./text-panel.ts";

/** Maximum spare height of a column whose text stays in one block, as a fraction of the canvas: more looks empty. */
const VOID_MAX = 0.1;

/**
 * Spreads text over the height of its column with even gaps: the logo at the top, the button at the bottom, the rest
 * between them. A column with little spare height keeps its text as one block. With `isGapUnder` text is always spread,
 * and the same gap follows the last group.
 */
export function spreadOver<B extends CopyBlock>(
  block: B,
  column: Box,
  canvasHeight: number,
  isGapUnder = false,
): B {
  const groups = groupsOf(block);
  if (groups.length < 2 && !isGapUnder) return block;
  const spare = column.height - unionOf(groups.map(({ box }) => box)).height;
  if (spare <= canvasHeight * VOID_MAX && !isGapUnder) return block;
  const taken = groups.reduce((sum, { box }) => sum + box.height, 0);
  const gap = (column.height - taken) / (groups.length - (isGapUnder ? 0 : 1));
  return joined(block, spaced(groups, "y", column.y, gap));
}

/** Groups in sequence along an axis, with the same gap between each. */
export function spaced(
  groups: readonly Group[],
  axis: "x" | "y",
  start: number,
  gap: number,
): readonly CopyBlock[] {
  let at = start;
  return groups.map(({ part, box }) => {
    const by = Math.round(at - box[axis]);
    at += (axis === "x" ? box.width : box.height) + gap;
    return axis === "x" ? shifted(part, by) : shifted(part, 0, by);
  });
}

/** The non-empty parts of a block, and their bounding boxes. */
export const groupsWith = (parts: readonly CopyBlock[]): readonly Group[] =>
  parts.flatMap((part) => {
    const boxes = boxesOf(part);
    return boxes.length === 0 ? [] : [{ part, box: unionOf(boxes) }];
  });

/** A block joined from its moved parts. */
export const joined = <B extends CopyBlock>(block: B, parts: readonly CopyBlock[]): B => ({
  ...block,
  logo: parts.find(({ logo }) => logo !== null)?.logo ?? null,
  texts: parts.flatMap(({ texts }) => texts),
  button: parts.find(({ button }) => button !== null)?.button ?? null,
  badge: parts.find(({ badge }) => badge !== undefined)?.badge,
});

interface Group {
  readonly part: CopyBlock;
  readonly box: Box;
}

/**
 * Logo, message, button and fine print, from the top. A price is in one group with its headline, a button with its
 * price, and a logo with the button or headline beside it.
 */
function groupsOf({ logo, texts, button, badge }: CopyBlock): readonly Group[] {
  const withRoles = (...roles: readonly string[]) => texts.filter(({ role }) => roles.includes(role));
  const isBeside = (box: Box | undefined) =>
    logo !== null && box !== undefined && isBesideEachOther(logo, box);
  const message = withRoles("headline", "subheadline", "price", "old_price");
  const isOffer = message.some(({ role }) => role === "price");
  const isWithButton = isBeside(button?.box);
  const isInMessage = isWithButton ? isOffer : isBeside(withRoles("headline")[0]?.ink);
  const led = isInMessage ? logo : null;
  const parts: readonly CopyBlock[] = [
    { ...NO_TEXT, logo: isWithButton || isInMessage ? null : logo },
    { ...NO_TEXT, logo: led, texts: message, badge, button: isOffer ? button : null },
    { ...NO_TEXT, logo: isWithButton && !isOffer ? logo : null, button: isOffer ? null : button },
    { ...NO_TEXT, logo: null, texts: withRoles("disclaimer") },
  ];
  return [...groupsWith(parts)].sort((one, other) => one.box.y - other.box.y);
}

const isBesideEachOther = (one: Box, other: Box): boolean =>
  isOverlapping({ ...one, x: 0, width: 1 }, { ...other, x: 0, width: 1 });
