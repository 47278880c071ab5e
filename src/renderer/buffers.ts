import type { Raster } from "./types.ts";

/**
 * Memory given back by hand. What nobody refers to is collected, but when the engine sees fit, and canvases of megabytes
 * that lie about until then have filled isolates. Only who made a buffer, and has handed it to nobody, may release it.
 */

/** Frees the buffer behind bytes at once; bytes that are a part of a larger buffer are left as they are. */
export function freeBytes(bytes: Uint8Array | Uint8ClampedArray): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength) buffer.transfer(0);
}

/** Frees a raster's pixels at once. To read them afterwards, or to release them again, throws. */
export function freeRaster(raster: Raster): void {
  freeBytes(raster.pixels);
  Object.defineProperty(raster, "pixels", { get: refuse });
}

function refuse(): never {
  throw new Error("the pixels of a released raster were asked for");
}
