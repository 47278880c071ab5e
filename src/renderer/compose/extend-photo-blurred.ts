import { type CanvasMemory, freeRaster } from "../buffers.ts";
import { drawOver } from "../raster/blend.ts";
import { boxOf, type Rgb } from "../raster/canvas.ts";
import { paintScrim } from "../raster/gradient.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box, Raster } from "../types.ts";

/** Short edge, in pixels, to which the photo is shrunk: its colours stay, its things do not. */
const BLURRED_EDGE_PX = 14;
/** The blurred copy is enlarged by way of this short edge, so that no grid of its few pixels shows. */
const SMOOTH_EDGE_PX = 72;
/** How much of the surface's colour lies over the blurred copy: it must stay behind the photo. */
const TINT_OPACITY = 0.38;

/**
 * A photo that stands whole in a place of other proportions: `sharp` (canvas pixels) is where it stands in `box`, the rest
 * is a strongly blurred copy of it under a film of the surface. `part` is in pixels of the pyramid's base. The pixels come from `memory`.
 */
export function drawExtended(
  pyramid: Pyramid,
  part: Box,
  box: Box,
  sharp: Box,
  surface: Rgb,
  memory?: CanvasMemory,
): Raster {
  const { resampler } = pyramid;
  const few = edges(box, BLURRED_EDGE_PX);
  const some = edges(box, SMOOTH_EDGE_PX);
  const tiny = pyramid.draw(coveringPart(part, box), few.width, few.height);
  const small = resampler.resample(tiny, boxOf(tiny), some.width, some.height);
  const ground = resampler.resample(small, boxOf(small), box.width, box.height, memory);
  const even = [
    { at: 0, opacity: TINT_OPACITY },
    { at: 1, opacity: TINT_OPACITY },
  ];
  paintScrim(ground, boxOf(ground), surface, even, "down");
  const photo = pyramid.draw(part, sharp.width, sharp.height);
  drawOver(ground, photo, sharp.x - box.x, sharp.y - box.y);
  freeRaster(photo);
  return ground;
}

/** A place's edges, shrunk so that the shorter one is at most `shortPx`. */
function edges({ width, height }: Box, shortPx: number): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, shortPx / Math.min(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The middle of a part that has the proportions of a place. */
function coveringPart(part: Box, place: Box): Box {
  const fit = Math.min(part.width / place.width, part.height / place.height);
  const [width, height] = [place.width * fit, place.height * fit];
  return { x: part.x + (part.width - width) / 2, y: part.y + (part.height - height) / 2, width, height };
}
