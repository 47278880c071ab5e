/** Bounds of this folder. A shape past them is a bug in the caller, which must check untrusted outlines first. */
export const VECTOR_LIMITS = {
  /** Points of one path. A line of 200 characters of a detailed display face has about 40,000. */
  pathPointsMax: 400_000,
  /** Coordinates in pixels, either side of zero. Keeps every product far inside exact doubles. */
  coordinatePxMax: 1_000_000,
  /** Straight pieces one curve becomes. At the tolerance below this is a curve some 10,000 px long. */
  segmentsPerCurveMax: 128,
  /** Farthest that a straight piece may lie from its curve, in pixels: about five of 255 grey levels. */
  flatnessPx: 0.02,
  /** Pixels of one mask: four times the largest canvas of the catalogue. */
  maskPixelsMax: 16_000_000,
  /** Crossings resolved exactly in one row of pixels; past it a row is approximated, which only noise reaches. */
  crossingsPerRowMax: 256,
} as const;
