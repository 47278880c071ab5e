import type { Raster } from "../types.ts";

/** Grey pixels down to this belong to the background too: they are its shadows. */
const SHADOW_MIN = 196;
const SHADOW_CHROMA_MAX = 20;
/** Darker shadows are followed down to this, as long as they change by no more than a step from pixel to pixel. */
const DEEP_SHADOW_MIN = 84;
const DEEP_SHADOW_CHROMA_MAX = 14;
const SHADOW_STEP_MAX = 6;
/** Sweeps over the picture in which the background is followed around corners. */
const SWEEPS_MAX = 8;

/**
 * 1 for every pixel that whitish pixels and soft shadows connect with the rim, found by sweeping to and fro until nothing
 * is new. Takes an opaque raster.
 */
export function backgroundMask({ width, height, pixels }: Raster): Uint8Array {
  const background = new Uint8Array(width * height);
  const least = (i: number): number =>
    Math.min(pixels[i * 4] ?? 0, pixels[i * 4 + 1] ?? 0, pixels[i * 4 + 2] ?? 0);
  const chromaOf = (i: number): number =>
    Math.max(pixels[i * 4] ?? 0, pixels[i * 4 + 1] ?? 0, pixels[i * 4 + 2] ?? 0) - least(i);
  const isFollowed = (darkest: number, from: number): boolean =>
    background[from] === 1 && Math.abs(least(from) - darkest) <= SHADOW_STEP_MAX;
  const isDeepShadow = (i: number, darkest: number): boolean =>
    darkest >= DEEP_SHADOW_MIN &&
    chromaOf(i) <= DEEP_SHADOW_CHROMA_MAX &&
    (isFollowed(darkest, i - 1) ||
      isFollowed(darkest, i + 1) ||
      isFollowed(darkest, i - width) ||
      isFollowed(darkest, i + width));
  const visit = (x: number, y: number): boolean => {
    const i = y * width + x;
    if (background[i] === 1) return false;
    const isTouching =
      x === 0 ||
      y === 0 ||
      x === width - 1 ||
      y === height - 1 ||
      background[i - 1] === 1 ||
      background[i + 1] === 1 ||
      background[i - width] === 1 ||
      background[i + width] === 1;
    if (!isTouching) return false;
    const darkest = least(i);
    const isWhitish = darkest >= SHADOW_MIN && chromaOf(i) <= SHADOW_CHROMA_MAX;
    if (!isWhitish && !isDeepShadow(i, darkest)) return false;
    background[i] = 1;
    return true;
  };
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let isNew = false;
    const isDown = sweep % 2 === 0;
    for (let row = 0; row < height; row += 1) {
      const y = isDown ? row : height - 1 - row;
      for (let x = 0; x < width; x += 1) isNew = visit(x, y) || isNew;
      for (let x = width - 1; x >= 0; x -= 1) isNew = visit(x, y) || isNew;
    }
    if (!isNew) break;
  }
  return background;
}
