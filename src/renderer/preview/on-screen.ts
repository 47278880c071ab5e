import { freeRaster } from "../buffers.ts";
import { evaluateUnwritten } from "../compliance.ts";
import type { PreparedPack } from "../compose/prepared-pack.ts";
import { loadFonts } from "../compose/scene.ts";
import type { Engine } from "../engine.ts";
import { drawWatermark } from "../mark/watermark.ts";
import { composeAnimation, type PlayTimes, playTimesOf } from "../motion/compose-animation.ts";
import { VIDEO } from "../motion/timeline.ts";
import type { Resampler } from "../raster/resampler.ts";
import { composeStill, isAnimated, isStill, unsupported } from "../render.ts";
import type { Compliance, LayoutReport, OutputRequest, Raster, Result } from "../types.ts";
import { type PreviewProtection, previewSizeOf } from "./protection.ts";

/** An output for a screen: composed at its own size, then shrunk and marked, and never encoded. */
export interface ScreenRequest extends OutputRequest {
  /** Width on the screen in device pixels, limited to the output's width and to the maximum of its protection. */
  readonly widthPx: number;
  /** `none` shows the output's own pixels if there is room for them. */
  readonly protection: PreviewProtection;
  /** The workspace's 32-bit seed for the mark. */
  readonly markSeed: number;
}

export interface ScreenStill {
  /** Opaque; the caller frees it. */
  readonly picture: Raster;
  /** The layout in the output's own pixels. */
  readonly layout: LayoutReport;
  /** The output's checks that do not depend on bytes. */
  readonly compliance: Omit<Compliance, "acceptedBy">;
  /** The output's timing; this picture is the last frame. For a static output, the timing it would have as a GIF. */
  readonly play: PlayTimes;
}

/** The frames of an animated output for a screen. Call `close` when done. */
export interface ScreenFrames extends PlayTimes {
  /** Draws a frame, which the caller frees. */
  draw(frame: number): Raster;
  close(): void;
}

/**
 * Draws the still of an output for a screen: the composition of the paid file, or its last frame. Fails with
 * HEADLINE_DOES_NOT_FIT, FORMAT_UNSUPPORTED or FONT_UNREADABLE.
 */
export async function drawOnScreen(
  engine: Engine,
  pack: PreparedPack,
  request: ScreenRequest,
): Promise<Result<ScreenStill>> {
  const { motion, format } = request;
  if (motion === "static" ? !isStill(format) : !isAnimated(format)) return unsupported(motion, format);
  await loadFonts(pack, request);
  const still = composeStill(pack, request);
  if (!still.ok) return still;
  const { canvas, layout } = still.value;
  const picture = shownOf(engine.resampler, canvas, request);
  const play = playTimesOf(request.size, isAnimated(format) ? format : "gif");
  return { ok: true, value: { picture, layout, compliance: complianceOf(request, layout, play), play } };
}

/**
 * Composes an animated output for a screen. All photos that can move do so; in the paid file, a photo that would take
 * too many bytes stays still. Fails as `drawOnScreen` does.
 */
export async function framesOnScreen(
  engine: Engine,
  pack: PreparedPack,
  request: ScreenRequest,
): Promise<Result<ScreenFrames>> {
  const { format } = request;
  if (!isAnimated(format)) return unsupported("animated", format);
  await loadFonts(pack, request);
  const moving = composeAnimation(pack, request, format);
  if (!moving.ok) return moving;
  return {
    ok: true,
    value: {
      delaysMs: moving.value.delaysMs,
      loops: moving.value.loops,
      draw: (frame) => shownOf(engine.resampler, moving.value.draw(frame), request),
      close: moving.value.close,
    },
  };
}

/** The canvas to show: shrunk, then marked. Frees the canvas unless it returns it. */
function shownOf(
  resampler: Resampler,
  canvas: Raster,
  { widthPx, protection, markSeed }: ScreenRequest,
): Raster {
  const { width, height } = screenSizeOf(canvas, widthPx, protection);
  const isWhole = width === canvas.width && height === canvas.height;
  const picture = isWhole ? canvas : resampler.shrinkByArea(canvas, width, height);
  if (!isWhole) freeRaster(canvas);
  if (protection !== "none") drawWatermark(picture, markSeed);
  return picture;
}

/**
 * The size in pixels at which an output is shown: the smallest of the requested width, the output's and the
 * protection's.
 */
function screenSizeOf(
  { width, height }: { readonly width: number; readonly height: number },
  widthPx: number,
  protection: PreviewProtection,
): { readonly width: number; readonly height: number } {
  const most = protection === "none" ? width : previewSizeOf(width, height, protection).width;
  const shown = Math.max(1, Math.min(Math.floor(widthPx), most));
  return shown === width
    ? { width, height }
    : { width: shown, height: Math.max(1, Math.round((height * shown) / width)) };
}

function complianceOf(
  { size, motion, format }: ScreenRequest,
  layout: LayoutReport,
  { delaysMs, loops }: PlayTimes,
): ScreenStill["compliance"] {
  const { width, height } = size;
  const file = { role: "primary", format, width, height } as const;
  if (motion === "static") return evaluateUnwritten({ ...file, animation: null }, size, layout);
  const durationMs = delaysMs.reduce((sum, delayMs) => sum + delayMs, 0);
  // A video repeats its end card to keep a constant frame rate.
  const frames = format === "mp4" ? VIDEO.frames : delaysMs.length;
  const animation = { frames, durationMs, loops };
  return evaluateUnwritten({ ...file, animation }, size, layout, delaysMs[0] ?? durationMs);
}
