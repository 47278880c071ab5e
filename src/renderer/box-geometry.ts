import type { Box } from "./types.ts";

/** The smallest box around boxes; at least one. */
export function unionOf(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Whether a box lies in another, past whose edges it may reach so far. */
export const isInside = (inner: Box, outer: Box, across = 0, down = across): boolean =>
  inner.x >= outer.x - across &&
  inner.y >= outer.y - down &&
  inner.x + inner.width <= outer.x + outer.width + across &&
  inner.y + inner.height <= outer.y + outer.height + down;

/** The area that two boxes have in common. */
export function commonArea(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width <= 0 || height <= 0 ? 0 : width * height;
}
