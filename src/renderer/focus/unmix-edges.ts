import type { Raster } from "../types.ts";

/**
 * Depth in pixels to which white is mixed into the product's edge, by antialiasing and by the blur of a lens or a JPEG.
 */
const EDGE_PX = 2;
/** Depth in pixels at which the product's own colour is read. */
const INNER_PX = 4;
/** A product with less darkness than this (of 255) is too close to white to be unmixed. */
const OWN_DARKNESS_MIN = 36;

/**
 * Removes white from the edge of a product without its background, in place, so that no light rim shows on a dark
 * surface. An edge pixel is treated as a mixture of white and the product's colour a little further in, and becomes as
 * transparent as its white fraction. `background` has a 1 for every pixel of the background. Takes a premultiplied
 * raster whose product is opaque.
 */
export function unmixEdges({ width, height, pixels }: Raster, background: Uint8Array): void {
  const isBackground = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && background[y * width + x] === 1;
  const edges: { at: number; own: number | null }[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (background[y * width + x] === 1) continue;
      const away = awayFromBackground(x, y, isBackground);
      if (away === null) continue;
      const isLine = away.x === 0 && away.y === 0;
      const innerX = Math.min(width - 1, Math.max(0, x + away.x * INNER_PX));
      const innerY = Math.min(height - 1, Math.max(0, y + away.y * INNER_PX));
      const own = isLine || isBackground(innerX, innerY) ? null : (innerY * width + innerX) * 4;
      edges.push({ at: (y * width + x) * 4, own });
    }
  }
  // Read all colours before changing any: an edge pixel may be the inner pixel of another edge pixel.
  const changed = edges.map(({ at, own }) => unmixed(pixels, at, own));
  edges.forEach(({ at }, index) => {
    const alpha = changed[index] ?? 255;
    for (let channel = 0; channel < 3; channel += 1) {
      pixels[at + channel] = Math.max(0, Math.min(alpha, (pixels[at + channel] ?? 0) - 255 + alpha));
    }
    pixels[at + 3] = alpha;
  });
}

const DIRECTIONS = [
  { x: 1, y: 0 },
  { x: -1, y: 0 },
  { x: 0, y: 1 },
  { x: 0, y: -1 },
] as const;

/**
 * The direction away from the background, if background is at most `EDGE_PX` pixels away; else null. 0, 0 if there is
 * background on opposite sides.
 */
function awayFromBackground(
  x: number,
  y: number,
  isBackground: (x: number, y: number) => boolean,
): { readonly x: number; readonly y: number } | null {
  let [across, down] = [0, 0];
  let isAtEdge = false;
  for (const direction of DIRECTIONS) {
    for (let step = 1; step <= EDGE_PX; step += 1) {
      if (!isBackground(x + direction.x * step, y + direction.y * step)) continue;
      across -= direction.x;
      down -= direction.y;
      isAtEdge = true;
      break;
    }
  }
  return isAtEdge ? { x: across, y: down } : null;
}

/**
 * A pixel with background on both sides is a thin line of the product, or white that a JPEG coloured. It counts as a
 * line if it is at least this dark.
 */
const LINE_DARKNESS_MIN = 70;

/**
 * The alpha 0..255 of a pixel that mixes white with the colour at `own`; a null `own` means background on both sides.
 */
function unmixed(pixels: Uint8ClampedArray, at: number, own: number | null): number {
  if (own === null) {
    const least = Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    return Math.min(255, Math.round(((255 - least) * 255) / LINE_DARKNESS_MIN));
  }
  let darkness = 0;
  let ownDarkness = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const present = 255 - (pixels[own + channel] ?? 0);
    if (present <= ownDarkness) continue;
    ownDarkness = present;
    darkness = 255 - (pixels[at + channel] ?? 0);
  }
  if (ownDarkness < OWN_DARKNESS_MIN) return 255;
  return Math.max(0, Math.min(255, Math.round((darkness * 255) / ownDarkness)));
}
