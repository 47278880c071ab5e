import type { Box, Shape } from "../types.ts";

/** Spacing and type sizes of one canvas, in pixels. Everything follows from its short edge and its area. */
export interface Scale {
  readonly marginPx: number;
  readonly headlinePxMax: number;
  readonly headlinePxMin: number;
  readonly subheadlinePxMin: number;
  readonly ctaPxMin: number;
  readonly disclaimerPx: number;
  readonly headlineLinesMax: number;
  /** Area of the logo in square pixels: marks of any aspect weigh the same to the eye. */
  readonly logoArea: number;
  readonly cornerRadiusPx: number;
}

/** Sizes at which a canvas is about as large on a screen as in its own pixels; larger ones are shown reduced. */
const SCREEN_EDGE_PX = 480;

const HEADLINE_LINES_MAX: Readonly<Record<Shape, number>> = {
  tiny_strip: 3,
  banner: 3,
  leaderboard: 4,
  landscape: 5,
  square: 5,
  portrait: 6,
  skyscraper: 12,
  story: 6,
};

export function scaleOf(shape: Shape, safe: Box): Scale {
  const { width, height } = safe;
  const short = Math.min(width, height);
  const isRow = shape === "tiny_strip" || shape === "banner";
  // A social picture of 1080 px is seen at a third of that: its least sizes grow with it.
  const reduction = Math.max(1, Math.sqrt(width * height) / SCREEN_EDGE_PX);
  const eased = 1 + (reduction - 1) * 0.65;
  const marginPx = Math.max(3, Math.round(isRow ? 3 + short * 0.085 : 4 + short * 0.065));
  const logoSide = isRow ? short * 0.46 : 10 + marginPx * 1.25;
  return {
    marginPx,
    headlinePxMax: headlinePxMax(shape, width, height),
    headlinePxMin: shape === "tiny_strip" ? 9.5 : 11 * reduction,
    subheadlinePxMin: shape === "tiny_strip" ? 8.5 : 9.5 * eased,
    ctaPxMin: shape === "tiny_strip" ? 9 : 10 * eased,
    disclaimerPx: 8.5 * eased,
    headlineLinesMax: HEADLINE_LINES_MAX[shape],
    logoArea: logoSide * logoSide,
    cornerRadiusPx: Math.round(Math.max(3, short * 0.022)),
  };
}

function headlinePxMax(shape: Shape, width: number, height: number): number {
  const short = Math.min(width, height);
  switch (shape) {
    case "tiny_strip":
      return Math.max(10, height * 0.36);
    case "banner":
      return Math.max(12, height * 0.32);
    case "leaderboard":
      return height * 0.19 + 2;
    case "landscape":
      return height * 0.122 + 2;
    case "square":
      return short * 0.1 + 3;
    case "portrait":
    case "story":
      return short * 0.1 + 3;
    case "skyscraper":
      return short * 0.125 + 5;
  }
}
