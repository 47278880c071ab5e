import { concatUint8Arrays } from "uint8array-extras";
import type { Box, Raster } from "../types.ts";
import { webpFile, webpFrame } from "./animated-webp.ts";
import { animationControlChunk, indexedFrameChunks, paletteChunks, truecolourFrameChunks } from "./apng.ts";
import { colourSteps } from "./colour-edges.ts";
import type { Palette } from "./colour-quantiser.ts";
import type { Encoders } from "./encoders.ts";
import { changedArea } from "./frame-difference.ts";
import type { DrawFrame, PlannedFrame } from "./frame-plan.ts";
import { GIF_TRAILER, gifFrame, gifHeader } from "./gif.ts";
import { indexFrames } from "./indexed-frames.ts";
import { indexDepth, PNG_END, PNG_SIGNATURE, PNG_SRGB, pngHeader } from "./png-chunk-writer.ts";

/** What is to be written. */
export interface AnimationSpec {
  readonly width: number;
  readonly height: number;
  readonly plan: readonly PlannedFrame[];
  readonly loops: number;
  readonly draw: DrawFrame;
  /** Told of each frame's work, in pixels encoded; see animation-budget.ts. */
  readonly spend: (pixels: number) => void;
}

/** The colours that every frame is written in. */
export interface AnimationColours {
  readonly palette: Palette;
  readonly dither: (raster: Raster) => Uint8Array;
}

export type WriteColours = (
  spec: AnimationSpec,
  colours: AnimationColours,
  bytesMax: number,
) => Promise<Written>;

/** A file, or as much of it as was written before it passed the limit. Null when a codec fails. */
export type Written = {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
  readonly frames: number;
} | null;

interface Parts {
  readonly list: Uint8Array[];
  length: number;
}

function add(parts: Parts, ...more: readonly Uint8Array[]): void {
  for (const part of more) {
    parts.list.push(part);
    parts.length += part.length;
  }
}

/** Every frame is drawn and compared whole, which is a quarter of the work of encoding as many pixels. */
const DRAWN_SHARE = 0.25;

function spendOnFrame({ width, height, spend }: AnimationSpec, box: Box): void {
  spend(box.width * box.height + width * height * DRAWN_SHARE);
}

const cutShort = (parts: Parts): Written => ({
  bytes: concatUint8Arrays(parts.list),
  isWhole: false,
  frames: 0,
});

/** A GIF in the given colours. Stops once it is larger than `bytesMax`. */
export async function writeGif(
  spec: AnimationSpec,
  { palette, dither }: AnimationColours,
  bytesMax: number,
): Promise<Written> {
  const parts: Parts = { list: [], length: 0 };
  add(parts, gifHeader(spec.width, spec.height, palette, spec.loops));
  const clock = { remainderMs: 0 };
  let frames = 0;
  for await (const frame of indexFrames(spec.draw, spec.plan, dither)) {
    add(parts, gifFrame(frame, palette, clock));
    spendOnFrame(spec, frame.box);
    frames += 1;
    if (parts.length > bytesMax) return cutShort(parts);
  }
  add(parts, GIF_TRAILER);
  return { bytes: concatUint8Arrays(parts.list), isWhole: true, frames };
}

/** An APNG in the given colours. Stops once it is larger than `bytesMax`. */
export async function writeIndexedApng(
  spec: AnimationSpec,
  { palette, dither }: AnimationColours,
  bytesMax: number,
): Promise<Written> {
  const depth = indexDepth(palette.length / 3 + 1);
  const sequence = { next: 0 };
  const parts: Parts = { list: [], length: 0 };
  let frames = 0;
  for await (const frame of indexFrames(spec.draw, spec.plan, dither)) {
    add(parts, ...indexedFrameChunks(frame, palette, depth, sequence));
    spendOnFrame(spec, frame.box);
    frames += 1;
    if (parts.length > bytesMax) return cutShort(parts);
  }
  const head = [
    PNG_SIGNATURE,
    pngHeader(spec.width, spec.height, depth),
    PNG_SRGB,
    animationControlChunk(frames, spec.loops),
  ];
  return {
    bytes: concatUint8Arrays([...head, ...paletteChunks(palette), ...parts.list, PNG_END]),
    isWhole: true,
    frames,
  };
}

/** An APNG in all its colours. Stops once it is larger than `bytesMax`. */
export async function writeTruecolourApng(spec: AnimationSpec, bytesMax: number): Promise<Written> {
  const sequence = { next: 0 };
  const parts: Parts = { list: [], length: 0 };
  let frames = 0;
  for await (const { part, box, delayMs } of changedParts(spec, 1)) {
    add(parts, ...truecolourFrameChunks(part, box, delayMs, sequence));
    spendOnFrame(spec, box);
    frames += 1;
    if (parts.length > bytesMax) return cutShort(parts);
  }
  const head = [
    PNG_SIGNATURE,
    pngHeader(spec.width, spec.height, "rgb"),
    PNG_SRGB,
    animationControlChunk(frames, spec.loops),
  ];
  return { bytes: concatUint8Arrays([...head, ...parts.list, PNG_END]), isWhole: true, frames };
}

/** A still is encoded once, an animation frame by frame for every quality tried. */
const WEBP_EFFORT = 3;

/** A lossy animated WebP. Stops once it is larger than `bytesMax`. */
export async function writeAnimatedWebp(
  encoders: Encoders,
  spec: AnimationSpec,
  quality: number,
  bytesMax: number,
): Promise<Written> {
  const parts: Parts = { list: [], length: 0 };
  for await (const { part, box, delayMs } of changedParts(spec, 2)) {
    const still = await encoders.useWebpEncoder((encoder) =>
      encoder.encode(part, { quality, effort: WEBP_EFFORT, isEdged: colourSteps(part) === "edges" }),
    );
    const frame = still === null ? null : webpFrame(still, box, delayMs);
    if (frame === null) return null;
    add(parts, frame);
    spendOnFrame(spec, box);
    if (parts.length > bytesMax) return cutShort(parts);
  }
  const bytes = webpFile(spec.width, spec.height, spec.loops, parts.list);
  return { bytes, isWhole: true, frames: parts.list.length };
}

interface ChangedPart {
  readonly part: Raster;
  readonly box: Box;
  readonly delayMs: number;
}

/** Each frame as the part that differs from the one before, its corner on a multiple of `grid`. */
async function* changedParts(spec: AnimationSpec, grid: number): AsyncGenerator<ChangedPart> {
  let before: Raster | null = null;
  let held: ChangedPart | null = null;
  for (const { index, delayMs } of spec.plan) {
    const drawn = await spec.draw(index);
    const frame: Raster = { ...drawn, pixels: drawn.pixels.slice() };
    const box =
      before === null ? { x: 0, y: 0, width: spec.width, height: spec.height } : changedArea(before, frame);
    before = frame;
    if (box === null && held !== null) {
      held = longer(held, delayMs);
      continue;
    }
    if (held !== null) yield held;
    if (box === null) continue;
    const aligned = align(box, grid);
    held = { part: cutOut(frame, aligned), box: aligned, delayMs };
  }
  if (held !== null) yield held;
}

function longer(part: ChangedPart, byMs: number): ChangedPart {
  return { ...part, delayMs: part.delayMs + byMs };
}

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
