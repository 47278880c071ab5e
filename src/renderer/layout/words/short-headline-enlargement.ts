import type { Copy } from "#renderer/types.ts";
import type { Scale } from "../design/margins-and-type-sizes.ts";

/**
 * Maximum characters of a short headline; East Asian characters count twice. A longer headline is prose and keeps its
 * shape's usual size.
 */
const SHORT_CHARACTERS_MAX = 40;
/** Area per character in square em, with its share of spaces and uneven line ends. */
const CHARACTER_AREA_EM = 0.6;
const ENLARGEMENT_MAX = 3.5;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const NARROW = /[\p{M}\p{Cf}]/u;
/** The lowest code point that either pattern matches: a soft hyphen. */
const FIRST_NARROW = "\u00ad";

/**
 * Factor by which a headline may exceed its shape's usual size. A headline fills its area, so fewer characters are
 * larger.
 */
export function headlineEnlargementOf(headline: string | undefined, scale: Scale): number {
  const areaEm = headline === undefined ? null : areaEmOf(headline);
  if (areaEm === null) return 1;
  const sizePx = Math.sqrt(scale.headlineAreaMax / areaEm);
  return Math.min(ENLARGEMENT_MAX, Math.max(1, sizePx / scale.headlinePxMax));
}

/** A scale whose headline, enlarged or not, is at most `sizePx`, or its minimum size if that is larger. */
export function withHeadlineAtMost(scale: Scale, headline: string | undefined, sizePx: number): Scale {
  const areaEm = headline === undefined ? null : areaEmOf(headline);
  return {
    ...scale,
    headlinePxMax: Math.max(scale.headlinePxMin, Math.min(scale.headlinePxMax, sizePx)),
    headlineAreaMax:
      areaEm === null ? scale.headlineAreaMax : Math.min(scale.headlineAreaMax, areaEm * sizePx ** 2),
  };
}

/** Area of a short headline in squares of its type size; null for a longer headline. */
function areaEmOf(headline: string): number | null {
  let characters = 0;
  for (const character of headline) {
    // Runs at every size that is tried. Most text never reaches the slower Unicode patterns.
    characters += character < FIRST_NARROW ? 1 : WIDE.test(character) ? 2 : NARROW.test(character) ? 0 : 1;
    if (characters > SHORT_CHARACTERS_MAX) return null;
  }
  return Math.max(1, characters) * CHARACTER_AREA_EM;
}

/** A headline above a price is hardly enlarged: the price leads. */
const OVER_PRICE_MAX = 1.1;

/**
 * Factor by which the leading text of a stack may exceed a headline's usual size. A price without a headline is
 * enlarged like a headline.
 */
export function leadEnlargementOf(
  { headline, price }: Pick<Copy, "headline" | "price">,
  scale: Scale,
): number {
  const times = headlineEnlargementOf(headline ?? price, scale);
  return headline !== undefined && price !== undefined ? Math.min(OVER_PRICE_MAX, times) : times;
}

/** Largest amount that an enlargement adds to the score of the usual size. */
const ENLARGEMENT_WORTH_MAX = 0.3;

/**
 * Score 0..1 of a leading text's size relative to its maximum. It rises linearly up to the usual size, then more
 * slowly.
 */
export function sizeShareOf(sizePx: number, usualPx: number, enlargement: number): number {
  const worth = Math.min(ENLARGEMENT_WORTH_MAX, enlargement - 1);
  const times = sizePx / usualPx;
  const more = worth === 0 ? 0 : Math.min(1, Math.max(0, times - 1) / (enlargement - 1)) * worth;
  return (Math.min(1, times) + more) / (1 + worth);
}
