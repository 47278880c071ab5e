import type { Box } from "./types.ts";

/** A box by its edges: left ≤ right, top ≤ bottom. */
export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The smallest box around one or more boxes. */
export function unionOf(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return fromEdges(left, top, right, bottom);
}

export const fromEdges = (left: number, top: number, right: number, bottom: number): Box => ({
  x: left,
  y: top,
  width: right - left,
  height: bottom - top,
});

/** The part of a box whose position and size are given as fractions of the box. */
export const partOf = (box: Box, shares: Box): Box => ({
  x: box.x + shares.x * box.width,
  y: box.y + shares.y * box.height,
  width: shares.width * box.width,
  height: shares.height * box.height,
});

/** A box as fractions of another box. Parts outside that box are below 0 or above 1. */
export const inShares = (box: Box, of: Box): Box => ({
  x: (box.x - of.x) / of.width,
  y: (box.y - of.y) / of.height,
  width: box.width / of.width,
  height: box.height / of.height,
});

/** A box multiplied by a scale for each axis. */
export const scaledBy = ({ x, y, width, height }: Box, across: number, down: number): Box => ({
  x: x * across,
  y: y * down,
  width: width * across,
  height: height * down,
});

/** A box enlarged by a margin on every side. */
export const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + by * 2,
  height: height + by * 2,
});

/** Whether a box is inside another, or sticks out by at most `across` horizontally and `down` vertically. */
export const isInside = (inner: Box, outer: Box, across = 0, down = across): boolean =>
  inner.x >= outer.x - across &&
  inner.y >= outer.y - down &&
  inner.x + inner.width <= outer.x + outer.width + across &&
  inner.y + inner.height <= outer.y + outer.height + down;

/** The area of the overlap of two boxes. */
export function commonArea(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width <= 0 || height <= 0 ? 0 : width * height;
}
