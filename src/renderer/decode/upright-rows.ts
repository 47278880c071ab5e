import { type Orientation, swapsAxes } from "./orientation.ts";

export interface UprightRows {
  /** Width of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel; whole once all rows are added. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** Adds whole rows of the stored picture, from top to bottom. */
  add(rgba: Uint8Array): void;
}

/** Puts the rows of a stored picture, as they come, where they stand in the upright one: no second raster is made. */
export function createUprightRows(width: number, height: number, orientation: Orientation): UprightRows {
  const isSwapped = swapsAxes(orientation);
  const uprightWidth = isSwapped ? height : width;
  const pixels = new Uint8ClampedArray(width * height * 4);
  const words = new Uint32Array(pixels.buffer);
  const isFromRight = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8;
  const isFromBottom = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7;
  const stepX = (isSwapped ? uprightWidth : 1) * (isFromRight ? -1 : 1);
  const stepY = (isSwapped ? 1 : uprightWidth) * (isFromBottom ? -1 : 1);
  const first = (isFromRight ? -stepX * (width - 1) : 0) + (isFromBottom ? -stepY * (height - 1) : 0);
  let next = 0;
  return {
    width: uprightWidth,
    height: isSwapped ? width : height,
    pixels,
    add(rgba) {
      const rows = Math.min(Math.floor(rgba.length / (width * 4)), height - next);
      if (orientation === 1) {
        pixels.set(rgba.subarray(0, rows * width * 4), next * width * 4);
      } else {
        const from = new Uint32Array(rgba.buffer, rgba.byteOffset, rows * width);
        const start = first + next * stepY;
        // Down each column, because rows that are turned are written to columns that lie side by side.
        for (let x = 0; x < width; x++) {
          let to = start + x * stepX;
          for (let at = x; at < from.length; at += width, to += stepY) words[to] = from[at] ?? 0;
        }
      }
      next += rows;
    },
  };
}
