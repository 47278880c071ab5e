import { luminanceOf } from "../colour/srgb.ts";
import type { Box, Raster } from "../types.ts";
import type { SubjectMap } from "./subject-map.ts";

/** The edge of a cell, in pixels of the source raster. */
const CELL_PX = 3;
/**
 * The amount of each measure that alone makes text illegible: standard deviation of lightness, mean step between
 * neighbours, objects.
 */
const RESTLESS = { spread: 0.34, gradient: 0.08, objects: 0.6 } as const;

/**
 * A map of a photo's texture, in cells of a small raster of the photo: integral images, so that the mean of any part
 * costs four look-ups. Lightness is the root of relative luminance, 0..1.
 */
export interface CalmMap {
  readonly width: number;
  readonly height: number;
  readonly lightness: Float64Array;
  readonly squares: Float64Array;
  readonly gradient: Float64Array;
  readonly objects: Float64Array;
  /** The lightness of each cell's darkest and lightest pixel. */
  readonly darkest: Float32Array;
  readonly lightest: Float32Array;
}

/** Reads a map from an opaque raster (about 384 px) of a photo whose objects are known. */
export function calmMapOf(raster: Raster, subjects: SubjectMap): CalmMap {
  const width = Math.max(1, Math.floor(raster.width / CELL_PX));
  const height = Math.max(1, Math.floor(raster.height / CELL_PX));
  const plane = () => new Float64Array((width + 1) * (height + 1));
  const cells = () => new Float32Array(width * height);
  const [lightness, squares, gradient, objects] = [plane(), plane(), plane(), plane()];
  const [darkest, lightest] = [cells().fill(1), cells()];
  const before = new Float32Array(raster.width);
  const sums = new Float64Array(width * 3);
  for (let row = 0; row < height; row += 1) {
    sums.fill(0);
    for (let line = row * CELL_PX; line < (row + 1) * CELL_PX; line += 1) {
      let left = 0;
      for (let x = 0; x < width * CELL_PX; x += 1) {
        const at = (Math.min(line, raster.height - 1) * raster.width + Math.min(x, raster.width - 1)) * 4;
        const { pixels } = raster;
        const value = Math.sqrt(luminanceOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0));
        const column = Math.floor(x / CELL_PX);
        const cell = row * width + column;
        if (value < (darkest[cell] ?? 1)) darkest[cell] = value;
        if (value > (lightest[cell] ?? 0)) lightest[cell] = value;
        const across = x === 0 ? 0 : Math.abs(value - left);
        const down = line === 0 ? 0 : Math.abs(value - (before[x] ?? 0));
        sums[column * 3] = (sums[column * 3] ?? 0) + value;
        sums[column * 3 + 1] = (sums[column * 3 + 1] ?? 0) + value * value;
        sums[column * 3 + 2] = (sums[column * 3 + 2] ?? 0) + across + down;
        left = value;
        before[x] = value;
      }
    }
    const area = CELL_PX * CELL_PX;
    const from = Math.min(subjects.height - 1, Math.floor(((row + 0.5) / height) * subjects.height));
    for (let column = 0; column < width; column += 1) {
      const across = Math.min(subjects.width - 1, Math.floor(((column + 0.5) / width) * subjects.width));
      const values = [
        (sums[column * 3] ?? 0) / area,
        (sums[column * 3 + 1] ?? 0) / area,
        (sums[column * 3 + 2] ?? 0) / area,
        subjects.values[from * subjects.width + across] ?? 0,
      ];
      const to = (row + 1) * (width + 1) + column + 1;
      [lightness, squares, gradient, objects].forEach((sum, index) => {
        sum[to] =
          (values[index] ?? 0) + (sum[to - 1] ?? 0) + (sum[to - width - 1] ?? 0) - (sum[to - width - 2] ?? 0);
      });
    }
  }
  return { width, height, lightness, squares, gradient, objects, darkest, lightest };
}

/** The measures of a part of a photo. */
export interface Under {
  /**
   * How much the photo disturbs text, by texture (with light and shade) and by objects: from 0 (not at all) to 1 (text
   * is illegible).
   */
  readonly texture: number;
  readonly objects: number;
  /** Mean lightness, and its standard deviation. */
  readonly lightness: number;
  readonly spread: number;
}

/** Cells of a part (fractions of the photo); past the photo its edge is repeated. */
function cellsOf({ width, height }: CalmMap, part: Box) {
  const left = Math.min(width - 1, Math.max(0, Math.floor(part.x * width)));
  const top = Math.min(height - 1, Math.max(0, Math.floor(part.y * height)));
  return {
    left,
    top,
    right: Math.max(left + 1, Math.min(width, Math.ceil((part.x + part.width) * width))),
    bottom: Math.max(top + 1, Math.min(height, Math.ceil((part.y + part.height) * height))),
  };
}

/** The measures of a part (fractions) of a photo. */
export function under(map: CalmMap, part: Box): Under {
  const { left, top, right, bottom } = cellsOf(map, part);
  const stride = map.width + 1;
  const mean = (sum: Float64Array): number =>
    ((sum[bottom * stride + right] ?? 0) -
      (sum[top * stride + right] ?? 0) -
      (sum[bottom * stride + left] ?? 0) +
      (sum[top * stride + left] ?? 0)) /
    ((right - left) * (bottom - top));
  const lightness = mean(map.lightness);
  const spread = Math.sqrt(Math.max(0, mean(map.squares) - lightness * lightness));
  const texture = spread / RESTLESS.spread + mean(map.gradient) / RESTLESS.gradient;
  return { texture, objects: mean(map.objects) / RESTLESS.objects, lightness, spread };
}

/** The lightness of the darkest and lightest pixel of a part (fractions). */
export function tonesUnder(map: CalmMap, part: Box): { readonly darkest: number; readonly lightest: number } {
  const { left, top, right, bottom } = cellsOf(map, part);
  let [darkest, lightest] = [1, 0];
  for (let row = top; row < bottom; row += 1) {
    for (let cell = row * map.width + left; cell < row * map.width + right; cell += 1) {
      darkest = Math.min(darkest, map.darkest[cell] ?? 1);
      lightest = Math.max(lightest, map.lightest[cell] ?? 0);
    }
  }
  return { darkest, lightest };
}
