import type { Raster } from "../types.ts";

/** Difference of two neighbours' colours, brightness aside, that halved colour would visibly smear. */
const EDGE_STEP = 48;
/** Share of neighbours with such a step from which colour is kept at full resolution: a line of coloured text has more. */
const EDGE_SHARE_MIN = 1 / 250;

/** Whether a picture has hard coloured edges, such as text, logos and buttons have and photographs have not. */
export function hasColourEdges({ width, height, pixels }: Raster): boolean {
  const most = width * height * EDGE_SHARE_MIN;
  let edges = 0;
  for (let y = 0; y < height && edges <= most; y++) {
    const start = y * width * 4;
    const end = start + width * 4;
    let redBefore = (pixels[start] ?? 0) - (pixels[start + 1] ?? 0);
    let blueBefore = (pixels[start + 2] ?? 0) - (pixels[start + 1] ?? 0);
    for (let at = start + 4; at < end; at += 4) {
      const green = pixels[at + 1] ?? 0;
      const red = (pixels[at] ?? 0) - green;
      const blue = (pixels[at + 2] ?? 0) - green;
      if (Math.abs(red - redBefore) + Math.abs(blue - blueBefore) > EDGE_STEP) edges += 1;
      redBefore = red;
      blueBefore = blue;
    }
  }
  return edges > most;
}
