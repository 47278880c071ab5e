import type { AnimatedFormat } from "#catalogue/types.ts";
import { freeRaster } from "../buffers.ts";
import type { PictureLayer, PicturePose } from "../compose/draw-picture.ts";
import type { PlacedPicture } from "../layout/index.ts";
import { drawOver } from "../raster/blend.ts";
import { emptyLayer } from "../raster/canvas.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box, Raster } from "../types.ts";
import type { DriftRoom } from "./photo-drift-range.ts";
import { driftAt, settledAt, TIMELINE } from "./timeline.ts";

/** How far a photo drifts in total, as a share of its box. */
const DRIFT_SHARE = 0.05;
/** Bytes of a moving photo per pixel and frame, measured on photographs: they decide whether it fits a byte cap. */
const BYTES_PER_PIXEL: Readonly<Record<AnimatedFormat, number>> = { gif: 0.4, apng: 0.5, webp: 0.07 };
/** The share of the byte cap that moving photos may take. */
const CAP_SHARE = 0.55;
/**
 * Pixels that a moving photo may change in all frames: those of a story of 1080 × 1920. As much noise takes 7 s to
 * encode once. On larger canvases a photo stays still.
 */
const DRIFT_PX_MAX = 25_000_000;

/** A photo drawn a little wider (or taller) than its box, which moves like a window over it. */
export interface Drift {
  readonly raster: Raster;
  readonly box: Box;
  /** Offset of the box within the raster at rest. */
  readonly restX: number;
  readonly restY: number;
  /** Where the drift starts, relative to rest, in whole pixels. */
  readonly fromX: number;
  readonly fromY: number;
}

/** Whether a photo that changes in every frame fits the byte cap and the time limit. */
export function canDrift(box: Box, format: AnimatedFormat, byteCap: number | null): boolean {
  const changed = box.width * box.height * TIMELINE.frames;
  return (
    changed <= DRIFT_PX_MAX && (byteCap === null || changed * BYTES_PER_PIXEL[format] <= byteCap * CAP_SHARE)
  );
}

/** A shorter way is no drift but a jerk. */
const TRAVEL_PX_MIN = 3;

/**
 * Prepares a drift along the axis on which the crop (`part`) has room, from the side with more of it unless a head stands
 * in the way (`room`); null when there is none.
 */
export function driftOf(pyramid: Pyramid, part: Box, placed: PlacedPicture, room: DriftRoom): Drift | null {
  const { base } = pyramid;
  const { box } = placed;
  const perPixel = part.width / box.width;
  const before = { x: part.x, y: part.y };
  const after = { x: base.width - part.x - part.width, y: base.height - part.y - part.height };
  const isAcross = before.x + after.x >= before.y + after.y;
  const axis = isAcross ? "x" : "y";
  const travelMax = Math.round((isAcross ? box.width : box.height) * DRIFT_SHARE);
  // What the window shows before its place, the photo shows behind it.
  const fromBefore = Math.min(travelMax, Math.floor(before[axis] / perPixel), room[axis].after);
  const fromAfter = Math.min(travelMax, Math.floor(after[axis] / perPixel), room[axis].before);
  const isBeforeLarger = before[axis] >= after[axis];
  const usual = isBeforeLarger ? fromBefore : fromAfter;
  const isFromBefore = usual >= TRAVEL_PX_MIN ? isBeforeLarger : !isBeforeLarger;
  const travel = isFromBefore ? fromBefore : fromAfter;
  if (travel < TRAVEL_PX_MIN) return null;
  const lead = isFromBefore ? travel : 0;
  const source: Box = {
    x: part.x - (isAcross ? lead * perPixel : 0),
    y: part.y - (isAcross ? 0 : lead * perPixel),
    width: part.width + (isAcross ? travel * perPixel : 0),
    height: part.height + (isAcross ? 0 : travel * perPixel),
  };
  const raster = pyramid.draw(
    source,
    box.width + (isAcross ? travel : 0),
    box.height + (isAcross ? 0 : travel),
  );
  const from = isFromBefore ? -travel : travel;
  return {
    raster,
    box,
    restX: isAcross ? lead : 0,
    restY: isAcross ? 0 : lead,
    fromX: isAcross ? from : 0,
    fromY: isAcross ? 0 : from,
  };
}

/** Draws one frame of a drifting photo. In the last frame it is at rest. */
export function drawDrift(canvas: Raster, drift: Drift, frame: number): void {
  const left = 1 - driftAt(frame);
  const { box, raster } = drift;
  const x = drift.restX + Math.round(drift.fromX * left);
  const y = drift.restY + Math.round(drift.fromY * left);
  // The photo fills the window, so that what is opaque is copied row by row.
  const window: Raster = { ...emptyLayer(box.width, box.height), alpha: raster.alpha };
  drawOver(window, raster, -x, -y);
  drawOver(canvas, window, box.x, box.y);
  freeRaster(window);
}

/** Where a cut-out or card is on the way to its place: it starts off it by shares of its size, and is seen from the first frame. */
export function heroPose(
  layer: PictureLayer,
  from: { readonly x: number; readonly y: number },
  frame: number,
): PicturePose {
  const left = 1 - settledAt(frame);
  return {
    shiftX: Math.round(layer.raster.width * from.x * left),
    shiftY: Math.round(layer.raster.height * from.y * left),
    opacity: 255,
  };
}
