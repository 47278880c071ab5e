import type { TextLayer } from "../compose/draw-text.ts";
import { paintMask } from "../raster/blend.ts";
import type { Box, Raster } from "../types.ts";
import { emptyMask, type Mask } from "../vector/index.ts";
import { isAtRest, type Pose, posedWith } from "./timeline.ts";

/**
 * Paints a posed layer, with each part's own pose added. `isFromRight`: reveals start at the right, for right-to-left
 * text.
 */
export function paintPosed(
  canvas: Raster,
  { box, parts }: TextLayer,
  pose: Pose,
  poseOfPart: (part: number) => Pose,
  isFromRight: boolean,
): void {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  parts.forEach(({ mask, colour }, part) => {
    const own = posedWith(pose, poseOfPart(part));
    const opacity = Math.round(255 * Math.min(1, own.opacity));
    if (opacity === 0) return;
    const posed = isAtRest(own)
      ? mask
      : moved(uncovered(scaled(mask, own.scale, middle), box, own.reveal, isFromRight), own);
    paintMask(canvas, posed, colour, opacity);
  });
}

/** Moves a mask by whole pixels, so that letters stay sharp. */
const moved = (mask: Mask, { x, y }: Pose): Mask => ({
  ...mask,
  x: mask.x + Math.round(x),
  y: mask.y + Math.round(y),
});

/** The part of a mask inside the first fraction `shown` of a box's width. */
function uncovered(mask: Mask, box: Box, shown: number, isFromRight: boolean): Mask {
  if (shown >= 1) return mask;
  const length = Math.round(box.width * shown);
  const left = Math.max(mask.x, isFromRight ? Math.round(box.x + box.width) - length : mask.x);
  const right = isFromRight ? mask.x + mask.width : Math.min(mask.x + mask.width, Math.round(box.x) + length);
  const width = right - left;
  if (width <= 0) return emptyMask(mask.x, mask.y);
  const coverage = new Uint8Array(width * mask.height);
  for (let row = 0; row < mask.height; row += 1) {
    const from = row * mask.width + left - mask.x;
    coverage.set(mask.coverage.subarray(from, from + width), row * width);
  }
  return { x: left, y: mask.y, width, height: mask.height, coverage };
}

/** A mask scaled about a point with bilinear interpolation. */
function scaled(mask: Mask, times: number, about: { readonly x: number; readonly y: number }): Mask {
  if (times === 1 || mask.width === 0) return mask;
  const left = Math.floor(about.x + (mask.x - about.x) * times);
  const top = Math.floor(about.y + (mask.y - about.y) * times);
  const width = Math.ceil(mask.width * times) + 1;
  const height = Math.ceil(mask.height * times) + 1;
  const coverage = new Uint8Array(width * height);
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= mask.width || y >= mask.height ? 0 : (mask.coverage[y * mask.width + x] ?? 0);
  for (let row = 0; row < height; row += 1) {
    const v = about.y + (top + row + 0.5 - about.y) / times - mask.y - 0.5;
    const y = Math.floor(v);
    const down = v - y;
    for (let column = 0; column < width; column += 1) {
      const u = about.x + (left + column + 0.5 - about.x) / times - mask.x - 0.5;
      const x = Math.floor(u);
      const across = u - x;
      const upper = at(x, y) * (1 - across) + at(x + 1, y) * across;
      const lower = at(x, y + 1) * (1 - across) + at(x + 1, y + 1) * across;
      coverage[row * width + column] = Math.round(upper * (1 - down) + lower * down);
    }
  }
  return { x: left, y: top, width, height, coverage };
}
