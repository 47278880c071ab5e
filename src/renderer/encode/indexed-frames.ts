import type { Box, Raster } from "../types.ts";
import { changedArea, changingFrames, type DrawFrame, type Plan } from "./frame-plan.ts";

/** A frame as the part of the canvas that it changes. */
export interface IndexedFrame {
  readonly box: Box;
  /** Palette indices of the box. */
  readonly indices: Uint8Array;
  /** Which of them are as on the canvas already; null in the first frame. */
  readonly unchanged: Uint8Array | null;
  readonly delayMs: number;
}

/** Maps frames to indices one at a time; a frame that changes nothing lengthens the one before. */
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

/** The indices with those that are unchanged spelled as `transparent`. */
export function withTransparentIndex(frame: IndexedFrame, transparent: number): Uint8Array {
  const { unchanged } = frame;
  return unchanged === null
    ? frame.indices
    : frame.indices.map((index, at) => (unchanged[at] === 1 ? transparent : index));
}
