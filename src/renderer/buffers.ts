import type { SourceRaster } from "./types.ts";

/**
 * Frees large buffers at once. The garbage collector runs late, and unfreed canvases of several megabytes have filled
 * isolates. Only the code that made a buffer frees it, and only when no other code uses it.
 */

/** Allocates the pixels of a new canvas. */
export type CanvasMemory = (byteLength: number) => Uint8ClampedArray;

/** A new zeroed buffer. */
export const onHeap: CanvasMemory = (byteLength) => new Uint8ClampedArray(byteLength);

const waysToFree = new WeakMap<object, () => void>();

/** Registers how to free bytes that are part of a larger buffer. */
export function freedBy(bytes: Uint8Array | Uint8ClampedArray, free: () => void): void {
  waysToFree.set(bytes, free);
}

/**
 * Lends `bytes`, for example a codec's memory, to one canvas at a time. Canvases of another length, and those requested
 * while the bytes are lent, are allocated on the heap. Freeing the canvas returns the bytes. The bytes are not zeroed.
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
 * Frees the buffer behind bytes at once. Bytes that are part of a larger buffer are freed only if `freedBy` registered
 * how to free them.
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
