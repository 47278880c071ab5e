import type { Box, Raster } from "../types.ts";

/** The smallest box around all pixels that differ between two pictures of one size; null when none does. */
export function changedArea(before: Raster, after: Raster): Box | null {
  return boxAround(after.width, after.height, asPixels(before), asPixels(after));
}

/** The same over palette indices. */
export function changedAreaOfIndices(
  width: number,
  height: number,
  before: Uint8Array,
  after: Uint8Array,
): Box | null {
  return boxAround(width, height, before, after);
}

function asPixels(raster: Raster): Uint32Array {
  return new Uint32Array(raster.pixels.buffer, raster.pixels.byteOffset, raster.width * raster.height);
}

function boxAround(
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
