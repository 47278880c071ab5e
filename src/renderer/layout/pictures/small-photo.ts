import type { Brief, Design } from "../design/design.ts";
import type { Droppable } from "../design/drop-order.ts";

/** A photo that is smaller than its place, and under this share of the canvas, is a stamp beside its words. */
const STAMP_SHARE_MAX = 0.15;
/** The words that may go for a larger photo, because the message is whole without them. */
const SPARED_FOR_PHOTO: readonly Droppable[] = ["disclaimer", "subheadline"];

/** The share of the canvas that a design's stamp takes, 0..1; null where none of its photos is one. */
export function stampShareOf({ width, height }: Brief, { pictures }: Design): number | null {
  const shares = pictures
    .filter(({ isReduced }) => isReduced === true)
    .map(({ box }) => (box.width * box.height) / (width * height));
  const least = Math.min(...shares);
  return least < STAMP_SHARE_MAX ? least : null;
}

/** Whether all that is dropped beyond `before` may go for a larger photo. */
export const isSparedForPhoto = (dropped: readonly Droppable[], before: readonly Droppable[]): boolean =>
  dropped.every((role) => before.includes(role) || SPARED_FOR_PHOTO.includes(role));
