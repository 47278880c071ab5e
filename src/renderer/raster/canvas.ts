import { type CanvasMemory, onHeap } from "../buffers.ts";
import type { Box, Raster } from "../types.ts";

/** Colour as three 8-bit sRGB channels. */
export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

export const WHITE: Rgb = { r: 255, g: 255, b: 255 };
export const BLACK: Rgb = { r: 0, g: 0, b: 0 };

/** The box of a whole canvas. */
export const boxOf = ({ width, height }: Pick<Box, "width" | "height">): Box => ({
  x: 0,
  y: 0,
  width,
  height,
});

/** A transparent raster (premultiplied). Throws a RangeError past the limits, which the caller must check. */
export function emptyLayer(width: number, height: number): Raster {
  assertDrawable(width, height);
  return { width, height, pixels: new Uint8ClampedArray(width * height * 4), alpha: "premultiplied" };
}

/** An opaque raster of one colour. */
export function filledCanvas(
  width: number,
  height: number,
  colour: Rgb,
  memory: CanvasMemory = onHeap,
): Raster {
  assertDrawable(width, height);
  const pixels = memory(width * height * 4);
  const word = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  pixels[0] = colour.r;
  pixels[1] = colour.g;
  pixels[2] = colour.b;
  pixels[3] = 255;
  word.fill(word[0] ?? 0);
  return { width, height, pixels, alpha: "opaque" };
}

/** A copy that may be drawn on without changing the original. */
export function copyOf(raster: Raster, memory = onHeap): Raster {
  const pixels = memory(raster.pixels.byteLength);
  pixels.set(raster.pixels);
  return { ...raster, pixels };
}

/** The whole-pixel part of `box` that lies inside a canvas; width or height is 0 if there is none. */
export function clipBox(box: Box, width: number, height: number): Box {
  const left = Math.max(0, Math.floor(box.x));
  const top = Math.max(0, Math.floor(box.y));
  const right = Math.min(width, Math.ceil(box.x + box.width));
  const bottom = Math.min(height, Math.ceil(box.y + box.height));
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

export function assertDrawable(width: number, height: number): void {
  const isWhole = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
  const isBounded =
    width <= RASTER_LIMITS.edgePxMax &&
    height <= RASTER_LIMITS.edgePxMax &&
    width * height <= RASTER_LIMITS.pixelsMax;
  if (!isWhole || !isBounded) throw new RangeError(`not a drawable size: ${width} x ${height}`);
}

/** Limits of this module. A picture past them is a bug in the caller: sources are limited before decoding. */
export const RASTER_LIMITS = {
  /** Longest edge of a canvas or layer, in pixels. The service accepts sizes up to 4096. */
  edgePxMax: 8_192,
  /** Pixels of one raster: 64 MB of memory. The largest canvas (4096 x 4096) fits exactly. */
  pixelsMax: 16_777_216,
  /** Maximum standard deviation of a blur, in pixels. Wider shadows look the same and take more memory. */
  blurSigmaPxMax: 256,
  /**
   * Bytes of the ring of rows between the horizontal and the vertical filter. A picture that needs more is drawn in
   * strips of columns. With this limit, the kernel takes at most 1 MB, and 0.4 MB for the sizes of packs.
   */
  filteredBytesMax: 262_144,
} as const;
