import { boxOf } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, roundedRect } from "../vector/index.ts";

/** The outline of a rounded rectangle, `line` pixels thick inside its box: the shape less the same shape smaller by a line on every side, its coverage subtracted. */
export function outlineMask(canvas: Raster, box: Box, radius: number, line: number): Mask {
  const outer = fillPath(roundedRect(box, radius), boxOf(canvas));
  const within: Box = {
    x: box.x + line,
    y: box.y + line,
    width: Math.max(1, box.width - line * 2),
    height: Math.max(1, box.height - line * 2),
  };
  const inner = fillPath(roundedRect(within, Math.max(0, radius - line)), boxOf(canvas));
  for (let row = 0; row < inner.height; row += 1) {
    const from = row * inner.width;
    const to = (inner.y - outer.y + row) * outer.width + inner.x - outer.x;
    for (let i = 0; i < inner.width; i += 1) {
      outer.coverage[to + i] = Math.max(0, (outer.coverage[to + i] ?? 0) - (inner.coverage[from + i] ?? 0));
    }
  }
  return outer;
}
