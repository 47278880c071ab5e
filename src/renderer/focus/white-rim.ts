import type { Raster } from "../types.ts";

/** Rim pixels whose darkest channel is at least this belong to a white background. */
const WHITE_MIN = 230;
/** Minimum white fraction of the rim around a product that touches no edge. */
const FREE_RIM_SHARE_MIN = 0.97;
/**
 * Minimum white fraction of the rim if a product touches edges, by the number of white corners: a product that fills
 * its photo leaves the corners free, and a product cut by an edge covers two corners.
 */
const TOUCHED_RIM_SHARE_MIN: readonly number[] = [1, 1, 0.68, 0.6, 0.42];
/** Side of the square at each corner, relative to the shorter edge. */
const CORNER_SHARE = 0.02;
const CORNER_WHITE_SHARE_MIN = 0.95;

/**
 * The white of a product's background, as the mean of its rim's darkest channels, 230..255; null if the background is
 * not white. The product may touch the rim. Takes an opaque raster.
 */
export function whiteOfRim(raster: Raster): number | null {
  const { width, height } = raster;
  let white = 0;
  let sum = 0;
  let all = 0;
  const look = (x: number, y: number): void => {
    const least = darkestChannel(raster, x, y);
    all += 1;
    if (least < WHITE_MIN) return;
    white += 1;
    sum += least;
  };
  for (let x = 0; x < width; x += 1) {
    look(x, 0);
    look(x, height - 1);
  }
  for (let y = 1; y < height - 1; y += 1) {
    look(0, y);
    look(width - 1, y);
  }
  if (white >= all * FREE_RIM_SHARE_MIN) return sum / white;
  const least = TOUCHED_RIM_SHARE_MIN[whiteCorners(raster)] ?? 1;
  return white >= all * least ? sum / white : null;
}

/** The number of white corners, 0..4. */
function whiteCorners(raster: Raster): number {
  const { width, height } = raster;
  const side = Math.max(1, Math.round(Math.min(width, height) * CORNER_SHARE));
  const corners = [0, width - side].flatMap((left) => [0, height - side].map((top) => ({ left, top })));
  return corners.filter(({ left, top }) => {
    let white = 0;
    for (let y = top; y < top + side; y += 1) {
      for (let x = left; x < left + side; x += 1) if (darkestChannel(raster, x, y) >= WHITE_MIN) white += 1;
    }
    return white >= side * side * CORNER_WHITE_SHARE_MIN;
  }).length;
}

function darkestChannel({ width, pixels }: Raster, x: number, y: number): number {
  const at = (y * width + x) * 4;
  return Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
}
