import type { Raster } from "./types.ts";

/**
 * Memory freed at once rather than by the garbage collector, which runs so late that canvases of megabytes have filled
 * isolates. A buffer is freed only by the code that made it, and only if no other code holds it.
 */

/** Where the pixels of a new canvas come from. */
export type CanvasMemory = (byteLength: number) => Uint8ClampedArray;

/** A buffer of its own, of zeros. */
export const onHeap: CanvasMemory = (byteLength) => new Uint8ClampedArray(byteLength);

const returns = new WeakMap<object, () => void>();

/**
 * Lends bytes that stay another's, a codec's for one, to a canvas at a time; while they are lent, and where another
 * length is needed, canvases are on the heap. Freeing the canvas returns them. What stood in them before stands there still.
 */
export function lender(bytes: Uint8ClampedArray): CanvasMemory {
  let isLent = false;
  return (byteLength) => {
    if (isLent || byteLength !== bytes.byteLength) return onHeap(byteLength);
    isLent = true;
    returns.set(bytes, () => {
      isLent = false;
    });
    return bytes;
  };
}

/**
 * Frees the buffer behind bytes at once, or returns those that are lent; bytes that are a part of a larger buffer are left
 * as they are.
 */
export function freeBytes(bytes: Uint8Array | Uint8ClampedArray): void {
  const giveBack = returns.get(bytes);
  if (giveBack !== undefined) {
    giveBack();
    return;
  }
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength) buffer.transfer(0);
}

/** Frees a raster's pixels at once. Reading or freeing them again throws. */
export function freeRaster(raster: Raster): void {
  freeBytes(raster.pixels);
  Object.defineProperty(raster, "pixels", { get: refuse });
}

function refuse(): never {
  throw new Error("the pixels of a freed raster were read");
}
