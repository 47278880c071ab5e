import type { Raster } from "./types.ts";

/**
 * Memory freed at once rather than by the garbage collector, which runs so late that canvases of megabytes have filled
 * isolates. A buffer is freed only by the code that made it, and only if no other code holds it.
 */

/** Frees the buffer behind bytes at once; bytes that are a part of a larger buffer are left as they are. */
export function freeBytes(bytes: Uint8Array | Uint8ClampedArray): void {
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
