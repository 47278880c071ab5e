import type { AnimatedFormat, Size } from "#catalogue/types.ts";
import { freeRaster } from "../buffers.ts";
import type { PreparedPack } from "../compose/prepared-pack.ts";
import { composeScene, flattenScene, releaseScene } from "../compose/scene.ts";
import { copyOf } from "../raster/canvas.ts";
import type { CompositionRequest, Raster, Result } from "../types.ts";
import { driftsOf, framesOf } from "./animate.ts";

/** The strictest network's byte cap: display animations stay under it even where the size allows more. */
const DISPLAY_ANIMATION_BYTES_MAX = 150_000;

/** The most bytes of an animation; null where there is no cap. */
export const animationCapOf = ({ needsBorder, byteCap }: Size): number | null =>
  needsBorder ? Math.min(byteCap ?? DISPLAY_ANIMATION_BYTES_MAX, DISPLAY_ANIMATION_BYTES_MAX) : byteCap;

/** An animated output, composed and not encoded. */
export interface ComposedAnimation {
  /** Draws a frame of the timeline, which is the caller's to free. */
  draw(frame: number): Raster;
  close(): void;
}

/**
 * Arranges an animated output whose photos drift where they may. Its fonts are loaded.
 * Fails with HEADLINE_DOES_NOT_FIT or the failure of the fonts.
 */
export function composeAnimation(
  pack: PreparedPack,
  request: CompositionRequest,
  format: AnimatedFormat,
): Result<ComposedAnimation> {
  const { size } = request;
  const scene = composeScene(pack, request, true);
  if (!scene.ok) return scene;
  const rest = flattenScene({ ...scene.value, backdrop: copyOf(scene.value.backdrop) }, size.needsBorder);
  freeRaster(rest.canvas);
  const drifts = driftsOf(pack, scene.value, format, animationCapOf(size));
  const close = (): void => {
    for (const drift of drifts) if (drift !== null) freeRaster(drift.raster);
    releaseScene(scene.value);
  };
  return { ok: true, value: { draw: framesOf(scene.value, rest.hasBorder, drifts), close } };
}
