import type { Copy } from "../types.ts";
import { type ButtonSize, placeButton, sizeButton } from "./button.ts";
import { headlineScore, type PlacedButton, type PlacedText, type TextRole } from "./design.ts";
import { scoreLineBreaks } from "./line-break-score.ts";
import type { Scale } from "./margins-and-type-sizes.ts";
import { type Alignment, placeText } from "./place-elements.ts";
import type { Measured, Typesetter } from "./typesetter.ts";

/** Headline, subheadline and button one under the other, not placed yet. Heights run from capitals to baseline. */
export interface Stack {
  readonly rows: readonly StackRow[];
  readonly heightPx: number;
  /** Size of the leading text against the largest allowed, 0..1. */
  readonly headlineSizeShare: number;
  /** How well the headline's lines break, 0..1. */
  readonly lineBreakScore: number;
}

interface StackRow {
  readonly topPx: number;
  readonly content:
    | { readonly kind: "text"; readonly role: TextRole; readonly measured: Measured }
    | { readonly kind: "button"; readonly size: ButtonSize };
}

export interface StackRequest {
  readonly copy: Pick<Copy, "headline" | "subheadline" | "cta">;
  readonly widthPx: number;
  readonly heightPxMax: number;
  readonly align: Alignment;
  readonly scale: Scale;
  readonly typesetter: Typesetter;
  /** Compact buttons, for rows and narrow columns. */
  readonly isCompact: boolean;
}

/** Sizes tried, largest first, as shares of the largest headline. */
const SHARES = [1, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62, 0.57, 0.52, 0.47, 0.42, 0.38, 0.34, 0.3, 0.26, 0.22];
const TIGHTENINGS = [
  { tightness: 1, shareMin: 0.6, isBroken: false },
  { tightness: 0.75, shareMin: 0.45, isBroken: false },
  { tightness: 0.9, shareMin: 0.4, isBroken: true },
  { tightness: 0.6, shareMin: 0, isBroken: true },
];

/**
 * The best setting of the words that fits: as large as can be, though up to a third smaller when its lines then
 * break better. Null when even the least legible one does not fit.
 */
export function fitStack(request: StackRequest): Stack | null {
  const { headlinePxMin, headlineLinesPreferred, headlineLinesMax } = request.scale;
  const growth = growthOf(request.copy.headline);
  const headlinePxMax = request.scale.headlinePxMax * growth;
  // The headline gives up a third of its size before the gaps become tighter.
  for (const { tightness, shareMin, isBroken } of TIGHTENINGS) {
    let previous = 0;
    let best: Stack | null = null;
    let largest = 0;
    for (const share of SHARES) {
      const headlinePx = Math.max(headlinePxMin, roundedSize(headlinePxMax * share));
      if (share * growth < shareMin || headlinePx === previous || share < largest * SMALLER_FOR_BREAKS_MIN)
        break;
      previous = headlinePx;
      const preferred = isBroken ? headlineLinesMax : headlineLinesPreferred;
      const linesMax = share * growth > 1 ? Math.min(preferred, grownLinesMax(share * growth)) : preferred;
      for (const narrowing of NARROWINGS) {
        const stack = stackAt(request, headlinePx, tightness, linesMax, narrowing);
        if (stack === null || stack.heightPx > request.heightPxMax) break;
        if (best === null) largest = share;
        if (best === null || headlineScore(stack) > headlineScore(best)) best = stack;
        if (stack.lineBreakScore === 1) break;
      }
      if (best?.lineBreakScore === 1) break;
    }
    if (best !== null) return best;
  }
  return null;
}

/** A headline of one or two words is set larger than a sentence would be. */
const GROWTH_MAX = 1.75;
const GROWTH_PER_CHARACTER = 0.05;
const GROWTH_CHARACTERS = 22;
/** Above this growth a headline keeps to one line: two very large lines would crowd the picture. */
const GROWN_IN_TWO_LINES_MAX = 1.25;
const grownLinesMax = (times: number): number => (times > GROWN_IN_TWO_LINES_MAX ? 1 : 2);
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** How much larger than its shape's largest size a headline may be: the fewer its characters, the larger. */
export function growthOf(headline: string | undefined): number {
  if (headline === undefined) return 1;
  let characters = 0;
  for (const character of headline) characters += WIDE.test(character) ? 2 : 1;
  return Math.min(GROWTH_MAX, 1 + Math.max(0, GROWTH_CHARACTERS - characters) * GROWTH_PER_CHARACTER);
}

/** Shares of the width that a headline keeps to where its lines then break better. */
const NARROWINGS = [1, 0.8, 0.64];

/** A headline may give up this much of its size for better lines. */
const SMALLER_FOR_BREAKS_MIN = 0.62;

