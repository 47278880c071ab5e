import { packRgb } from "../raster/rgb-pixels.ts";
import type { SourceRaster } from "../types.ts";
import { type Orientation, swapsAxes } from "./exif-orientation.ts";

export interface OrientedRows {
  /** The upright picture; whole once all rows are added. */
  readonly raster: SourceRaster;
  /** Adds whole rows of the stored picture, RGBA, from top to bottom. */
  add(rgba: Uint8Array): void;
}

/** Puts the rows of a stored opaque picture, as they come, where they stand in the upright one: no second raster is made. */
export function createOrientedRows(
  width: number,
  height: number,
  orientation: Orientation,
  isRgb = false,
): OrientedRows {
  const isSwapped = swapsAxes(orientation);
  const size = { width: isSwapped ? height : width, height: isSwapped ? width : height };
  const pixelBytes = isRgb ? 3 : 4;
  const kept = new Uint8ClampedArray(width * height * pixelBytes);
  const words = isRgb ? null : new Uint32Array(kept.buffer);
  const isFromRight = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8;
  const isFromBottom = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7;
  const stepX = (isSwapped ? size.width : 1) * (isFromRight ? -1 : 1);
  const stepY = (isSwapped ? 1 : size.width) * (isFromBottom ? -1 : 1);
  const first = (isFromRight ? -stepX * (width - 1) : 0) + (isFromBottom ? -stepY * (height - 1) : 0);
  let next = 0;

  /** Down each column, because rows that are turned are written to columns that lie side by side. */
  const turn = (rgba: Uint32Array, start: number): void => {
    for (let x = 0; x < width; x++) {
      let to = start + x * stepX;
      if (words !== null) {
        for (let at = x; at < rgba.length; at += width, to += stepY) words[to] = rgba[at] ?? 0;
        continue;
      }
      for (let at = x; at < rgba.length; at += width, to += stepY) {
        const word = rgba[at] ?? 0;
        kept[to * 3] = word & 255;
        kept[to * 3 + 1] = (word >>> 8) & 255;
        kept[to * 3 + 2] = (word >>> 16) & 255;
      }
    }
  };

  return {
    raster: isRgb ? { ...size, rgb: kept, alpha: "opaque" } : { ...size, pixels: kept, alpha: "opaque" },
    add(rgba) {
      const rows = Math.min(Math.floor(rgba.length / (width * 4)), height - next);
      if (orientation !== 1) {
        turn(new Uint32Array(rgba.buffer, rgba.byteOffset, rows * width), first + next * stepY);
      } else if (isRgb) packRgb(rgba.subarray(0, rows * width * 4), kept, next * width);
      else kept.set(rgba.subarray(0, rows * width * 4), next * width * 4);
      next += rows;
    },
  };
}
