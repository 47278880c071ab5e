import type { ScaledSize } from "../catalogue/scales.ts";
import type { AnimatedFormat, StaticFormat } from "../catalogue/types.ts";
import type { CanvasMemory } from "./buffers.ts";
import { evaluateCompliance, type UncheckedFile } from "./compliance.ts";
import { reportOf } from "./compose/layout-report.ts";
import type { PreparedPack } from "./compose/prepared-pack.ts";
import {
  composeScene,
  flattenScene,
  hasBorderAtRest,
  loadFonts,
  releaseScene,
  type Scene,
} from "./compose/scene.ts";
import { type EncodedStill, encodeDrawn, encodeStill } from "./encode/index.ts";
import type { Engine } from "./engine.ts";
import { createTestMark, type Mark } from "./mark/test-mark.ts";
import { copyOf } from "./raster/canvas.ts";
import { type AnimatedFile, encodeAnimated } from "./render-animation.ts";
import { drawVideo } from "./render-video.ts";
import {
  type Adjustment,
  type CompositionRequest,
  failure,
  type LayoutReport,
  type OutputRequest,
  PHOTO_FAMILIES,
  type Raster,
  type RenderedFile,
  type RenderedOutput,
  type RenderFailure,
  type Result,
} from "./types.ts";

/** Up to this area the backup of a flat design is a PNG, which keeps edges crisp. */
const PNG_BACKUP_AREA_PX_MAX = 400_000;

/** Draws one output of a pack; see `Renderer.render`. */
export async function renderOutput(
  engine: Engine,
  pack: PreparedPack,
  request: OutputRequest,
): Promise<Result<RenderedOutput>> {
  const { motion, format } = request;
  await loadFonts(pack, request);
  if (motion === "static")
    return isStill(format) ? renderStill(engine, pack, request, format) : unsupported(motion, format);
  return isAnimated(format) ? renderAnimation(engine, pack, request, format) : unsupported(motion, format);
}

async function renderStill(
  engine: Engine,
  pack: PreparedPack,
  request: OutputRequest,
  format: StaticFormat,
): Promise<Result<RenderedOutput>> {
  const { size } = request;
  const mark = markOf(engine, request);
  const compose = (memory?: CanvasMemory) => {
    const still = composeStill(pack, request, memory);
    if (still.ok) mark?.(still.value.canvas);
    return still;
  };
  if (format === "jpg") {
    const encoded = await encodeDrawn(engine, size, size.byteCap, compose);
    return encoded.ok ? stillOutput(encoded.value.still, encoded.value.drawn.layout, size, format) : encoded;
  }
  const still = compose();
  return still.ok ? encodeComposed(engine, still.value, size, format, "spent") : still;
}

/** The watermark of a test key's output; null for other outputs. */
const markOf = ({ resampler }: Engine, { isTest = false }: OutputRequest): Mark | null =>
  isTest ? createTestMark(resampler) : null;

/** The still of an output, composed but not encoded. The caller of `composeStill` releases its canvas. */
export interface ComposedStill {
  readonly canvas: Raster;
  readonly layout: LayoutReport;
}

/**
 * Lays out and draws the still of an output, in pixels from `memory`. Fails with HEADLINE_DOES_NOT_FIT or the failure
 * of the fonts.
 */
export function composeStill(
  pack: PreparedPack,
  request: CompositionRequest,
  memory?: CanvasMemory,
): Result<ComposedStill> {
  const scene = composeScene(pack, request, false, memory);
  if (!scene.ok) return scene;
  const { canvas, hasBorder } = flattenScene(scene.value, request.size.needsBorder);
  return { ok: true, value: { canvas, layout: reportOf(pack, scene.value, hasBorder) } };
}

/** Encodes a composed still as its paid output, and releases its canvas if `spent`. Fails with BYTE_CAP_UNREACHABLE. */
export async function encodeComposed(
  engine: Engine,
  { canvas, layout }: ComposedStill,
  size: ScaledSize,
  format: StaticFormat,
  use: "kept" | "spent" = "kept",
): Promise<Result<RenderedOutput>> {
  const encoded = await encodeStill(engine, canvas, format, size.byteCap, use);
  return encoded.ok ? stillOutput(encoded.value, layout, size, format) : encoded;
}

function stillOutput(
  { bytes, reduced }: EncodedStill,
  layout: LayoutReport,
  size: ScaledSize,
  format: StaticFormat,
): Result<RenderedOutput> {
  const noted = withNotes(layout, size, reduced, false);
  const file = withCompliance(stillFile(bytes, format, size, "primary"), size, noted);
  return { ok: true, value: { sizeId: size.sizeId, files: [file], layout: noted } };
}

async function renderAnimation(
  engine: Engine,
  pack: PreparedPack,
  request: OutputRequest,
  format: AnimatedFormat,
): Promise<Result<RenderedOutput>> {
  if (format === "mp4") return renderVideo(engine, pack, request);
  const { size } = request;
  const composed = composeScene(pack, request, true);
  if (!composed.ok) return composed;
  const scene = composed.value;
  const hasBorder = hasBorderAtRest(scene, size.needsBorder);
  const mark = markOf(engine, request);
  const moving = await encodeAnimated(engine, pack, scene, hasBorder, size, format, request.landing, mark);
  const output = moving.ok ? await withBackup(engine, pack, scene, size, moving.value, mark) : moving;
  releaseScene(scene);
  return output;
}

