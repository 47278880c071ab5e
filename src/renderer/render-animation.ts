import type { ScaledSize } from "../catalogue/scales.ts";
import type { AnimatedFormat, FrameFormat } from "../catalogue/types.ts";
import { freeRaster } from "./buffers.ts";
import type { UncheckedFile } from "./compliance.ts";
import { headsOnCanvas } from "./compose/heads-on-canvas.ts";
import type { PreparedPack } from "./compose/prepared-pack.ts";
import type { Scene } from "./compose/scene.ts";
import { type AnimationBudget, createAnimationBudget } from "./encode/animation-budget.ts";
import { encodeAnimation } from "./encode/index.ts";
import { type DrawVideoFrame, encodeFrames, filledUp, writeMp4 } from "./encode/mp4.ts";
import type { Engine } from "./engine.ts";
import { pageRulesOf } from "./html5/click-tags.ts";
import { writeHtml5 } from "./html5/write-html5.ts";
import { type MovingPhoto, movingPhotosOf, timelineOfScene } from "./motion/animate.ts";
import { animationCapOf, photosThatFit, playOf } from "./motion/compose-animation.ts";
import { loopsWithin, VIDEO } from "./motion/timeline.ts";
import type { Landing, OutputRequest, Raster, Result } from "./types.ts";

/** The moving file of an output, and what its byte cap cost. */
export interface MovingFile {
  readonly file: UncheckedFile;
  readonly reduced: boolean;
  readonly framesReduced: boolean;
  /** The shortest time that a frame shows; null where a player decides. */
  readonly stepMsMin: number | null;
}

/** Writes the timeline of a scene in a format. Fails with BYTE_CAP_UNREACHABLE or FORMAT_UNSUPPORTED. */
export async function encodeMoving(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  hasBorder: boolean,
  size: ScaledSize,
  format: AnimatedFormat,
  { landing, pause }: Pick<OutputRequest, "landing" | "pause">,
): Promise<Result<MovingFile>> {
  switch (format) {
    case "html5":
      return landing === undefined
        ? LANDING_MISSING
        : encodeHtml5(engine, pack, scene, hasBorder, size, landing);
    case "mp4":
      return encodeMp4(engine, pack, scene, hasBorder, size, pause);
    default:
      return encodeFrameByFrame(engine, pack, scene, hasBorder, size, format);
  }
}

const LANDING_MISSING = {
  ok: false,
  code: "FORMAT_UNSUPPORTED",
  message: "An HTML5 banner needs the address that a click leads to.",
} as const;

const CONTENT_TYPES = { gif: "image/gif", webp: "image/webp", apng: "image/apng" } as const;

async function encodeFrameByFrame(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  hasBorder: boolean,
  size: ScaledSize,
  format: FrameFormat,
): Promise<Result<MovingFile>> {
  const { width, height } = size;
  const byteCap = animationCapOf(size);
  const heads = headsOnCanvas(pack, scene);
  const budget = createAnimationBudget();
  const encode = async (
    photos: readonly (MovingPhoto | null)[],
    left: AnimationBudget,
    whenSpent: "give up" | "smallest",
  ) => {
    const { draw, delaysMs, loops } = playOf(scene, hasBorder, size, photos, format);
    const shape = { width, height, delaysMs, loops, heads };
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
  const { bytes, durationMs, loops, frames, ...rest } = encoded.value;
  const animation = { frames, durationMs, loops };
  const contentType = CONTENT_TYPES[format];
  const file: UncheckedFile = {
    ...{ role: "primary", bytes, contentType, format, extension: format, width, height, animation },
  };
  return { ok: true, value: { ...rest, file } };
}

async function encodeHtml5(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  hasBorder: boolean,
  size: ScaledSize,
  landing: Landing,
): Promise<Result<MovingFile>> {
  const { width, height } = size;
  const photos = movingPhotosOf(pack, scene);
  const timeline = timelineOfScene(scene, photos);
  const loops = loopsWithin(timeline.durationMs, size.animation);
  const rules = pageRulesOf(landing, size.sizeId, width, height);
  const byteCap = size.banner?.loadBytesMax ?? size.byteCap;
  const page = await writeHtml5(engine, scene, timeline, { photos, hasBorder, plays: loops, rules, byteCap });
  if (!page.ok) return page;
  const { bytes, reduced } = page.value;
  const animation = { frames: 0, durationMs: timeline.durationMs, loops };
  const file: UncheckedFile = {
    ...{ role: "primary", bytes, contentType: "application/zip", format: "html5", extension: "zip" },
    ...{ width, height, animation, load: { bytes: page.value.loadBytes, files: page.value.files } },
  };
  return { ok: true, value: { file, reduced, framesReduced: false, stepMsMin: null } };
}

async function encodeMp4(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  hasBorder: boolean,
  size: ScaledSize,
  pause: () => Promise<unknown> = async () => undefined,
): Promise<Result<MovingFile>> {
  const { width, height } = size;
  const { framesPerSecond, durationMs } = VIDEO;
  const shape = { width, height, framesPerSecond, frames: VIDEO.frames };
  const codec = engine.createVideoEncoder();
  const encode = (photos: readonly (MovingPhoto | null)[]) => {
    const play = playOf(scene, hasBorder, size, photos, "mp4");
    const endCard = play.delaysMs.length - 1;
    const draw: DrawVideoFrame = (frame, memory) => (frame > endCard ? null : play.draw(frame, memory));
    return encodeFrames(codec, draw, shape, pause);
  };
  const photos = movingPhotosOf(pack, scene);
  const moving = await encode(photos);
  // Only noise takes so much; it stays still then.
  const isTooLarge = !moving.ok && moving.code === "BYTE_CAP_UNREACHABLE";
  const encoded = isTooLarge ? await encode(photos.map(() => null)) : moving;
  if (!encoded.ok) return encoded;
  const bytesMin = ((size.video?.bitsPerSecondMin ?? 0) * durationMs) / 8_000;
  const bytes = await writeMp4(filledUp(encoded.value, bytesMin), shape);
  const animation = { frames: shape.frames, durationMs, loops: 1 };
  const file: UncheckedFile = {
    ...{ role: "primary", bytes, contentType: "video/mp4", format: "mp4", extension: "mp4" },
    ...{ width, height, animation },
  };
  return {
    ok: true,
    value: { file, reduced: false, framesReduced: false, stepMsMin: 1000 / framesPerSecond },
  };
}

/** Draws frames, and releases each one when another is drawn. */
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
