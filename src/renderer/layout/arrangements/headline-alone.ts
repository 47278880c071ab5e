import { inset } from "../design/boxes.ts";
import type { Canvas } from "../design/canvas-of-size.ts";
import type { CopyBlock } from "../design/design.ts";
import { placeText } from "../design/place-elements.ts";
import type { Typesetter } from "../design/typesetter.ts";
import { headlineEnlargementOf } from "../words/short-headline-enlargement.ts";

/** Margin around a headline alone on the canvas, relative to the usual margin. */
const MARGIN_SHARE = 0.4;
/** Margin above and below the ink, in pixels: rounding may move the ink by half a pixel. */
const INK_MARGIN_PX = 1;
/** Number of steps from the largest to the smallest size. */
const STEPS = 14;
/** Effectively unlimited: the height limits the lines, and so does `TYPE_LIMITS.linesMax`. */
const LINES_MAX = 400;

/**
 * A headline alone in the safe area, as large as fits; null if it does not fit at the minimum size. The result depends
 * only on text, fonts and size. Every other arrangement has less room for the headline.
 */
export function headlineAlone(canvas: Canvas, typesetter: Typesetter, headline: string): CopyBlock | null {
  const { scale, safe } = canvas;
  const region = inset(safe, scale.marginPx * MARGIN_SHARE, INK_MARGIN_PX);
  const { align } = typesetter.look.layout;
  const largest = Math.max(scale.headlinePxMin, scale.headlinePxMax * headlineEnlargementOf(headline, scale));
  for (let step = STEPS; step >= 0; step -= 1) {
    const sizePx = scale.headlinePxMin + ((largest - scale.headlinePxMin) * step) / STEPS;
    const measured = typesetter.measure(headline, {
      voice: "headline",
      sizePx: Math.max(scale.headlinePxMin, Math.floor(sizePx * 2) / 2),
      lineHeight: sizePx >= 30 ? 1.08 : 1.14,
      linesMax: LINES_MAX,
      widthPx: region.width,
      align,
    });
    // Accents and descenders reach past the capitals and the last baseline, so compare the ink.
    if (measured === null || measured.set.inkBox.height > region.height) continue;
    const { inkBox } = measured.set;
    const top = region.y + (region.height - inkBox.height) / 2 - inkBox.y + measured.capTopPx;
    return {
      logo: null,
      texts: [placeText("headline", measured, region.x, region.width, top, align)],
      button: null,
      headlineSizeShare: Math.min(1, measured.set.fontSizePx / scale.headlinePxMax),
      lineBreakScore: 1,
    };
  }
  return null;
}

/**
 * Whether a headline can be set legibly on a canvas. If not, `longest` is its longest beginning that fits: whole words,
 * or part of the first word if that word is too long. It is empty if not one character fits.
 */
export function headlineFits(
  canvas: Canvas,
  typesetter: Typesetter,
  headline: string,
): { readonly fits: true } | { readonly fits: false; readonly longest: string } {
  const isSet = (text: string) => text === "" || headlineAlone(canvas, typesetter, text) !== null;
  if (isSet(headline)) return { fits: true };
  const words = headline.split(" ");
  const whole = greatest(words.length - 1, (count) => isSet(words.slice(0, count).join(" ")));
  if (whole > 0) return { fits: false, longest: words.slice(0, whole).join(" ") };
  const characters = [...(words[0] ?? "")];
  const part = greatest(characters.length - 1, (count) => isSet(characters.slice(0, count).join("")));
  return { fits: false, longest: characters.slice(0, part).join("") };
}

/**
 * The greatest count up to `most` for which `passes` returns true, by binary search; 0 if there is none. Requires that
 * `passes` also returns true for all smaller counts.
 */
function greatest(most: number, passes: (count: number) => boolean): number {
  let low = 0;
  let high = Math.max(0, most);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
