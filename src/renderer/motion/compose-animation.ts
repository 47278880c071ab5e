import type { AnimatedFormat, Size } from "#catalogue/types.ts";
import type { CanvasMemory } from "../buffers.ts";
import { reportOf } from "../compose/layout-report.ts";
import type { PreparedPack } from "../compose/prepared-pack.ts";
import {
  composeScene,
  hasBorderAtRest,
  type LayeredScene,
  releaseScene,
  type Scene,
} from "../compose/scene.ts";
import type { CompositionRequest, LayoutReport, Raster, Result } from "../types.ts";
import { framesOf, type MovingPhoto, movingPhotosOf, timelineOfScene } from "./animate.ts";
import { presetOf } from "./presets.ts";
import { fitsWhileMoving } from "./push-in.ts";
import { framesAt, loopsWithin, PLAY, VIDEO } from "./timeline.ts";

/** The strictest network's byte cap: display animations stay under it even if the size allows more. */
const DISPLAY_ANIMATION_BYTES_MAX = 150_000;

/** The byte cap of an animation; null if there is none. */
export const animationCapOf = ({ needsBorder, byteCap }: Size): number | null =>
  needsBorder ? Math.min(byteCap ?? DISPLAY_ANIMATION_BYTES_MAX, DISPLAY_ANIMATION_BYTES_MAX) : byteCap;

/** Duration of each frame of an output, and the total number of plays. */
export interface PlayTimes {
  readonly delaysMs: readonly number[];
  readonly loops: number;
}

/**
 * Frame times of a size in a format. HTML5 has no frames; if it is drawn frame by frame, as in the Studio, it has the
 * frames of a video.
 */
export function playTimesOf({ animation }: Size, format: AnimatedFormat): PlayTimes {
  const isSmooth = format === "html5" || format === "mp4";
  const rate = isSmooth ? VIDEO.framesPerSecond : animation.framesPerSecondMax;
  const { durationMs } = format === "mp4" ? VIDEO : PLAY;
  return {
    delaysMs: framesAt({ ...PLAY, durationMs }, rate).map(({ delayMs }) => delayMs),
    loops: format === "mp4" ? 1 : loopsWithin(durationMs, animation),
  };
}

/** One play of a scene, frame by frame. */
export interface Play extends PlayTimes {
  /** The first frame from which nothing moves. */
  readonly restAt: number;
  /** Draws a frame in pixels from `memory`; the caller frees it. */
  draw(frame: number, memory?: CanvasMemory): Raster;
}

/** The frames of one play of a scene with these moving photos. */
export function playOf(
  scene: LayeredScene,
  hasBorder: boolean,
  size: Size,
  photos: readonly (MovingPhoto | null)[],
  format: AnimatedFormat,
): Play {
  const timeline = timelineOfScene(scene, photos);
  const drawAt = framesOf(scene, hasBorder, timeline, photos);
  const times = playTimesOf(size, format);
  const startOf = (frame: number): number =>
    times.delaysMs.slice(0, frame).reduce((sum, delayMs) => sum + delayMs, 0);
  const restMs = Math.max(0, ...timeline.tracks.map(({ endMs }) => endMs));
  const restAt = times.delaysMs.findIndex((_, frame) => startOf(frame) >= restMs);
  return { ...times, restAt, draw: (frame, memory) => drawAt(startOf(frame), memory) };
}

/** The photos that move in a format: those expected to fit the byte cap. */
export function photosThatFit(
  pack: PreparedPack,
  scene: Scene,
  size: Size,
  format: AnimatedFormat,
): readonly (MovingPhoto | null)[] {
  const photos = movingPhotosOf(pack, scene);
  if (format === "html5" || format === "mp4") return photos;
  const { photoMs } = presetOf(scene.brief.look.motion);
  const frames = framesAt({ ...PLAY, endCardMs: photoMs }, size.animation.framesPerSecondMax).length;
  return photos.map((photo, at) => {
    const box = scene.arrangement.design.pictures[at]?.box;
    return box !== undefined && fitsWhileMoving(box, frames, format, animationCapOf(size)) ? photo : null;
  });
}

/** An animated output, composed but not encoded. */
export interface ComposedAnimation extends Play {
  /** Layout of its last frame. */
  readonly layout: LayoutReport;
  close(): void;
}

/**
 * Lays out an animated output whose photos move if possible. Its fonts must be loaded. Fails with HEADLINE_DOES_NOT_FIT
 * or the failure of the fonts.
 */
export function composeAnimation(
  pack: PreparedPack,
  request: CompositionRequest,
  format: AnimatedFormat,
): Result<ComposedAnimation> {
  const { size } = request;
  const scene = composeScene(pack, request, true);
  if (!scene.ok) return scene;
  const hasBorder = hasBorderAtRest(scene.value, size.needsBorder);
  const photos = photosThatFit(pack, scene.value, size, format);
  const play = playOf(scene.value, hasBorder, size, photos, format);
  const layout = reportOf(pack, scene.value, hasBorder);
  return { ok: true, value: { ...play, layout, close: () => releaseScene(scene.value) } };
}
