import type { SourceRaster } from "./types.ts";

/**
 * Memory freed at once rather than by the garbage collector, which runs so late that canvases of megabytes have filled
 * isolates. A buffer is freed only by the code that made it, and only if no other code holds it.
 */

/** Where the pixels of a new canvas come from. */
export type CanvasMemory = (byteLength: number) => Uint8ClampedArray;

/** A buffer of its own, of zeros. */
export const onHeap: CanvasMemory = (byteLength) => new Uint8ClampedArray(byteLength);

const waysToFree = new WeakMap<object, () => void>();

/** Says how bytes are freed that are not all of their buffer. */
export function freedBy(bytes: Uint8Array | Uint8ClampedArray, free: () => void): void {
  waysToFree.set(bytes, free);
}

/**
 * Lends bytes that stay another's, a codec's for one, to a canvas at a time; while they are lent, and where another
 * length is needed, canvases are on the heap. Freeing the canvas returns them. What stood in them before stands there still.
 */
export function lender(bytes: Uint8ClampedArray): CanvasMemory {
  let isLent = false;
  return (byteLength) => {
    if (isLent || byteLength !== bytes.byteLength) return onHeap(byteLength);
    isLent = true;
    freedBy(bytes, () => {
      isLent = false;
    });
    return bytes;
  };
}

/**
 * Frees the buffer behind bytes at once; bytes that are a part of a larger buffer are left as they are, unless it was said
 * how they are freed.
 */
export function freeBytes(bytes: Uint8Array | Uint8ClampedArray): void {
  const free = waysToFree.get(bytes);
  if (free !== undefined) {
    free();
    return;
  }
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || bytes.byteLength !== buffer.byteLength) return;
  if (buffer.resizable) buffer.resize(0);
  else buffer.transfer(0);
}

/** Frees a raster's pixels at once. Reading or freeing them again throws. */
export function freeRaster(raster: SourceRaster): void {
  const name = "rgb" in raster ? "rgb" : "pixels";
  freeBytes("rgb" in raster ? raster.rgb : raster.pixels);
  Object.defineProperty(raster, name, { get: refuse });
}

function refuse(): never {
  throw new Error("the pixels of a freed raster were read");
}
