import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import { isOverlapping } from "../design/boxes.ts";
import { boxesOf, type CopyBlock, NO_TEXT } from "../design/design.ts";
import { shifted } from "./text-panel.ts";

/** Spare height in a column that is left as it is, as a share of the canvas: more looks empty. */
const VOID_MAX = 0.1;

/**
 * Spreads words over the height of their column: the logo at its top, the button at its foot, all else between at even gaps.
 * Columns with little spare height keep their words as one block. With `isGapUnder` words are always spread, and the same
 * gap follows the last of them.
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

/** Groups moved to one behind the other along an axis, with the same gap between each. */
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

/** Parts of a block that have something in them, and where they are. */
export const groupsWith = (parts: readonly CopyBlock[]): readonly Group[] =>
  parts.flatMap((part) => {
    const boxes = boxesOf(part);
    return boxes.length === 0 ? [] : [{ part, box: unionOf(boxes) }];
  });

/** A block of the parts that it was divided into, moved. */
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
 * Logo, message, button and fine print, from the top. A price is in one group with its headline, a button with its price,
 * and a logo with the button or headline that it is beside.
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
