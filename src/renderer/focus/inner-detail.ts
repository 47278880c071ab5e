import type { Raster } from "../types.ts";

const SOLID_ALPHA_MIN = 250;
/** Pixels this near to a rim are left out: scaling darkens and brightens them. */
const REACHES = [
  [0, 0],
  [2, 0],
  [-2, 0],
  [0, 2],
  [0, -2],
] as const;
const CLEAR_ALPHA_MAX = 56;
/** Difference of neighbouring bytes, summed over red, green and blue, that the eye takes for an edge. */
const EDGE_MIN = 48;

/**
 * The share 0..1 of a shape's edges that lie between its own colours: 0 for a mark of one colour, near 1 for a photograph
 * or for white letters on a filled badge. In one colour such a shape would lose what those edges draw. Premultiplied input.
 */
export function innerDetail({ width, height, pixels }: Raster): number {
  let inner = 0;
  let outer = 0;
  const alphaAt = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (pixels[(y * width + x) * 4 + 3] ?? 0);
  const isWithin = (x: number, y: number): boolean =>
    REACHES.every(([dx, dy]) => alphaAt(x + dx, y + dy) >= SOLID_ALPHA_MIN);
  const compare = (x: number, y: number, otherX: number, otherY: number): void => {
    const isClear = alphaAt(x, y) <= CLEAR_ALPHA_MAX;
    if (isClear !== alphaAt(otherX, otherY) <= CLEAR_ALPHA_MAX) outer += 1;
    else if (!isClear && isEdge(pixels, (y * width + x) * 4, (otherY * width + otherX) * 4)) {
      if (isWithin(x, y) && isWithin(otherX, otherY)) inner += 1;
    }
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (x + 1 < width) compare(x, y, x + 1, y);
      if (y + 1 < height) compare(x, y, x, y + 1);
    }
  }
  return inner + outer === 0 ? 0 : inner / (inner + outer);
}

function isEdge(pixels: Uint8ClampedArray, one: number, other: number): boolean {
  const difference =
    Math.abs((pixels[one] ?? 0) - (pixels[other] ?? 0)) +
    Math.abs((pixels[one + 1] ?? 0) - (pixels[other + 1] ?? 0)) +
    Math.abs((pixels[one + 2] ?? 0) - (pixels[other + 2] ?? 0));
  return difference >= EDGE_MIN;
}
