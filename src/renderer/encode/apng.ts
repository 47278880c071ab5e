import type { Box, Raster } from "../types.ts";
import type { Palette } from "./colour-quantiser.ts";
import { type IndexedFrame, withTransparentIndex } from "./frame-plan.ts";
import { deflate, packIndices, pngChunk } from "./png-chunk-writer.ts";
import { deflateTruecolour } from "./png-filter.ts";

/** From this share on, a frame compresses better if its unchanged pixels are transparent. */
const TRANSPARENT_SHARE_MIN = 0.3;

/** acTL: number of frames and total number of plays. */
export function animationControlChunk(frames: number, loops: number): Uint8Array {
  const body = new Uint8Array(8);
  const view = new DataView(body.buffer);
  view.setUint32(0, frames);
  view.setUint32(4, loops);
  return pngChunk("acTL", body);
}

/** Palette and transparency; the index after the last colour is transparent. */
export function paletteChunks(palette: Palette): readonly Uint8Array[] {
  const colours = new Uint8Array(palette.length + 3);
  colours.set(palette);
  const alpha = new Uint8Array(palette.length / 3 + 1).fill(255);
  alpha[palette.length / 3] = 0;
  return [pngChunk("PLTE", colours), pngChunk("tRNS", alpha)];
}

/** fcTL and pixels of a palette frame, drawn over the previous frames. `sequence` numbers the chunks. */
export function indexedFrameChunks(
  frame: IndexedFrame,
  palette: Palette,
  depth: 1 | 2 | 4 | 8,
  sequence: { next: number },
): readonly Uint8Array[] {
  const { unchanged, box } = frame;
  const same = unchanged?.reduce((sum, value) => sum + value, 0) ?? 0;
  const hasTransparency = same > box.width * box.height * TRANSPARENT_SHARE_MIN;
  const indices = hasTransparency ? withTransparentIndex(frame, palette.length / 3) : frame.indices;
  const packed = deflate(packIndices(indices, box.width, box.height, depth));
  return frameChunks(box, frame.delayMs, packed, sequence);
}

/** fcTL and pixels of a truecolour frame. */
export function truecolourFrameChunks(
  part: Raster,
  box: Box,
  delayMs: number,
  sequence: { next: number },
): readonly Uint8Array[] {
  return frameChunks(box, delayMs, deflateTruecolour(part, "quick"), sequence);
}

function frameChunks(
  box: Box,
  delayMs: number,
  pixels: Uint8Array,
  sequence: { next: number },
): readonly Uint8Array[] {
  const isFirst = sequence.next === 0;
  const control = new Uint8Array(26);
  const view = new DataView(control.buffer);
  view.setUint32(0, sequence.next++);
  view.setUint32(4, box.width);
  view.setUint32(8, box.height);
  view.setUint32(12, box.x);
  view.setUint32(16, box.y);
  view.setUint16(20, delayMs);
  view.setUint16(22, 1000);
  // dispose_op NONE: the frame stays. blend_op OVER: transparent pixels show the frame below.
  control[24] = 0;
  control[25] = 1;
  if (isFirst) return [pngChunk("fcTL", control), pngChunk("IDAT", pixels)];
  const numbered = new Uint8Array(pixels.length + 4);
  new DataView(numbered.buffer).setUint32(0, sequence.next++);
  numbered.set(pixels, 4);
  return [pngChunk("fcTL", control), pngChunk("fdAT", numbered)];
}
