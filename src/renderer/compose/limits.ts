import type { VisualSlot } from "../types.ts";

/** Bounds of a prepared pack, so that a render fits an isolate's memory. */
export const COMPOSE_LIMITS = {
  /**
   * Maximum number of pixels stored per picture: 15 MB, or 20 MB with alpha. The largest catalogue canvas has 3.7
   * million.
   */
  picturePixelsMax: 5_000_000,
  /**
   * Maximum number of pixels stored for all pictures of a pack: with their halvings 30 MB of an isolate's 128 MB, or 40
   * MB with alpha.
   */
  packPixelsMax: 7_500_000,
  /** Longest edge of the thumbnail for colours and focal points. */
  thumbnailEdgePx: 128,
  /** Longest edge of the raster for calm maps: fine texture must survive. */
  calmEdgePx: 384,
  /** Longest edge of the raster for a logo's rim: fine strokes must survive. */
  outlineEdgePx: 320,
  /** A vector logo is drawn once at this longest edge and scaled down from there. */
  logoEdgePx: 1_200,
} as const;

/** Maximum number of pixels stored per picture in a pack with this number of pictures. */
export const pixelsMaxOf = (pictures: number): number =>
  Math.min(COMPOSE_LIMITS.picturePixelsMax, COMPOSE_LIMITS.packPixelsMax / Math.max(1, pictures));

/** Possible numbers of pictures in a pack with this slot filled; `api/slots.ts` decides which slots go together. */
export const PICTURES_BESIDE: Readonly<Record<VisualSlot, readonly number[]>> = {
  logo: [],
  media: [1, 2, 3],
  secondaryMedia: [2, 3],
  background: [1, 2, 3],
  product: [1, 2],
  person: [1, 2],
  device: [1, 2],
};
