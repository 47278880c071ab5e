import type { Look } from "#renderer/look/index.ts";
import type { Box, Shape } from "#renderer/types.ts";

/** Spacing and type sizes of one canvas, in pixels. */
export interface Scale {
  readonly marginPx: number;
  readonly headlinePxMax: number;
  readonly headlinePxMin: number;
  /** Largest ink area of a short headline, in square pixels. */
  readonly headlineAreaMax: number;
  readonly subheadlinePxMin: number;
  /** Usual size of the subheadline, relative to the headline's. */
  readonly subheadlineShare: number;
  /** Usual size of a subheadline without a headline or price above it, relative to a headline's. */
  readonly loneSubheadlineShare: number;
  readonly ctaPxMin: number;
  /** Maximum type size of a button, as a multiple of `ctaPxMin`. */
  readonly ctaTimesMax: number;
  readonly disclaimerPx: number;
  /** Preferred number of lines, and the maximum for long text. */
  readonly headlineLinesPreferred: number;
  readonly headlineLinesMax: number;
  /** Area of the logo in square pixels, so that logos of any aspect look equally large. */
  readonly logoArea: number;
  readonly cornerRadiusPx: number;
}

/** Apps show canvases up to about this edge length at full size, and scale larger canvases down. */
const SCREEN_EDGE_PX = 480;

/** The smallest legible type on a button. */
const CTA_PX_MIN = 12;
const CTA_PX_MIN_TINY = 10;
/** Minimum button type on a leaderboard, as a fraction of its height: at 250 px the button is 40 px high. */
const LOW_CTA = 0.062;
/**
 * Factor of the minimum button size on large squares and 4:5, where the usual minimum is too small beside the headline.
 */
const BLOCK_CTA_TIMES = 1.3;
/** Minimum type size on any canvas. */
const TYPE_PX_MIN = 10;

/** A story's minimum sizes relative to its width: 64, 44, 36 and 30 px at 1080. */
const STORY = { headline: 64 / 1080, subheadline: 44 / 1080, cta: 36 / 1080, disclaimer: 30 / 1080 } as const;
const NO_LEAST = { headline: 0, subheadline: 0, cta: 0, disclaimer: 0 } as const;

/**
 * Largest ink area of a short headline, as a fraction of the safe area; larger in a story, whose safe area is only part
 * of the canvas.
 */
const HEADLINE_AREA_SHARE = 0.19;
const STORY_AREA_SHARE = 0.26;
const LOW_AREA_SHARE = 0.155;

/** Minimum headline size of a banner, relative to its height: 15 px at a height of 90 px. */
const BANNER_HEADLINE_MIN = 1 / 6;

const HEADLINE_LINES_PREFERRED: Readonly<Record<Shape, number>> = {
  tiny_strip: 2,
  banner: 2,
  leaderboard: 2,
  landscape: 3,
  square: 4,
  portrait: 4,
  skyscraper: 5,
  story: 4,
};

const HEADLINE_LINES_MAX: Readonly<Record<Shape, number>> = {
  tiny_strip: 3,
  banner: 3,
  leaderboard: 4,
  landscape: 5,
  square: 6,
  portrait: 6,
  skyscraper: 12,
  story: 6,
};

/** The scale of a shape in a safe area; `canvasWidth` is the width of the canvas around that area. */
export function scaleOf(shape: Shape, safe: Box, canvasWidth: number, shownReduced = 1): Scale {
  const { width, height } = safe;
  const least = shape === "story" ? STORY : NO_LEAST;
  const short = Math.min(width, height);
  const isRow = shape === "tiny_strip" || shape === "banner";
  const isLow = shape === "leaderboard";
  // Apps show a social picture of 1080 px at a third of its size, so its minimum sizes grow accordingly.
  const reduction = Math.max(1, Math.sqrt(width * height) / SCREEN_EDGE_PX, shownReduced);
  const eased = 1 + (reduction - 1) * 0.8;
  const ctaTimes = reduction > 1 && (shape === "square" || shape === "portrait") ? BLOCK_CTA_TIMES : 1;
  const marginPx = Math.max(3, Math.round(isRow ? 3 + short * 0.085 : 4 + short * (isLow ? 0.084 : 0.065)));
  const logoSide = isRow ? short * 0.46 : 10 + marginPx * (short > SCREEN_EDGE_PX ? 1.8 : isLow ? 2.1 : 1.25);
  return ranked({
    marginPx,
    headlinePxMax: headlinePxMax(shape, width, height),
    headlinePxMin: onHalf(
      Math.max(
        least.headline * canvasWidth,
        shape === "tiny_strip"
          ? TYPE_PX_MIN
          : shape === "banner"
            ? Math.max(11, height * BANNER_HEADLINE_MIN)
            : 11 * reduction,
      ),
    ),
    headlineAreaMax:
      width * height * (shape === "story" ? STORY_AREA_SHARE : isLow ? LOW_AREA_SHARE : HEADLINE_AREA_SHARE),
    subheadlinePxMin: onHalf(Math.max(least.subheadline * canvasWidth, TYPE_PX_MIN * eased)),
    ctaPxMin:
      shape === "tiny_strip"
        ? CTA_PX_MIN_TINY
        : onHalf(
            Math.max(least.cta * canvasWidth, CTA_PX_MIN * eased * ctaTimes, isLow ? height * LOW_CTA : 0),
          ),
    ctaTimesMax: isLow ? 1.4 : 1.8,
    // The disclaimer is enlarged by more than apps reduce the picture, so that it stays legible on screen.
    disclaimerPx: onHalf(
      Math.max(
        TYPE_PX_MIN,
        least.disclaimer * canvasWidth,
        isLow ? height * 0.045 : 0,
        (isLow ? 9.5 : 8.5) * (1 + (reduction - 1) * 1.2),
      ),
    ),
    subheadlineShare: 0.42,
    loneSubheadlineShare: 0.66,
    headlineLinesPreferred: HEADLINE_LINES_PREFERRED[shape],
    headlineLinesMax: HEADLINE_LINES_MAX[shape],
    logoArea: logoSide * logoSide,
    cornerRadiusPx: Math.round(Math.max(3, short * 0.022)),
  });
}

