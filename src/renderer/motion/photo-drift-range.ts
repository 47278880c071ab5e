import { isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf, type Design, type PlacedPicture } from "../layout/design/design.ts";
import type { Box } from "../types.ts";

/** Pixels by which a photo may be away from its place along an axis: towards its start, and towards its end. */
interface RoomAlong {
  readonly before: number;
  readonly after: number;
}

/** How far a photo may be away from its place, across (`x`) and down (`y`). */
export interface DriftRoom {
  readonly x: RoomAlong;
  readonly y: RoomAlong;
}

interface Axis {
  readonly start: (box: Box) => number;
  readonly end: (box: Box) => number;
  /** A box in the row or column of another. */
  readonly inLineWith: (box: Box, other: Box) => Box;
}

const ACROSS: Axis = {
  start: ({ x }) => x,
  end: ({ x, width }) => x + width,
  inLineWith: (box, { x, width }) => ({ ...box, x, width }),
};
const DOWN: Axis = {
  start: ({ y }) => y,
  end: ({ y, height }) => y + height,
  inLineWith: (box, { y, height }) => ({ ...box, y, height }),
};

/**
 * How far a photo may drift: a head that is whole and free of words, logo, button, badge and card where the photo rests
 * is so in every frame. `heads` are boxes on the canvas; one that is cut or covered at rest bounds nothing.
 */
export function driftRoom(placed: PlacedPicture, heads: readonly Box[], design: Design): DriftRoom {
  const place = placed.box;
  const covers = [...boxesOf(design), ...(design.textCard === undefined ? [] : [design.textCard.box])];
  const free = heads.filter(
    (head) => isInside(head, place) && !covers.some((box) => isOverlapping(head, box)),
  );
  return { x: roomAlong(ACROSS, free, place, covers), y: roomAlong(DOWN, free, place, covers) };
}

/** From the heads to the nearest cover or edge of the place on either side, in whole pixels. */
function roomAlong(
  { start, end, inLineWith }: Axis,
  heads: readonly Box[],
  place: Box,
  covers: readonly Box[],
): RoomAlong {
  let before = Number.MAX_SAFE_INTEGER;
  let after = Number.MAX_SAFE_INTEGER;
  for (const head of heads) {
    const beside = covers.filter((box) => isOverlapping(inLineWith(box, head), head));
    const ends = beside.map(end).filter((at) => at <= start(head));
    const starts = beside.map(start).filter((at) => at >= end(head));
    before = Math.min(before, start(head) - Math.max(start(place), ...ends));
    after = Math.min(after, Math.min(end(place), ...starts) - end(head));
  }
  return { before: Math.max(0, Math.floor(before)), after: Math.max(0, Math.floor(after)) };
}

/** A pixel over an edge is a share that was rounded. */
const SLACK_PX = 1;

const isInside = (inner: Box, outer: Box): boolean =>
  [ACROSS, DOWN].every(
    ({ start, end }) => start(inner) >= start(outer) - SLACK_PX && end(inner) <= end(outer) + SLACK_PX,
  );
