import type { Box, FocalPoint } from "creative-packs-service/renderer";

/** Calculates the area of a picture to keep visible, as fractions (0 to 1) of its width and height. */

/** Minimum width and height. Smaller areas are usually drawn by accident. */
export const AREA_EDGE_MIN = 0.05;
/** Width and height of the initial area. */
const FIRST_EDGE = 0.5;
/** Values are rounded to a thousandth of the picture's edge. */
const STEPS = 1_000;

const rounded = (value: number): number => Math.round(STEPS * value) / STEPS;
const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Limits a value to 0 to 1 and rounds it. */
export const share = (value: number): number => rounded(between(value, 0, 1));

/** Enlarges an area to the minimum size and moves it inside the picture. */
export function fitted({ x, y, width, height }: Box): Box {
  const [w, h] = [between(width, AREA_EDGE_MIN, 1), between(height, AREA_EDGE_MIN, 1)];
  const [left, top] = [rounded(between(x, 0, 1 - w)), rounded(between(y, 0, 1 - h))];
  // Rounding must not push an area beyond an edge.
  return { x: left, y: top, width: rounded(Math.min(w, 1 - left)), height: rounded(Math.min(h, 1 - top)) };
}

/** The area between two opposite corners. If it must be enlarged, the first corner stays in place if possible. */
export function spanned(from: FocalPoint, to: FocalPoint): Box {
  const [left, right] = inOrder(from.x, to.x);
  const [top, bottom] = inOrder(from.y, to.y);
  return fitted({ x: left, y: top, width: right - left, height: bottom - top });
}

function inOrder(one: number, other: number): readonly [low: number, high: number] {
  const [a, b] = [between(one, 0, 1), between(other, 0, 1)];
  return a < b ? [a, b] : [b, a];
}

export const areaAround = ({ x, y }: FocalPoint): Box =>
  fitted({ x: x - FIRST_EDGE / 2, y: y - FIRST_EDGE / 2, width: FIRST_EDGE, height: FIRST_EDGE });

export const middleOf = ({ x, y, width, height }: Box): FocalPoint => ({
  x: rounded(x + width / 2),
  y: rounded(y + height / 2),
});

export const moved = (area: Box, across: number, down: number): Box =>
  fitted({ ...area, x: area.x + across, y: area.y + down });

/** Moves the lower right corner and keeps the upper left one; stays inside the picture. */
export const resized = (area: Box, across: number, down: number): Box => ({
  ...area,
  width: rounded(between(area.width + across, AREA_EDGE_MIN, 1 - area.x)),
  height: rounded(between(area.height + down, AREA_EDGE_MIN, 1 - area.y)),
});
