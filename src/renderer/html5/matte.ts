import { freeRaster } from "../buffers.ts";
import { BLACK, filledCanvas, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";

/** What was painted, without what is under it. */
export interface Matte {
  /** Its place on the canvas. */
  readonly box: Box;
  /** Its colours with straight alpha. */
  readonly raster: Raster;
}

/** Levels, of 255, by which a colour may differ from the painted one, which is rounded itself. */
const ROUNDING = 1;

/**
 * Separates what `paint` paints on a canvas from its ground by painting it on black and on white: what hides more differs less
 * (triangulation matting, Smith and Blinn 1996). Null when nothing is painted. The caller frees the raster.
 */
export function matteOf(
  { width, height }: Pick<Raster, "width" | "height">,
  paint: (canvas: Raster) => void,
): Matte | null {
  const onBlack = filledCanvas(width, height, BLACK);
  const onWhite = filledCanvas(width, height, WHITE);
  paint(onBlack);
  paint(onWhite);
  const alphaAt = (at: number): number => {
    const seen = (channel: number) =>
      (onWhite.pixels[at + channel] ?? 0) - (onBlack.pixels[at + channel] ?? 0);
    return 255 - Math.round((seen(0) + seen(1) + seen(2)) / 3);
  };
  const box = paintedBox(width, height, alphaAt);
  const matte = box === null ? null : { box, raster: cutOut(onBlack, box, alphaAt) };
  freeRaster(onBlack);
  freeRaster(onWhite);
  return matte;
}

function paintedBox(width: number, height: number, alphaAt: (at: number) => number): Box | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (alphaAt((y * width + x) * 4) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** A pixel keeps the colours of the one before where that is not seen: gradients of one colour then take few bytes. */
function cutOut(onBlack: Raster, { x, y, width, height }: Box, alphaAt: (at: number) => number): Raster {
  const pixels = new Uint8ClampedArray(width * height * 4);
  const colour = [0, 0, 0];
  for (let to = 0; to < pixels.length; to += 4) {
    const column = (to / 4) % width;
    const from = ((y + (to / 4 - column) / width) * onBlack.width + x + column) * 4;
    const alpha = alphaAt(from);
    if (alpha === 0) continue;
    for (let channel = 0; channel < 3; channel += 1) {
      const painted = onBlack.pixels[from + channel] ?? 0;
      const isSame = Math.abs(((colour[channel] ?? 0) * alpha) / 255 - painted) < ROUNDING;
      if (!isSame) colour[channel] = Math.min(255, Math.round((painted * 255) / alpha));
      pixels[to + channel] = colour[channel] ?? 0;
    }
    pixels[to + 3] = alpha;
  }
  return { width, height, pixels, alpha: "straight" };
}
