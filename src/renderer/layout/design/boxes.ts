import type { Box } from "#renderer/types.ts";
import type { PlacedPicture } from "./design.ts";

/** The whole of a box, in fractions. */
export const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/**
 * The largest box with the given aspect inside a region. `down` and `across`, 0..1, position it in the remaining space.
 */
export function contained(region: Box, aspect: number, down: number, across = 0.5): Box {
  const width = Math.min(region.width, region.height * aspect);
  const height = width / aspect;
  return {
    x: region.x + (region.width - width) * across,
    y: region.y + (region.height - height) * down,
    width,
    height,
  };
}

export function wholeBox(box: Box): Box {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return {
    x,
    y,
    width: Math.max(1, Math.round(box.x + box.width) - x),
    height: Math.max(1, Math.round(box.y + box.height) - y),
  };
}

export function inset(box: Box, across: number, down: number): Box {
  return {
    x: box.x + across,
    y: box.y + down,
    width: Math.max(1, box.width - across * 2),
    height: Math.max(1, box.height - down * 2),
  };
}

/**
 * The widest part of a safe area that is symmetric on its canvas: elements centred there are centred on the canvas too.
 */
export function symmetric(safe: Box, width: number): Box {
  const side = Math.max(safe.x, width - safe.x - safe.width);
  return { ...safe, x: side, width: width - side * 2 };
}

/** Whether two boxes overlap. */
export const isOverlapping = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** A picture that fills `box`; its subject should be in the part `free` of the box (fractions). */
export const covering = (role: PlacedPicture["role"], box: Box, free: Box): PlacedPicture => ({
  role,
  box: wholeBox(box),
  fill: "cover",
  free,
  part: WHOLE,
  shown: null,
  cell: null,
  cornerRadiusPx: 0,
  footing: "none",
});
