import { freeRaster } from "../buffers.ts";
import { BLACK, filledCanvas, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";

/** What was painted, without what is under it: its colours, and how much of what is under it each pixel hides. */
export interface Matte {
  readonly box: Box;
  /** Opaque; where hardly anything was painted, what is under it. */
  readonly colours: Raster;
  /** Opaque and grey: white hides everything. */
  readonly coverage: Raster;
}

/** Coverage under which a pixel's own colour is no longer known. */
const COVERAGE_MIN = 16;

/**
 * Separates what `paint` paints from its ground by painting it on black and on white: what hides more differs less (triangulation
 * matting, Smith and Blinn 1996). Null when nothing is painted.
 */
export function matteOf(under: Raster, paint: (canvas: Raster) => void): Matte | null {
  const { width, height } = under;
  const onBlack = filledCanvas(width, height, BLACK);
  const onWhite = filledCanvas(width, height, WHITE);
  paint(onBlack);
  paint(onWhite);
  const hides = (at: number): number => {
    const seen = (channel: number) =>
      (onWhite.pixels[at + channel] ?? 0) - (onBlack.pixels[at + channel] ?? 0);
    return 255 - Math.round((seen(0) + seen(1) + seen(2)) / 3);
  };
  const box = painted(width, height, hides);
  const matte = box === null ? null : cutOut(under, onBlack, box, hides);
  freeRaster(onBlack);
  freeRaster(onWhite);
  return matte;
}

function painted(width: number, height: number, hides: (at: number) => number): Box | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (hides((y * width + x) * 4) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function cutOut(under: Raster, onBlack: Raster, box: Box, hides: (at: number) => number): Matte {
  const colours = filledCanvas(box.width, box.height, BLACK);
  const coverage = filledCanvas(box.width, box.height, BLACK);
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      const from = ((box.y + y) * under.width + box.x + x) * 4;
      const to = (y * box.width + x) * 4;
      const share = hides(from);
      for (let channel = 0; channel < 3; channel += 1) {
        coverage.pixels[to + channel] = share;
        colours.pixels[to + channel] =
          share < COVERAGE_MIN
            ? (under.pixels[from + channel] ?? 0)
            : ((onBlack.pixels[from + channel] ?? 0) * 255) / share;
      }
    }
  }
  return { box, colours, coverage };
}
