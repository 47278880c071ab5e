import type { ScaledSize } from "../catalogue/scales.ts";
import type { AnimatedFormat, FrameFormat } from "../catalogue/types.ts";
import { freeRaster } from "./buffers.ts";
import type { UncheckedFile } from "./compliance.ts";
import { shownPart } from "./compose/draw-picture.ts";
import type { PreparedPack } from "./compose/prepared-pack.ts";
import type { Scene } from "./compose/scene.ts";
import { type AnimationBudget, createAnimationBudget } from "./encode/animation-budget.ts";
import { encodeAnimation } from "./encode/index.ts";
import type { Engine } from "./engine.ts";
import { pageRulesOf } from "./html5/click-tags.ts";
import { writeHtml5 } from "./html5/write-html5.ts";
import type { Mark } from "./mark/test-mark.ts";
import { type MovingPhoto, movingPhotosOf, timelineOfScene } from "./motion/animate.ts";
import { animationCapOf, photosThatFit, playOf } from "./motion/compose-animation.ts";
import { loopsWithin } from "./motion/timeline.ts";
import { type Box, failure, type Landing, type Raster, type Result } from "./types.ts";

/** The animated file of an output, and what was reduced to meet its byte cap. */
export interface AnimatedFile {
  readonly file: UncheckedFile;
  readonly reduced: boolean;
  readonly framesReduced: boolean;
  /** The shortest time that a frame is shown; null for HTML5 banners, which have no frames. */
  readonly stepMsMin: number | null;
}

/**
 * Encodes the timeline of a scene in a format other than MP4. Fails with BYTE_CAP_UNREACHABLE or FORMAT_UNSUPPORTED.
 */
export async function encodeAnimated(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  hasBorder: boolean,
  size: ScaledSize,
  format: Exclude<AnimatedFormat, "mp4">,
  landing: Landing | undefined,
  mark: Mark | null,
): Promise<Result<AnimatedFile>> {
  if (format !== "html5") return encodeFrameByFrame(engine, pack, scene, hasBorder, size, format, mark);
  if (landing === undefined) return LANDING_MISSING;
  return encodeHtml5(engine, pack, scene, hasBorder, size, landing, mark);
}

const LANDING_MISSING = failure(
  "FORMAT_UNSUPPORTED",
  "An HTML5 banner needs the address that a click leads to.",
);

const CONTENT_TYPES = { gif: "image/gif", webp: "image/webp", apng: "image/apng" } as const;

async function encodeFrameByFrame(
  engine: Engine,
  pack: PreparedPack,
  scene: Scene,
  hasBorder: boolean,
  size: ScaledSize,
  format: FrameFormat,
  mark: Mark | null,
): Promise<Result<AnimatedFile>> {
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
    const frames = freeingPreviousFrame(draw, mark);
    const written = await encodeAnimation(engine, frames.draw, shape, format, byteCap, left, whenSpent);
    frames.end();
    return written;
  };
  const photos = photosThatFit(pack, scene, size, format);
  const moving = photos.some((photo) => photo !== null) ? await encode(photos, budget, "give up") : null;
  // The size of a file with moving photos is known only after encoding. If it is too large, the photos stay still.
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
  mark: Mark | null,
): Promise<Result<AnimatedFile>> {
  const { width, height } = size;
  const photos = movingPhotosOf(pack, scene);
  const timeline = timelineOfScene(scene, photos);
  const loops = loopsWithin(timeline.durationMs, size.animation);
  const rules = pageRulesOf(landing, size.sizeId, width, height);
  const byteCap = size.banner?.loadBytesMax ?? size.byteCap;
  const page = await writeHtml5(engine, scene, timeline, {
    photos,
    hasBorder,
    plays: loops,
    rules,
    byteCap,
    mark,
  });
  if (!page.ok) return page;
  const { bytes, reduced } = page.value;
  const animation = { frames: 0, durationMs: timeline.durationMs, loops };
  const file: UncheckedFile = {
    ...{ role: "primary", bytes, contentType: "application/zip", format: "html5", extension: "zip" },
    ...{ width, height, animation, load: { bytes: page.value.loadBytes, files: page.value.files } },
  };
  return { ok: true, value: { file, reduced, framesReduced: false, stepMsMin: null } };
}

/** Draws and watermarks frames. Each is freed when the next is drawn. */
function freeingPreviousFrame(draw: (frame: number) => Raster, mark: Mark | null) {
  let drawn: Raster | null = null;
  const end = (): void => {
    if (drawn !== null) freeRaster(drawn);
    drawn = null;
  };
  return {
    draw: (frame: number): Raster => {
      end();
      drawn = draw(frame);
      mark?.(drawn);
      return drawn;
    },
    end,
  };
}

/** The heads in a scene's pictures, in canvas pixels. */
function headsOnCanvas(pack: PreparedPack, { arrangement, brief }: Scene): readonly Box[] {
  return arrangement.design.pictures.flatMap((placed): readonly Box[] => {
    const picture = placed.role === "hero" ? pack.hero : pack.secondaryHero;
    if (picture === null) return [];
    const shown = shownPart(picture, placed);
    const { base } = picture.pyramid;
    const drawn = placed.box;
    return picture.faces.flatMap(({ head }): readonly Box[] => {
      const left = drawn.x + ((head.x * base.width - shown.x) / shown.width) * drawn.width;
      const top = drawn.y + ((head.y * base.height - shown.y) / shown.height) * drawn.height;
      const right = left + ((head.width * base.width) / shown.width) * drawn.width;
      const bottom = top + ((head.height * base.height) / shown.height) * drawn.height;
      const x = Math.max(0, Math.floor(left));
      const y = Math.max(0, Math.floor(top));
      const width = Math.min(brief.width, Math.ceil(right)) - x;
      const height = Math.min(brief.height, Math.ceil(bottom)) - y;
      return width > 0 && height > 0 ? [{ x, y, width, height }] : [];
    });
  });
}