/** Places a fitted stack with its top left at `left`, `top`. */
export function placeStack(
  stack: Stack,
  left: number,
  top: number,
  widthPx: number,
  align: Alignment,
): { readonly texts: readonly PlacedText[]; readonly button: PlacedButton | null } {
  const texts: PlacedText[] = [];
  let button: PlacedButton | null = null;
  for (const { topPx, content } of stack.rows) {
    if (content.kind === "text") {
      texts.push(placeText(content.role, content.measured, left, widthPx, top + topPx, align));
    } else {
      const x = align === "start" ? left : left + (widthPx - content.size.width) / 2;
      button = placeButton(content.size, x, top + topPx);
    }
  }
  return { texts, button };
}

function stackAt(
  request: StackRequest,
  headlinePx: number,
  tightness: number,
  linesMax: number,
  narrowing: number,
): Stack | null {
  const { copy, scale, typesetter, widthPx, align, isCompact } = request;
  const rows: StackRow[] = [];
  let y = 0;
  let lineBreakScore = 1;
  const isLed = copy.headline !== undefined;
  // Under an enlarged headline the other texts keep the size that they have under a sentence.
  const leadPx = Math.min(headlinePx, scale.headlinePxMax);
  const subheadlinePx = Math.max(
    scale.subheadlinePxMin,
    roundedSize(leadPx * (isLed ? scale.subheadlineShare : 0.66)),
  );
  let headline: Measured | null = null;
  if (copy.headline !== undefined) {
    const measured = typesetter.measure(copy.headline, {
      voice: "headline",
      sizePx: headlinePx,
      lineHeight: headlinePx >= 30 ? 1.08 : 1.14,
      linesMax,
      widthPx: widthPx * narrowing,
      align,
    });
    if (measured === null) return null;
    headline = measured;
    lineBreakScore = scoreLineBreaks(measured.set.lines);
    rows.push({ topPx: y, content: { kind: "text", role: "headline", measured } });
    y += measured.heightPx;
  }
  if (copy.subheadline !== undefined) {
    const measured = typesetter.measure(copy.subheadline, {
      voice: "body",
      sizePx: subheadlinePx,
      lineHeight: 1.32,
      linesMax: linesMax + 2,
      widthPx,
      align,
    });
    if (measured === null) return null;
    if (headline !== null) {
      const gap = Math.max(leadPx * 0.6, subheadlinePx * 1.12) * tightness;
      const isSmall = isCompact || headlinePx < 24;
      // At least the descenders of the one, the accents of the other, and some space between their ink.
      y += Math.max(gap, reachOf(headline, measured) + subheadlinePx * (isSmall ? 0.26 : 0.4));
    }
    rows.push({ topPx: y, content: { kind: "text", role: "subheadline", measured } });
    y += measured.heightPx;
  }
  if (copy.cta !== undefined) {
    const size = fitButton(request, copy.cta, leadPx);
    if (size === null) return null;
    if (rows.length > 0) y += Math.max(leadPx * 0.78, size.height * 0.6) * tightness;
    rows.push({ topPx: y, content: { kind: "button", size } });
    y += size.height;
  }
  return {
    rows,
    heightPx: y,
    headlineSizeShare: isLed ? Math.min(1, headlinePx / scale.headlinePxMax) : 1,
    lineBreakScore,
  };
}

/** How far the upper text's ink hangs under its last baseline, and the lower one's rises over its capitals. */
function reachOf(upper: Measured, lower: Measured): number {
  const ink = upper.set.inkBox;
  const hanging = ink.y + ink.height - upper.capTopPx - upper.heightPx;
  return Math.max(0, hanging) + Math.max(0, lower.capTopPx - lower.set.inkBox.y);
}

/** The button's type follows the headline's, and shrinks alone when the words are wide. */
function fitButton(request: StackRequest, words: string, headlinePx: number): ButtonSize | null {
  const { scale, typesetter, widthPx, isCompact } = request;
  const wanted = Math.max(scale.ctaPxMin, Math.min(roundedSize(headlinePx * 0.37), scale.ctaPxMin * 2.1));
  for (const share of [1, 0.9, 0.8, 0.7, 0.6]) {
    const sizePx = Math.max(scale.ctaPxMin, roundedSize(wanted * share));
    const size = sizeButton(typesetter, words, sizePx, widthPx, isCompact);
    if (size !== null) return size;
  }
  return (
    sizeButton(typesetter, words, scale.ctaPxMin, widthPx, true) ??
    sizeButton(typesetter, words, scale.ctaPxMin, widthPx, true, 2)
  );
}

/** Rounds a type size: to half pixels under 20 px, to whole pixels above. */
function roundedSize(px: number): number {
  return px < 20 ? Math.round(px * 2) / 2 : Math.round(px);
}
