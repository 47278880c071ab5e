import { boxOf, type Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, type Path, PathBuilder, roundedRect } from "../vector/index.ts";
import type { LayerPart } from "./draw-text.ts";

/** The outline of a rounded rectangle, `line` pixels thick inside its box: the shape less the same shape smaller by a line on every side, its coverage subtracted. */
function outlineMask(canvas: Raster, box: Box, radius: number, line: number): Mask {
  const outer = fillPath(roundedRect(box, radius), boxOf(canvas));
  const inner = fillPath(inside(box, radius, line), boxOf(canvas));
  for (let row = 0; row < inner.height; row += 1) {
    const from = row * inner.width;
    const to = (inner.y - outer.y + row) * outer.width + inner.x - outer.x;
    for (let i = 0; i < inner.width; i += 1) {
      outer.coverage[to + i] = Math.max(0, (outer.coverage[to + i] ?? 0) - (inner.coverage[from + i] ?? 0));
    }
  }
  return outer;
}

function inside(box: Box, radius: number, line: number): Path {
  const within: Box = {
    x: box.x + line,
    y: box.y + line,
    width: Math.max(1, box.width - line * 2),
    height: Math.max(1, box.height - line * 2),
  };
  return roundedRect(within, Math.max(0, radius - line));
}

/** A part that is such an outline. */
export const outlinedPart = (
  canvas: Raster,
  box: Box,
  radius: number,
  line: number,
  colour: Rgb,
): LayerPart => ({
  mask: outlineMask(canvas, box, radius, line),
  colour,
  outline: () =>
    new PathBuilder()
      .append(roundedRect(box, radius))
      .append(inside(box, radius, line))
      .build(),
  isHollow: true,
});