/** Draws a video. Frees its layers before it writes the file. */
async function renderVideo(
  engine: Engine,
  pack: PreparedPack,
  request: OutputRequest,
): Promise<Result<RenderedOutput>> {
  const { size } = request;
  const video = await drawVideo(engine, pack, request, markOf(engine, request));
  if (!video.ok) return video;
  const { layout, drawRest, close, write } = video.value;
  const backup = await renderBackup(engine, pack, drawRest, size, layout);
  close();
  if (!backup.ok) return backup;
  const { file, stepMsMin } = await write();
  const primary = withCompliance(file, size, layout, stepMsMin);
  return { ok: true, value: { sizeId: size.sizeId, files: [primary, backup.value], layout } };
}

/** Adds the backup still to an animated file. The still is drawn over the scene's backdrop. */
async function withBackup(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  size: ScaledSize,
  { file, reduced, framesReduced, stepMsMin }: AnimatedFile,
  mark: Mark | null,
): Promise<Result<RenderedOutput>> {
  const { canvas, hasBorder } = flattenScene(scene, size.needsBorder);
  mark?.(canvas);
  const layout = withNotes(reportOf(pack, scene, hasBorder), size, reduced, framesReduced);
  const primary = withCompliance(file, size, layout, stepMsMin);
  const backup = await renderBackup(engine, pack, (memory) => copyOf(canvas, memory), size, layout);
  if (!backup.ok) return backup;
  return { ok: true, value: { sizeId: size.sizeId, files: [primary, backup.value], layout } };
}

/** The last frame as a still: a PNG for small flat designs if it fits the cap at full quality, else a JPEG. */
async function renderBackup(
  engine: Engine,
  pack: PreparedPack,
  draw: (memory?: CanvasMemory) => Raster,
  size: ScaledSize,
  layout: LayoutReport,
): Promise<Result<RenderedFile>> {
  const byteCap = size.animation.backupBytesMax ?? size.byteCap;
  const isFlat = !PHOTO_FAMILIES.includes(pack.family) && pack.background === null;
  if (isFlat && size.width * size.height <= PNG_BACKUP_AREA_PX_MAX) {
    const png = await encodeStill(engine, draw(), "png", byteCap, "spent");
    if (png.ok && !png.value.reduced) {
      return {
        ok: true,
        value: withCompliance(stillFile(png.value.bytes, "png", size, "backup"), size, layout),
      };
    }
  }
  const jpg = await encodeDrawn(engine, size, byteCap, (memory) => ({
    ok: true,
    value: { canvas: draw(memory) },
  }));
  if (!jpg.ok) return jpg;
  const { bytes } = jpg.value.still;
  return { ok: true, value: withCompliance(stillFile(bytes, "jpg", size, "backup"), size, layout) };
}

const STILL_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

function stillFile(
  bytes: Uint8Array,
  format: StaticFormat,
  size: ScaledSize,
  role: RenderedFile["role"],
): UncheckedFile {
  const { width, height } = size;
  return {
    ...{ role, bytes, contentType: STILL_TYPES[format], format, extension: format },
    ...{ width, height, animation: null },
  };
}

const withCompliance = (
  file: UncheckedFile,
  size: ScaledSize,
  layout: LayoutReport,
  stepMsMin: number | null = null,
): RenderedFile => ({
  ...file,
  compliance: evaluateCompliance(file, size, layout, stepMsMin),
});

function withNotes(
  layout: LayoutReport,
  size: ScaledSize,
  isReduced: boolean,
  areFramesReduced: boolean,
): LayoutReport {
  const notes: Adjustment[] = [];
  const cap = size.byteCap === null ? "the bytes allowed" : `${size.byteCap} bytes`;
  if (isReduced) {
    notes.push({
      code: "quality_reduced",
      element: null,
      message: `The file was compressed harder than preferred to stay within ${cap}.`,
    });
  }
  if (areFramesReduced) {
    notes.push({
      code: "frames_reduced",
      element: null,
      message: `Frames were left out to stay within ${cap}; the animation lasts as long as before.`,
    });
  }
  return { ...layout, adjustments: [...layout.adjustments, ...notes] };
}

/** The failure of a format that does not support a motion. */
export function unsupported(motion: OutputRequest["motion"], format: OutputRequest["format"]): RenderFailure {
  const takes = motion === "static" ? "png, jpg or webp" : "gif, webp, apng, html5 or mp4";
  return failure(
    "FORMAT_UNSUPPORTED",
    `An output that is ${motion} cannot be made as ${format}; choose ${takes}.`,
  );
}

export const isStill = (format: OutputRequest["format"]): format is StaticFormat =>
  format === "png" || format === "jpg" || format === "webp";

export const isAnimated = (format: OutputRequest["format"]): format is AnimatedFormat =>
  format === "webp" || !isStill(format);
