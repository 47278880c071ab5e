import { bestScored } from "#renderer/best-scored.ts";
import type { PlacedBadge, PlacedButton, PlacedText } from "../design/design.ts";
import { type Alignment, placeText } from "../design/place-elements.ts";
import { placeBadge } from "./badge-size.ts";
import { placeButton } from "./button.ts";
import { placePrice } from "./price-block.ts";
import { leadEnlargementOf } from "./short-headline-enlargement.ts";
import { type Stack, type StackRequest, type StackTrial, stackScore } from "./stack.ts";
import { roundedSize, stackAt } from "./stack-rows.ts";

/**
 * Sizes to try, largest first, relative to the usual largest headline. An enlarged headline first shrinks to that size
 * in steps of `ENLARGED_STEP`.
 */
const SHARES = [1, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62, 0.57, 0.52, 0.47, 0.42, 0.38, 0.34, 0.3, 0.26, 0.22];
const ENLARGED_STEP = 0.94;
/** Fraction of the headline's enlargement that is also applied to `shareMin`. */
const ENLARGEMENT_KEPT = 0.8;
const TIGHTENINGS = [
  { tightness: 1, shareMin: 0.57, isBroken: false },
  { tightness: 0.75, shareMin: 0.45, isBroken: false },
  { tightness: 0.9, shareMin: 0.4, isBroken: true },
  { tightness: 0.6, shareMin: 0, isBroken: true },
];

/**
 * The best setting of the text that fits: as large as possible, though up to 38 % smaller if its lines then break
 * better. Null if the text does not fit even at the smallest legible size.
 */
export function fitStack(request: StackRequest): Stack | null {
  const { headlinePxMin, headlineLinesPreferred, headlineLinesMax } = request.scale;
  const { headlinePxMax } = request.scale;
  const sizes: number[] = [];
  const enlargement = leadEnlargementOf(request.copy, request.scale);
  for (let times = enlargement; times > 1; times *= ENLARGED_STEP) {
    sizes.push(times);
  }
  sizes.push(...SHARES);
  // The headline shrinks to `shareMin` before the gaps are tightened.
  for (const { tightness, shareMin, isBroken } of TIGHTENINGS) {
    let previous = 0;
    let best: Stack | null = null;
    let largest = 0;
    for (const share of sizes) {
      const headlinePx = Math.max(headlinePxMin, roundedSize(headlinePxMax * share));
      if (
        share < shareMin * (1 + (enlargement - 1) * ENLARGEMENT_KEPT) ||
        share < largest * SMALLER_FOR_BREAKS_MIN
      )
        break;
      if (headlinePx === previous) continue;
      previous = headlinePx;
      const preferred = isBroken ? headlineLinesMax : headlineLinesPreferred;
      let isTooNarrow = false;
      for (const wrap of WRAPS) {
        if (isTooNarrow && !wrap.isBySentence) continue;
        const stack = lowEnough(request, { headlinePx, tightness, headlineLinesMax: preferred, ...wrap });
        if (stack === null) {
          isTooNarrow = true;
          continue;
        }
        if (best === null) largest = share;
        if (best === null || stackScore(stack) > stackScore(best)) best = stack;
        if (stack.lineBreakScore === 1) break;
      }
      // With a smaller headline, the price may become large enough to lead.
      if (best?.lineBreakScore === 1 && best.priceSizeShare === 1) break;
    }
    if (best !== null) return best;
  }
  return null;
}

/** The best stack at a trial's sizes within `heightPxMax`: with the button below the price, or beside it. */
function lowEnough(request: StackRequest, trial: Omit<StackTrial, "isButtonBesidePrice">): Stack | null {
  const { copy, heightPxMax } = request;
  const hasOffer = copy.headline !== undefined && copy.price !== undefined && copy.cta !== undefined;
  const stacks = (hasOffer ? [false, true] : [false]).flatMap((isButtonBesidePrice) => {
    const stack = stackAt(request, { ...trial, isButtonBesidePrice });
    return stack !== null && stack.heightPx <= heightPxMax ? [stack] : [];
  });
  return bestScored(stacks, stackScore);
}

/** Ways to break a headline: within a fraction of the width, or with a line for each sentence. */
const WRAPS = [
  ...[1, 0.8, 0.64].map((narrowing) => ({ narrowing, isBySentence: false })),
  { narrowing: 1, isBySentence: true },
];

/** A headline may shrink to this fraction of its size for better line breaks. */
const SMALLER_FOR_BREAKS_MIN = 0.62;

/** A placed stack. */
export interface PlacedStack {
  readonly texts: readonly PlacedText[];
  readonly button: PlacedButton | null;
  readonly badge: PlacedBadge | undefined;
}

/** Places a fitted stack with its top left at `left`, `top`. */
export function placeStack(
  stack: Stack,
  left: number,
  top: number,
  widthPx: number,
  align: Alignment,
): PlacedStack {
  const texts: PlacedText[] = [];
  let button: PlacedButton | null = null;
  let badge: PlacedBadge | undefined;
  const startOf = (width: number): number => (align === "start" ? left : left + (widthPx - width) / 2);
  for (const { topPx, content } of stack.rows) {
    const y = top + topPx;
    if (content.kind === "text") {
      texts.push(placeText(content.role, content.measured, left, widthPx, y, align));
    } else if (content.kind === "badge") {
      badge = placeBadge(content.size, startOf(content.size.width), y);
    } else if (content.kind === "price") {
      texts.push(...placePrice(content.block, left, y, widthPx, align));
    } else if (content.kind === "button") {
      button = placeButton(content.size, startOf(content.size.width), y);
    } else {
      const { block, size, gapPx, heightPx } = content;
      const x = startOf(block.widthPx + gapPx + size.width);
      const middle = y + heightPx / 2;
      texts.push(...placePrice(block, x, middle - block.heightPx / 2, block.widthPx, "start"));
      button = placeButton(size, x + block.widthPx + gapPx, middle - size.height / 2);
    }
  }
  return { texts, button, badge };
}