/**
 * Maximum size of a disclaimer relative to the smallest headline, and minimum size of a subheadline relative to the
 * disclaimer.
 */
const FINE_PRINT_SHARE_MAX = 0.88;
const PROSE_OVER_FINE_PRINT = 1.06;

/** A scale whose minimum sizes are ordered: headline, then subheadline, then disclaimer. */
function ranked(scale: Scale): Scale {
  const disclaimerPx = Math.max(
    TYPE_PX_MIN,
    Math.min(scale.disclaimerPx, onHalf(scale.headlinePxMin * FINE_PRINT_SHARE_MAX)),
  );
  const prosePx = onHalf(disclaimerPx * PROSE_OVER_FINE_PRINT);
  const subheadlinePxMin = Math.max(scale.subheadlinePxMin, Math.min(prosePx, scale.headlinePxMin));
  return { ...scale, disclaimerPx, subheadlinePxMin };
}

/** The scale with a look's margins, corners and size contrast. Strips have no room for wider margins. */
export function scaleInLook(scale: Scale, shape: Shape, { type, layout }: Look): Scale {
  const isRow = shape === "tiny_strip" || shape === "banner";
  return {
    ...scale,
    marginPx: isRow ? scale.marginPx : Math.round(scale.marginPx * layout.marginTimes),
    headlinePxMax: scale.headlinePxMax * type.headlineTimes,
    headlinePxMin: onHalf(scale.headlinePxMin * Math.min(1.15, Math.max(1, type.headlineTimes))),
    // A condensed face fills the same area at a larger size.
    headlineAreaMax: scale.headlineAreaMax * type.headlineTimes,
    subheadlineShare: (scale.subheadlineShare * type.subheadlineTimes) / type.headlineTimes,
    cornerRadiusPx: Math.round(scale.cornerRadiusPx * layout.cornerTimes),
  };
}

/** Width in CSS pixels at which pages show a cover, on monitors and phones. Minimum type sizes apply at that scale. */
const COVER_WIDTH_PX = 640;

/** A small safe area has the shape of a strip but is part of a large picture: its text is as large as fits. */
export function smallSafeAreaScale(safe: Box): Scale {
  const scale = scaleOf("leaderboard", safe, safe.width, safe.width / COVER_WIDTH_PX);
  return ranked({
    ...scale,
    headlinePxMax: safe.height * 0.34,
    subheadlineShare: 0.34,
    disclaimerPx: Math.max(scale.disclaimerPx, onHalf(safe.height * 0.047)),
    logoArea: scale.logoArea * 1.7,
  });
}

function headlinePxMax(shape: Shape, width: number, height: number): number {
  const short = Math.min(width, height);
  switch (shape) {
    case "tiny_strip":
      return Math.max(10, height * 0.36);
    case "banner":
      // A very long row has room for a larger headline.
      return Math.max(12, height * (width > height * 9 ? 0.36 : 0.31));
    case "leaderboard":
      return height * 0.215 + 3;
    case "landscape":
      return height * 0.108 + 3;
    case "square":
      return short * 0.082 + 5;
    case "portrait":
      return short * 0.084 + 5;
    case "story":
      return short * 0.115 + 5;
    case "skyscraper":
      return short * 0.12 + 6;
  }
}

/** Rounds a type size up to half a pixel, so that it never falls below the minimum. */
function onHalf(px: number): number {
  return Math.ceil(px * 2) / 2;
}
