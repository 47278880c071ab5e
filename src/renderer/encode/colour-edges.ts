import type { Raster } from "../types.ts";

/** Difference of two neighbours' colours, brightness aside, that halved colour would visibly smear. */
const STEP_MIN = 48;
/** Share of neighbours with such a step from which colour is kept sharp: a line of coloured text has more. */
const STEP_SHARE_MIN = 1 / 250;

/** Largest difference of two neighbours, over red, green and blue, in a flat area. */
const FLAT_MAX = 6;
/** Share of the steps that are beside a flat area: over half in designs, under a third in foliage and grain. */
const EDGE_SHARE_MIN = 0.4;

/**
 * Where a picture's colours step hard: at the "edges" of text, logos and buttons, beside something flat; in "texture",
 * such as foliage and grain; or "nowhere", as in most photographs.
 */
export function colourSteps({ width, height, pixels }: Raster): "edges" | "texture" | "nowhere" {
  const value = (at: number): number => pixels[at] ?? 0;
  const isFlat = (at: number): boolean =>
    Math.abs(value(at) - value(at - 4)) +
      Math.abs(value(at + 1) - value(at - 3)) +
      Math.abs(value(at + 2) - value(at - 2)) <=
    FLAT_MAX;
  let steps = 0;
  let edges = 0;
  for (let y = 0; y < height; y += 2) {
    let at = y * width * 4;
    const end = at + width * 4;
    // Red and blue against green, carried from neighbour to neighbour: this reads half the pixels of every file.
    let red = value(at) - value(at + 1);
    let blue = value(at + 2) - value(at + 1);
    for (at += 4; at < end; at += 4) {
      const green = pixels[at + 1] ?? 0;
      const nextRed = (pixels[at] ?? 0) - green;
      const nextBlue = (pixels[at + 2] ?? 0) - green;
      const step = Math.abs(nextRed - red) + Math.abs(nextBlue - blue);
      red = nextRed;
      blue = nextBlue;
      if (step <= STEP_MIN) continue;
      steps += 1;
      if (isFlat(at - 8) || isFlat(at - 4) || isFlat(at + 4) || isFlat(at + 8)) edges += 1;
    }
  }
  if (steps <= width * Math.ceil(height / 2) * STEP_SHARE_MIN) return "nowhere";
  return edges >= steps * EDGE_SHARE_MIN ? "edges" : "texture";
}
