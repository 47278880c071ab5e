import type { Box, Raster } from "../types.ts";
import { FRAMES_MIN } from "./limits.ts";

/** Draws the frame with that number. Its pixels are opaque, the same on every call, and valid until the next call. */
export type DrawFrame = (index: number) => Raster | Promise<Raster>;

/** A frame to show: its number in the animation, and its duration. */
export interface PlannedFrame {
  readonly index: number;
  readonly delayMs: number;
}

export type Plan = readonly PlannedFrame[];

/** Numbers of frames to try: all, then half as many each time, down to the fewest that still look like motion. */
export function frameCounts(frames: number): readonly number[] {
  const counts = [frames];
  for (let most = Math.ceil(frames / 2); most >= FRAMES_MIN && most < frames; most = Math.ceil(most / 2)) {
    counts.push(most);
    if (most === FRAMES_MIN) break;
  }
  return counts;
}

/**
 * The `count` frames with the most change. The first and the last are always kept, and each kept frame keeps its start
 * time. `changes`: difference of each frame from the previous frame.
 */
export function planOf(delaysMs: readonly number[], count: number, changes: readonly number[]): Plan {
  let kept: Kept[] = delaysMs.map((_, index) => ({ index, change: changes[index] ?? 0 }));
  while (kept.length > Math.max(2, count)) kept = withoutLeast(kept);
  return kept.map(({ index }, position) => ({
    index,
    delayMs: delaysMs
      .slice(index, kept[position + 1]?.index ?? delaysMs.length)
      .reduce((sum, delay) => sum + delay, 0),
  }));
}

interface Kept {
  readonly index: number;
  /** Change since the previous kept frame. */
  readonly change: number;
}

/** Drops the frame that changes least, except the first and the last frame, and adds its change to the next frame. */
function withoutLeast(frames: readonly Kept[]): Kept[] {
  let least = 1;
  for (let at = 2; at < frames.length - 1; at += 1)
    if ((frames[at]?.change ?? 0) < (frames[least]?.change ?? 0)) least = at;
  const dropped = frames[least]?.change ?? 0;
  return frames.flatMap((frame, at) =>
    at === least ? [] : at === least + 1 ? [{ ...frame, change: frame.change + dropped }] : [frame],
  );
}

/** Compares every fifth pixel: a change that this misses is too small to be worth a frame. */
const STRIDE = 5;

/** Difference of each frame from the previous frame; needs memory for one more frame than `draw`. */
export async function changesBetween(draw: DrawFrame, frames: number): Promise<readonly number[]> {
  const changes: number[] = [];
  let before: Uint8ClampedArray | null = null;
  for (let index = 0; index < frames; index += 1) {
    const { pixels } = await draw(index);
    changes.push(before === null ? 0 : changeOf(before, pixels));
    before = pixels.slice();
  }
  return changes;
}

function changeOf(before: Raster["pixels"], after: Raster["pixels"]): number {
  let sum = 0;
  for (let at = 0; at < after.length; at += STRIDE * 4) {
    for (let channel = 0; channel < 3; channel += 1)
      sum += Math.abs((after[at + channel] ?? 0) - (before[at + channel] ?? 0));
  }
  return sum;
}

/**
 * Yields the result of `drawn` for each frame. If it is null, the frame shows nothing new and lengthens the previous
 * one.
 */
export async function* changingFrames<F extends { readonly delayMs: number }>(
  plan: Plan,
  drawn: (frame: PlannedFrame) => Promise<F | null>,
): AsyncGenerator<F> {
  let held: F | null = null;
  for (const frame of plan) {
    const next = await drawn(frame);
    if (next !== null) {
      if (held !== null) yield held;
      held = next;
    } else if (held !== null) held = longer(held, frame.delayMs);
  }
  if (held !== null) yield held;
}

const longer = <F extends { readonly delayMs: number }>(frame: F, byMs: number): F => ({
  ...frame,
  delayMs: frame.delayMs + byMs,
});

/**
 * The smallest box around all pixels, or palette indices, that differ between two pictures of the same size; null if
 * none differ.
 */
export function changedArea(
  width: number,
  height: number,
  before: Uint32Array | Uint8Array,
  after: Uint32Array | Uint8Array,
): Box | null {
  let left = width;
  let right = -1;
  let top = -1;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let first = 0;
    while (first < width && before[start + first] === after[start + first]) first += 1;
    if (first === width) continue;
    let last = width - 1;
    while (before[start + last] === after[start + last]) last -= 1;
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, first);
    right = Math.max(right, last);
  }
  return top < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** A frame as the part of the canvas that it changes. */
export interface IndexedFrame {
  readonly box: Box;
  /** Palette indices of the box. */
  readonly indices: Uint8Array;
  /** 1 for each index that is unchanged, else 0; null in the first frame. */
  readonly unchanged: Uint8Array | null;
  readonly delayMs: number;
}

/** Maps frames to indices one at a time; a frame that changes nothing lengthens the previous one. */
export function indexFrames(
  draw: DrawFrame,
  plan: Plan,
  dither: (raster: Raster) => Uint8Array,
): AsyncGenerator<IndexedFrame> {
  let canvas: Uint8Array | null = null;
  return changingFrames(plan, async ({ index, delayMs }) => {
    const raster = await draw(index);
    const { width, height } = raster;
    const indices = dither(raster);
    const box = canvas === null ? { x: 0, y: 0, width, height } : changedArea(width, height, canvas, indices);
    if (box === null) return null;
    const unchanged = same(canvas, indices, width, box);
    canvas = indices;
    return { box, delayMs, indices: cut(indices, width, box), unchanged };
  });
}

function cut(indices: Uint8Array, width: number, box: Box): Uint8Array {
  const part = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = (box.y + y) * width + box.x;
    part.set(indices.subarray(from, from + box.width), y * box.width);
  }
  return part;
}

function same(before: Uint8Array | null, after: Uint8Array, width: number, box: Box): Uint8Array | null {
  if (before === null) return null;
  const part = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) {
      const from = (box.y + y) * width + box.x + x;
      part[y * box.width + x] = before[from] === after[from] ? 1 : 0;
    }
  }
  return part;
}

/** The indices, with `transparent` for unchanged ones. */
export function withTransparentIndex(frame: IndexedFrame, transparent: number): Uint8Array {
  const { unchanged } = frame;
  return unchanged === null
    ? frame.indices
    : frame.indices.map((index, at) => (unchanged[at] === 1 ? transparent : index));
}
