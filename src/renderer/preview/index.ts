import type { PreparedPack } from "../compose/prepared-pack.ts";
import { loadFonts } from "../compose/scene.ts";
import type { Engine } from "../engine.ts";
import { likenessOf } from "../mark/mark-values.ts";
import { drawWatermark } from "../mark/watermark.ts";
import { composeAnimation } from "../motion/compose-animation.ts";
import type { Resampler } from "../raster/resampler.ts";
import {
  type ComposedStill,
  composeStill,
  encodeComposed,
  isAnimated,
  isStill,
  renderOutput,
} from "../render.ts";
import type {
  Compliance,
  LayoutReport,
  OutputRequest,
  Raster,
  RenderedOutput,
  RenderFailure,
  Result,
} from "../types.ts";
import { encodePalettePng } from "./palette-png.ts";
import { type PreviewProtection, previewSizeOf } from "./protection.ts";

export { previewSizeOf, protectedSizeOf } from "./protection.ts";

/**
 * Version of a preview's post-processing, part of the preview's identity. Raise it with any change of the mark, the
 * shrinking or the palette.
 */
export const PREVIEW_VERSION = "1.3.0";

/** A frame of an animation: `middle` is half-way to the first frame from which nothing moves. */
export type PreviewFrame = "first" | "middle" | "last";

export interface PreviewRequest extends OutputRequest {
  /** The frame of an animation to draw; the last one when absent. */
  readonly frame?: PreviewFrame;
  readonly protection: PreviewProtection;
  /** Seed of 32 bits for everything about the mark that does not depend on the picture. */
  readonly markSeed: number;
}

/**
 * The largest outputs, in pixels, that a preview encodes to predict bytes and verdict: a feed picture of 1080 × 1350,
 * and any animated display banner. A preview is free, so it must take less than 2 s of CPU time for any picture. Noise
 * takes 0.3 s to encode as a still of 1.5 megapixels, and 1 s as an animation of 0.3 megapixels. Larger outputs have
 * caps of megabytes, which only noise would exceed.
 */
const PREDICTED_PX_MAX: Readonly<Record<OutputRequest["motion"], number>> = {
  static: 1_500_000,
  animated: 320_000,
};

const isPredicted = ({ size, motion, format, frame = "last" }: PreviewRequest): boolean =>
  frame === "last" &&
  format !== "mp4" &&
  size.byteCap !== null &&
  size.width * size.height <= PREDICTED_PX_MAX[motion];

/** The predicted output: its file size and verdict, or why it cannot be made. */
export type PredictedOutput =
  | { readonly ok: true; readonly byteLength: number; readonly compliance: Compliance }
  | RenderFailure;

export interface RenderedPreview {
  /** A PNG with a palette. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** `likenessOf` the picture before it is marked. */
  readonly likeness: Int8Array<ArrayBuffer>;
  /** The layout in the output's own pixels. */
  readonly layout: LayoutReport;
  /** Null for a size without a byte cap, and for an output that is too large to encode for a free preview. */
  readonly predicted: PredictedOutput | null;
}

/**
 * Draws the still of one output of a prepared pack, or another frame of its animation, as a protected PNG. If the size
 * has a byte cap and at most `PREDICTED_PX_MAX` pixels, also encodes the output to predict it; an encoding failure is
 * then part of the prediction. Fails with HEADLINE_DOES_NOT_FIT or FONT_UNREADABLE.
 */
export async function renderPreview(
  engine: Engine,
  pack: PreparedPack,
  request: PreviewRequest,
): Promise<Result<RenderedPreview>> {
  await loadFonts(pack, request);
  const shown = composeShown(pack, request);
  if (!shown.ok) return shown;
  const output = isPredicted(request) ? await makeOutput(engine, pack, request, shown.value) : null;
  const { protection } = request;
  const picture = shrunk(engine.resampler, shown.value.canvas, request);
  const likeness = likenessOf(picture);
  if (protection !== "none") drawWatermark(picture, request.markSeed);
  return {
    ok: true,
    value: {
      bytes: await encodePalettePng(picture, protection === "none"),
      width: picture.width,
      height: picture.height,
      likeness,
      layout: output?.ok ? output.value.layout : shown.value.layout,
      predicted: output === null ? null : predictionOf(output),
    },
  };
}

/** The requested frame of an animation; the still for the last frame and for a static output. */
function composeShown(pack: PreparedPack, request: PreviewRequest): Result<ComposedStill> {
  const { format, motion, frame = "last" } = request;
  if (frame === "last" || motion === "static" || !isAnimated(format)) return composeStill(pack, request);
  const moving = composeAnimation(pack, request, format);
  if (!moving.ok) return moving;
  const { restAt, draw, layout, close } = moving.value;
  const canvas = draw(frame === "first" ? 0 : Math.floor(restAt / 2));
  close();
  return { ok: true, value: { canvas, layout } };
}

/** Makes the output as a paid job would; a still is encoded from the given composition. */
function makeOutput(
  engine: Engine,
  pack: PreparedPack,
  request: PreviewRequest,
  still: ComposedStill,
): Promise<Result<RenderedOutput>> {
  const { size, motion, format } = request;
  return motion === "static" && isStill(format)
    ? encodeComposed(engine, still, size, format)
    : renderOutput(engine, pack, request);
}

/** The canvas at the size of the protected preview, which follows from the output's size at scale 1. */
function shrunk(
  resampler: Resampler,
  canvas: Raster,
  { size: { scale = 1 }, protection }: Pick<PreviewRequest, "size" | "protection">,
): Raster {
  const { width, height } = previewSizeOf(canvas.width / scale, canvas.height / scale, protection);
  if (protection !== "none") return resampler.shrinkByArea(canvas, width, height);
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  return resampler.resample(canvas, whole, width, height);
}

function predictionOf(rendered: Result<RenderedOutput>): PredictedOutput {
  if (!rendered.ok) return rendered;
  const primary = rendered.value.files.find((file) => file.role === "primary");
  if (primary === undefined) throw new Error("an output has a primary file");
  return { ok: true, byteLength: primary.bytes.length, compliance: primary.compliance };
}
