import type { ScaledSize } from "../catalogue/scales.ts";
import { type CanvasMemory, onHeap } from "./buffers.ts";
import type { UncheckedFile } from "./compliance.ts";
import { reportOf } from "./compose/layout-report.ts";
import type { PreparedPack } from "./compose/prepared-pack.ts";
import { composeScene, hasBorderAtRest, keepLayers, releaseLayers } from "./compose/scene.ts";
import type { H264Codec } from "./encode/h264.ts";
import { type DrawVideoFrame, encodeFrames, openVideo, padFrames, type VideoShape } from "./encode/mp4.ts";
import type { Engine } from "./engine.ts";
import type { Mark } from "./mark/test-mark.ts";
import { movingPhotosOf } from "./motion/animate.ts";
import { playOf } from "./motion/compose-animation.ts";
import { VIDEO } from "./motion/timeline.ts";
import type { AnimatedFile } from "./render-animation.ts";
import type { LayoutReport, OutputRequest, Raster, Result } from "./types.ts";

/** A video whose frames are encoded. */
export interface DrawnVideo {
  readonly layout: LayoutReport;
  /** Draws the end card, until `close` frees its layers. */
  readonly drawRest: (memory?: CanvasMemory) => Raster;
  close(): void;
  /** Writes the file. May be called once. */
  write(): Promise<AnimatedFile>;
}

/**
 * Draws a video in constant memory: the layers, one canvas (the encoder's) and the encoded frames. If a video takes too
 * many bytes, which happens only with noise, it is drawn again with still photos. Fails as `composeScene` and
 * `encodeFrames` do.
 */
export function drawVideo(
  engine: Engine,
  pack: PreparedPack,
  request: OutputRequest,
  mark: Mark | null,
): Promise<Result<DrawnVideo>> {
  return engine.useVideoEncoder(async (codec) => {
    const moving = await drawWith(codec, pack, request, movingPhotosOf, mark);
    const isTooLarge = !moving.ok && moving.code === "BYTE_CAP_UNREACHABLE";
    return isTooLarge ? drawWith(codec, pack, request, stillPhotosOf, mark) : moving;
  });
}

const stillPhotosOf: typeof movingPhotosOf = (pack, scene) => movingPhotosOf(pack, scene).map(() => null);

async function drawWith(
  codec: H264Codec,
  pack: PreparedPack,
  request: OutputRequest,
  photosOf: typeof movingPhotosOf,
  mark: Mark | null,
): Promise<Result<DrawnVideo>> {
  const { size, pause = async () => undefined } = request;
  const video = openVideo(codec, shapeOf(size));
  const composed = composeScene(pack, request, true, video.memory);
  if (!composed.ok) return composed;
  const hasBorder = hasBorderAtRest(composed.value, size.needsBorder);
  const layout = reportOf(pack, composed.value, hasBorder);
  const photos = photosOf(pack, composed.value);
  const scene = keepLayers(composed.value, photos);
  const play = playOf(scene, hasBorder, size, photos, "mp4");
  const drawMarked = (frame: number, memory: CanvasMemory): Raster => {
    const canvas = play.draw(frame, memory);
    mark?.(canvas);
    return canvas;
  };
  // All frames from the end card on are identical.
  const draw: DrawVideoFrame = (frame, memory) =>
    frame < play.delaysMs.length ? drawMarked(frame, memory) : null;
  const frames = await encodeFrames(video, draw, VIDEO.frames, pause);
  const close = (): void => releaseLayers(scene);
  if (!frames.ok) {
    close();
    return frames;
  }
  const drawRest = (memory = onHeap) => drawMarked(play.delaysMs.length - 1, memory);
  return { ok: true, value: { layout, drawRest, close, write: () => fileOfFrames(frames.value, size) } };
}

const shapeOf = ({ width, height }: ScaledSize): VideoShape => ({ ...VIDEO, width, height });

async function fileOfFrames(frames: readonly Uint8Array[], size: ScaledSize): Promise<AnimatedFile> {
  const { width, height } = size;
  const { framesPerSecond, durationMs } = VIDEO;
  const bytesMin = ((size.video?.bitsPerSecondMin ?? 0) * durationMs) / 8_000;
  // Imported with the first video, because the muxer is a sixth of the Studio workers' script.
  const { writeMp4 } = await import("./encode/mp4-muxer.ts");
  const bytes = await writeMp4(padFrames(frames, bytesMin), shapeOf(size));
  const animation = { frames: VIDEO.frames, durationMs, loops: 1 };
  const file: UncheckedFile = {
    ...{ role: "primary", bytes, contentType: "video/mp4", format: "mp4", extension: "mp4" },
    ...{ width, height, animation },
  };
  return { file, reduced: false, framesReduced: false, stepMsMin: 1000 / framesPerSecond };
}
