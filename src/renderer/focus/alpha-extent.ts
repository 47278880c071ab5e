import type { Rgb } from "../raster/canvas.ts";
import type { Box, Raster, SourceRaster } from "../types.ts";

/** The shape in a picture's alpha channel. */
export interface AlphaExtent {
  /** Whether enough is transparent that the picture is a shape, not a rectangle. */
  readonly isCutOut: boolean;
  /** Smallest box around all visible pixels, in pixels of the raster; null if there are none. */
  readonly bounds: Box | null;
}

const VISIBLE_ALPHA_MIN = 24;
/**
 * With a smaller fraction of transparent pixels, a picture is a rectangle with rounded corners or antialiased edges.
 */
const TRANSPARENT_SHARE_MIN = 0.04;

export function measureAlpha(raster: SourceRaster): AlphaExtent {
  const { width, height } = raster;
  if ("rgb" in raster || raster.alpha === "opaque")
    return { isCutOut: false, bounds: { x: 0, y: 0, width, height } };
  const { pixels } = raster;
  let left = width;
  let top = height;
  let right = -1;
  let bottom = -1;
  let transparent = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const alpha = pixels[(y * width + x) * 4 + 3] ?? 0;
      if (alpha < 128) transparent += 1;
      if (alpha < VISIBLE_ALPHA_MIN) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  if (right < 0) return { isCutOut: true, bounds: null };
  return {
    isCutOut: transparent >= width * height * TRANSPARENT_SHARE_MIN,
    bounds: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 },
  };
}

/**
 * Colours along the rim of a shape: visible pixels beside transparent ones or at the picture's own edge. They decide
 * whether the shape is visible on a background. Premultiplied or opaque input.
 */
export function outlineColours(raster: Raster): readonly Rgb[] {
  const { width, height, pixels } = raster;
  const alphaAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (pixels[(y * width + x) * 4 + 3] ?? 0);
  const colours: Rgb[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const alpha = alphaAt(x, y);
      if (alpha < 160) continue;
      const isRim =
        alphaAt(x - 1, y) < 160 ||
        alphaAt(x + 1, y) < 160 ||
        alphaAt(x, y - 1) < 160 ||
        alphaAt(x, y + 1) < 160;
      if (!isRim) continue;
      const at = (y * width + x) * 4;
      const full = (offset: number) => Math.min(255, Math.round(((pixels[at + offset] ?? 0) * 255) / alpha));
      colours.push({ r: full(0), g: full(1), b: full(2) });
    }
  }
  return colours;
}

/** Maximum channel difference (of 255) within a plain rim, and minimum difference of a drawn pixel from the rim. */
const RIM_SPREAD_MAX = 14;
const DRAWN_DIFFERENCE_MIN = 26;

/**
 * The bounds of the drawing on an opaque picture with a rim of one colour, so that a logo saved with margins is placed
 * by its letters. The whole picture if the rim is not plain or nothing is drawn.
 */
export function drawnBounds({ width, height, pixels }: Raster): Box {
  const whole = { x: 0, y: 0, width, height };
  const [red = 0, green = 0, blue = 0] = pixels;
  const isApart = (at: number, limit: number): boolean =>
    Math.abs((pixels[at] ?? 0) - red) > limit ||
    Math.abs((pixels[at + 1] ?? 0) - green) > limit ||
    Math.abs((pixels[at + 2] ?? 0) - blue) > limit;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const isRim = x === 0 || y === 0 || x === width - 1 || y === height - 1;
      if (isRim && isApart(at, RIM_SPREAD_MAX)) return whole;
      if (!isApart(at, DRAWN_DIFFERENCE_MIN)) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
      bottom = y;
    }
  }
  return right < 0 ? whole : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
