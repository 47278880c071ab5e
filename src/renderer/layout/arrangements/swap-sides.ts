import { unionOf } from "#renderer/box-geometry.ts";
import { type Brief, boxesOf, type Design, type Scrim } from "../design/design.ts";
import { mirroredPicture, mirroredScrim } from "../design/mirror-right-to-left.ts";
import { shifted } from "../words/text-panel.ts";

/**
 * The same arrangement with its words at the other end: pictures and scrims change sides, the words move as one block and
 * keep their alignment. Null where nothing has a side, or where the moved words would leave the safe area.
 */
export function withSidesSwapped(design: Design, brief: Brief): Design | null {
  const { width, safe } = brief;
  const boxes = boxesOf(design);
  if (boxes.length === 0 || design.pictures.length === 0) return null;
  const block = unionOf(boxes);
  const dx = Math.round(width - block.x - block.width - block.x);
  if (Math.abs(dx) < width * 0.12) return null;
  if (block.x + dx < safe.x || block.x + dx + block.width > safe.x + safe.width) return null;
  const scrims: readonly Scrim[] = design.scrims.map((scrim) => mirroredScrim(scrim, width));
  return {
    ...shifted(design, dx),
    scrims,
    pictures: design.pictures.map((picture) => mirroredPicture(picture, width)),
    ...(design.textCard === undefined
      ? {}
      : { textCard: { ...design.textCard, box: { ...design.textCard.box, x: design.textCard.box.x + dx } } }),
  };
}
