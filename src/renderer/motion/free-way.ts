import { isInside, unionOf } from "../box-geometry.ts";
import { isOverlapping } from "../layout/design/boxes.ts";
import type { Box } from "../types.ts";
import type { Start } from "./timeline.ts";

/** Shares of a way that are tried, the whole first. */
const SHARES = [1, 0.75, 0.5, 0.25];

/**
 * The farthest start from which the way is free; the place at rest where none is. In whole pixels: browsers blur letters at
 * fractions, and the start is what the first frame shows.
 */
export function farthestFree(start: Start, isFree: (start: Start) => boolean): Start {
  const { x = 0, y = 0, scale = 1 } = start;
  const nearer = (share: number): Start => ({
    ...start,
    x: Math.round(x * share),
    y: Math.round(y * share),
    scale: 1 + (scale - 1) * share,
  });
  return SHARES.map(nearer).find(isFree) ?? nearer(0);
}

/**
 * Whether a box comes from a start without leaving any of `others` that it lies in at rest, and without touching one that
 * it leaves free at rest.
 */
export function isFreeWay(box: Box, start: Start, others: readonly Box[]): boolean {
  const way = unionOf([box, boxFrom(box, start)]);
  return others.every((other) =>
    isInside(box, other, SLACK_PX)
      ? isInside(way, other, SLACK_PX)
      : isOverlapping(box, other) || !isOverlapping(way, other),
  );
}

/** A box scaled about its middle, then moved. */
const boxFrom = ({ x, y, width, height }: Box, { x: dx = 0, y: dy = 0, scale = 1 }: Start): Box => ({
  x: x + dx - (width * (scale - 1)) / 2,
  y: y + dy - (height * (scale - 1)) / 2,
  width: width * scale,
  height: height * scale,
});

/** A pixel over an edge is a share that was rounded. */
export const SLACK_PX = 1;
