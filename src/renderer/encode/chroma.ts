import type { Raster } from "../types.ts";

/** Difference of two neighbours' colours, brightness aside, that halved colour would visibly smear. */
const EDGE_STEP = 48;
/** Share of neighbours with such a step from which colour is kept at full resolution: a line of coloured text has more. */
const EDGE_SHARE_MIN = 1 / 250;

/** Whether a picture has hard coloured edges, such as text, logos and buttons have and photographs have not. */
export function hasColourEdges({ width, height, pixels }: Raster): boolean {
  let edges = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const at = (y * width + x) * 4;
      const green = (pixels[at + 1] ?? 0) - (pixels[at - 3] ?? 0);
      const redStep = (pixels[at] ?? 0) - (pixels[at - 4] ?? 0) - green;
      const blueStep = (pixels[at + 2] ?? 0) - (pixels[at - 2] ?? 0) - green;
      if (Math.abs(redStep) + Math.abs(blueStep) > EDGE_STEP) edges += 1;
    }
  }
  return edges > width * height * EDGE_SHARE_MIN;
}
