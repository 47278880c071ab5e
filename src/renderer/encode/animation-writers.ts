import { concatUint8Arrays } from "uint8array-extras";
import type { Box, Raster } from "../types.ts";
import { webpFile, webpFrame } from "./animated-webp.ts";
import { animationControlChunk, indexedFrameChunks, paletteChunks, truecolourFrameChunks } from "./apng.ts";
import type { Palette } from "./colour-quantiser.ts";
import type { Encoders } from "./encoders.ts";
import { changedArea, changingFrames, type DrawFrame, indexFrames, type Plan } from "./frame-plan.ts";
import { GIF_TRAILER, gifFrame, gifHeader } from "./gif.ts";
import { colourSteps } from "./lossy-still.ts";
import { indexDepth, pngFile } from "./png-chunk-writer.ts";

/** Frames to write. */
export interface AnimationSpec {
  readonly width: number;
  readonly height: number;
  readonly plan: Plan;
  readonly loops: number;
  readonly draw: DrawFrame;
  /** Called with each frame's work, in pixels encoded; see animation-budget.ts. */
  readonly spend: (pixels: number) => void;
}

/** The palette that all frames share, and the mapper from pictures to its indices. */
export interface AnimationColours {
  readonly palette: Palette;
  readonly dither: (raster: Raster) => Uint8Array;
}

export type WriteColours = (
  spec: AnimationSpec,
  colours: AnimationColours,
  bytesMax: number,
) => Promise<Written>;

/** The whole file, or `too large` if it exceeded the limit; null if a codec fails. */
export type Written = { readonly bytes: Uint8Array; readonly frames: number } | "too large" | null;

/** Work of drawing and comparing a pixel, relative to encoding it. Every frame is drawn and compared in full. */
const DRAWN_SHARE = 0.25;

/**
 * Writes frame after frame after `head` and stops once the file is larger than `bytesMax`. `wrap` completes the file
 * with the parts that need the number of frames or follow the last frame.
 */
async function writeFrames<F extends { readonly box: Box }>(
  { width, height, spend }: AnimationSpec,
  bytesMax: number,
  frames: AsyncIterable<F>,
  write: (frame: F) => readonly Uint8Array[] | null | Promise<readonly Uint8Array[] | null>,
  wrap: (parts: readonly Uint8Array[], frames: number) => readonly Uint8Array[],
  head: readonly Uint8Array[] = [],
): Promise<Written> {
  const parts = [...head];
  let length = head.reduce((sum, part) => sum + part.length, 0);
  let count = 0;
  for await (const frame of frames) {
    const more = await write(frame);
    if (more === null) return null;
    parts.push(...more);
    length += more.reduce((sum, part) => sum + part.length, 0);
    spend(frame.box.width * frame.box.height + width * height * DRAWN_SHARE);
    count += 1;
    if (length > bytesMax) return "too large";
  }
  return { bytes: concatUint8Arrays([...wrap(parts, count)]), frames: count };
}

/** Writes a GIF with the shared palette. */
export function writeGif(
  spec: AnimationSpec,
  { palette, dither }: AnimationColours,
  bytesMax: number,
): Promise<Written> {
  const clock = { remainderMs: 0 };
  return writeFrames(
    spec,
    bytesMax,
    indexFrames(spec.draw, spec.plan, dither),
    (frame) => [gifFrame(frame, palette, clock)],
    (parts) => [...parts, GIF_TRAILER],
    [gifHeader(spec.width, spec.height, palette, spec.loops)],
  );
}

/** Writes an APNG with the shared palette. */
export function writeIndexedApng(
  spec: AnimationSpec,
  { palette, dither }: AnimationColours,
  bytesMax: number,
): Promise<Written> {
  const { width, height, loops } = spec;
  const depth = indexDepth(palette.length / 3 + 1);
  const sequence = { next: 0 };
  return writeFrames(
    spec,
    bytesMax,
    indexFrames(spec.draw, spec.plan, dither),
    (frame) => indexedFrameChunks(frame, palette, depth, sequence),
    (parts, frames) => [
      pngFile(width, height, depth, [
        animationControlChunk(frames, loops),
        ...paletteChunks(palette),
        ...parts,
      ]),
    ],
  );
}

/** Writes a truecolour APNG. */
export function writeTruecolourApng(spec: AnimationSpec, bytesMax: number): Promise<Written> {
  const { width, height, loops } = spec;
  const sequence = { next: 0 };
  return writeFrames(
    spec,
    bytesMax,
    changedParts(spec, 1),
    ({ part, box, delayMs }) => truecolourFrameChunks(part, box, delayMs, sequence),
    (parts, frames) => [pngFile(width, height, "rgb", [animationControlChunk(frames, loops), ...parts])],
  );
}

/** Lower than a still's effort, because an animation encodes every frame again for each quality tried. */
const WEBP_EFFORT = 3;

/** A lossy animated WebP. */
export function writeAnimatedWebp(
  encoders: Encoders,
  spec: AnimationSpec,
  quality: number,
  bytesMax: number,
): Promise<Written> {
  return writeFrames(
    spec,
    bytesMax,
    changedParts(spec, 2),
    async ({ part, box, delayMs }) => {
      const still = await encoders.useWebpEncoder((encoder) =>
        encoder.encode(part, { quality, effort: WEBP_EFFORT, isEdged: colourSteps(part) === "edges" }),
      );
      const frame = still === null ? null : webpFrame(still, box, delayMs);
      return frame && [frame];
    },
    (parts) => [webpFile(spec.width, spec.height, spec.loops, parts)],
  );
}

interface ChangedPart {
  readonly part: Raster;
  readonly box: Box;
  readonly delayMs: number;
}

/** Yields the part of each frame that differs from the previous frame. The part's corner is on a multiple of `grid`. */
function changedParts(
  { plan, draw, width, height }: AnimationSpec,
  grid: number,
): AsyncGenerator<ChangedPart> {
  let before: Raster | null = null;
  return changingFrames(plan, async ({ index, delayMs }) => {
    const drawn = await draw(index);
    const frame: Raster = { ...drawn, pixels: drawn.pixels.slice() };
    const box =
      before === null
        ? { x: 0, y: 0, width, height }
        : changedArea(width, height, asPixels(before), asPixels(frame));
    before = frame;
    if (box === null) return null;
    const aligned = align(box, grid);
    return { part: cutOut(frame, aligned), box: aligned, delayMs };
  });
}

const asPixels = ({ pixels, width, height }: Raster): Uint32Array =>
  new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);

function align(box: Box, grid: number): Box {
  const x = box.x - (box.x % grid);
  const y = box.y - (box.y % grid);
  return { x, y, width: box.x + box.width - x, height: box.y + box.height - y };
}

function cutOut(raster: Raster, box: Box): Raster {
  if (box.width === raster.width && box.height === raster.height) return raster;
  const pixels = new Uint8ClampedArray(box.width * box.height * 4);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.y + y) * raster.width + box.x) * 4;
    pixels.set(raster.pixels.subarray(from, from + box.width * 4), y * box.width * 4);
  }
  return { width: box.width, height: box.height, pixels, alpha: raster.alpha };
}
