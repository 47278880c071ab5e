import type { Raster } from "../types.ts";

/** Nearly all: the antialiased rim is darker by its own alpha. */
const SOLID_ALPHA_MIN = 250;
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
  const compare = (one: number, other: number): void => {
    const from = pixels[one + 3] ?? 0;
    const to = pixels[other + 3] ?? 0;
    if (from >= SOLID_ALPHA_MIN && to >= SOLID_ALPHA_MIN) {
      const difference =
        Math.abs((pixels[one] ?? 0) - (pixels[other] ?? 0)) +
        Math.abs((pixels[one + 1] ?? 0) - (pixels[other + 1] ?? 0)) +
        Math.abs((pixels[one + 2] ?? 0) - (pixels[other + 2] ?? 0));
      if (difference >= EDGE_MIN) inner += 1;
    } else if (
      (from > CLEAR_ALPHA_MAX && to <= CLEAR_ALPHA_MAX) ||
      (from <= CLEAR_ALPHA_MAX && to > CLEAR_ALPHA_MAX)
    ) {
      outer += 1;
    }
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if (x + 1 < width) compare(at, at + 4);
      if (y + 1 < height) compare(at, at + width * 4);
    }
  }
  return inner + outer === 0 ? 0 : inner / (inner + outer);
}
