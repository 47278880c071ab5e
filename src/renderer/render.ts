import type { ScaledSize } from "../catalogue/scales.ts";
import type { AnimatedFormat, StaticFormat } from "../catalogue/types.ts";
import { type CanvasMemory, freeRaster } from "./buffers.ts";
import { evaluateCompliance, type UncheckedFile } from "./compliance.ts";
import { headsOnCanvas } from "./compose/heads-on-canvas.ts";
import { reportOf } from "./compose/layout-report.ts";
import type { PreparedPack } from "./compose/prepared-pack.ts";
import {
  composeScene,
  flattenScene,
  loadFonts,
  type RestingScene,
  releaseScene,
  type Scene,
} from "./compose/scene.ts";
import { type AnimationBudget, createAnimationBudget } from "./encode/animation-budget.ts";
import { type EncodedStill, encodeAnimation, encodeDrawn, encodeStill } from "./encode/index.ts";
import type { Engine } from "./engine.ts";
import type { MovingPhoto } from "./motion/animate.ts";
import { animationCapOf, photosThatFit, playOf } from "./motion/compose-animation.ts";
import { copyOf } from "./raster/canvas.ts";
import {
  type Adjustment,
  type CompositionRequest,
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
  request: CompositionRequest,
  format: StaticFormat,
): Promise<Result<RenderedOutput>> {
  const { size } = request;
  if (format === "jpg") {
    const draw = (memory: CanvasMemory) => composeStill(pack, request, memory);
    const encoded = await encodeDrawn(engine, size, size.byteCap, draw);
    return encoded.ok ? stillOutput(encoded.value.still, encoded.value.drawn.layout, size, format) : encoded;
  }
  const still = composeStill(pack, request);
  return still.ok ? encodeComposed(engine, still.value, size, format, "spent") : still;
}

/** The still of an output, composed and not yet encoded. The caller of `composeStill` releases its canvas. */
export interface ComposedStill {
  readonly canvas: Raster;
  readonly layout: LayoutReport;
}

/** Arranges and draws the still of an output, in pixels from `memory`. Fails with HEADLINE_DOES_NOT_FIT or the failure of the fonts. */
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

/** Encodes a composed still as its paid output, and releases its canvas if it is `spent`. Fails with BYTE_CAP_UNREACHABLE. */
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
  request: CompositionRequest,
  format: AnimatedFormat,
): Promise<Result<RenderedOutput>> {
  const { size } = request;
  const scene = composeScene(pack, request, true);
  if (!scene.ok) return scene;
  const rest = flattenScene({ ...scene.value, backdrop: copyOf(scene.value.backdrop) }, size.needsBorder);
  const output = await encodeMoving(engine, pack, scene.value, rest, size, format);
  freeRaster(rest.canvas);
  releaseScene(scene.value);
  return output;
}

async function encodeMoving(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  rest: RestingScene,
  size: ScaledSize,
  format: AnimatedFormat,
): Promise<Result<RenderedOutput>> {
  const byteCap = animationCapOf(size);
  const heads = headsOnCanvas(pack, scene);
  const budget = createAnimationBudget();
  const encode = async (
    photos: readonly (MovingPhoto | null)[],
    left: AnimationBudget,
    whenSpent: "give up" | "smallest",
  ) => {
    const { draw, delaysMs, loops } = playOf(scene, rest.hasBorder, size, photos);
    const shape = { width: size.width, height: size.height, delaysMs, loops, heads };
    const frames = oneAtATime(draw);
    const written = await encodeAnimation(engine, frames.draw, shape, format, byteCap, left, whenSpent);
    frames.end();
    return written;
  };
  const photos = photosThatFit(pack, scene, size, format);
  const moving = photos.some((photo) => photo !== null) ? await encode(photos, budget, "give up") : null;
  // The bytes of a moving photo are known only once it is encoded: when they are too many, it stays still.
  const held = photos.map(() => null);
  const encoded = moving?.ok ? moving : await encode(held, budget.rest(), "smallest");
  if (!encoded.ok) return encoded;
  const { bytes, durationMs, stepMsMin, loops, reduced, framesReduced } = encoded.value;
  const layout = withNotes(reportOf(pack, scene, rest.hasBorder), size, reduced, framesReduced);
  const primary = withCompliance(
    {
      role: "primary",
      bytes,
      contentType: ANIMATED_TYPES[format],
      extension: format,
      width: size.width,
      height: size.height,
      animation: { frames: encoded.value.frames, durationMs, loops },
    },
    size,
    layout,
    stepMsMin,
  );
  const backup = await renderBackup(engine, pack, rest.canvas, size, layout);
  if (!backup.ok) return backup;
  return { ok: true, value: { sizeId: size.sizeId, files: [primary, backup.value], layout } };
}

/** Draws frames, and releases each one when the next is drawn. */
function oneAtATime(draw: (frame: number) => Raster) {
  let drawn: Raster | null = null;
  const end = (): void => {
    if (drawn !== null) freeRaster(drawn);
    drawn = null;
  };
  return {
    draw: (frame: number): Raster => {
      end();
      drawn = draw(frame);
      return drawn;
    },
    end,
  };
}

/** The last frame as a still: crisp PNG for flat designs where it fits, else JPEG. */
async function renderBackup(
  engine: Engine,
  pack: PreparedPack,
  canvas: Raster,
  size: ScaledSize,
  layout: LayoutReport,
): Promise<Result<RenderedFile>> {
  const byteCap = size.animation.backupBytesMax ?? size.byteCap;
  const isFlat = !PHOTO_FAMILIES.includes(pack.family) && pack.background === null;
  if (isFlat && canvas.width * canvas.height <= PNG_BACKUP_AREA_PX_MAX) {
    const png = await encodeStill(engine, canvas, "png", byteCap);
    if (png.ok && !png.value.reduced) {
      return {
        ok: true,
        value: withCompliance(stillFile(png.value.bytes, "png", size, "backup"), size, layout),
      };
    }
  }
  const jpg = await encodeStill(engine, canvas, "jpg", byteCap);
  if (!jpg.ok) return jpg;
  return { ok: true, value: withCompliance(stillFile(jpg.value.bytes, "jpg", size, "backup"), size, layout) };
}

const STILL_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;
const ANIMATED_TYPES = { gif: "image/gif", webp: "image/webp", apng: "image/apng" } as const;

function stillFile(
  bytes: Uint8Array,
  format: StaticFormat,
  size: ScaledSize,
  role: RenderedFile["role"],
): UncheckedFile {
  const { width, height } = size;
  return { role, bytes, contentType: STILL_TYPES[format], extension: format, width, height, animation: null };
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
      message: `Frames were left out to stay within ${cap}; it lasts as long as before.`,
    });
  }
  return { ...layout, adjustments: [...layout.adjustments, ...notes] };
}

/** The failure of a format that a motion cannot have. */
export function unsupported(motion: OutputRequest["motion"], format: OutputRequest["format"]): RenderFailure {
  const takes = motion === "static" ? "png, jpg or webp" : "gif, webp or apng";
  return {
    ok: false,
    code: "FORMAT_UNSUPPORTED",
    message: `An output that is ${motion} cannot be made as ${format}; choose ${takes}.`,
  };
}

export const isStill = (format: OutputRequest["format"]): format is StaticFormat =>
  format === "png" || format === "jpg" || format === "webp";

export const isAnimated = (format: OutputRequest["format"]): format is AnimatedFormat =>
  format === "gif" || format === "webp" || format === "apng";
