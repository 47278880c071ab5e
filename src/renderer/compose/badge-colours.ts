import type { Theme } from "../colour/theme.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Raster } from "../types.ts";
import type { Mask } from "../vector/index.ts";

export interface BadgeColours {
  readonly fill: Rgb;
  readonly ink: Rgb;
  /** A line at the rim; null where the fill is seen without one. */
  readonly edge: Rgb | null;
}

/** Behind more of the rim than this a fill of the same colour has lost its shape. */
const LOST_SHARE_MAX = 0.25;
/** Bytes by which no channel differs between two colours that look the same beside each other. */
const SAME_BYTES_MAX = 28;
/** A pixel with less coverage lies outside the shape. */
const INSIDE_COVERAGE = 128;

/**
 * The accent, as a fill or, where what is behind has its colour (white on a white card), as ink on the surface's colour.
 * Where a rim crosses both, a line of the surface's colour holds it.
 */
export function badgeColours(canvas: Raster, outline: Mask, theme: Theme): BadgeColours {
  const { surface, accent, accentFill, accentInk } = theme;
  const plain: BadgeColours = { fill: accentFill, ink: accentInk, edge: null };
  if (lostShare(canvas, outline, accentFill) <= LOST_SHARE_MAX) return plain;
  // Type in an accent that shapes alone may keep cannot be read.
  const isLegible = accent === accentFill;
  if (isLegible && lostShare(canvas, outline, surface) <= LOST_SHARE_MAX) {
    return { fill: surface, ink: accent, edge: null };
  }
  return { ...plain, edge: surface };
}

/** Share of a shape's rim, 0..1, behind which the canvas has the fill's colour. */
function lostShare({ width, pixels }: Raster, { coverage, ...box }: Mask, fill: Rgb): number {
  const isIn = (x: number, y: number): boolean =>
    x >= 0 &&
    y >= 0 &&
    x < box.width &&
    y < box.height &&
    (coverage[y * box.width + x] ?? 0) >= INSIDE_COVERAGE;
  let [rim, lost] = [0, 0];
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      if (!isIn(x, y)) continue;
      if (isIn(x - 1, y) && isIn(x + 1, y) && isIn(x, y - 1) && isIn(x, y + 1)) continue;
      rim += 1;
      const at = ((box.y + y) * width + box.x + x) * 4;
      const apart = Math.max(
        Math.abs((pixels[at] ?? 0) - fill.r),
        Math.abs((pixels[at + 1] ?? 0) - fill.g),
        Math.abs((pixels[at + 2] ?? 0) - fill.b),
      );
      if (apart <= SAME_BYTES_MAX) lost += 1;
    }
  }
  return rim === 0 ? 0 : lost / rim;
}
