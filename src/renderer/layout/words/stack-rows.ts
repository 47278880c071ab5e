import { type Measured, reachOf, type Typesetter } from "../design/typesetter.ts";
import { sizeBadge } from "./badge-size.ts";
import { type ButtonSize, sizeButton } from "./button.ts";
import { bySentence, hyphenatedLines, scoreLineBreaks } from "./line-break-score.ts";
import { isLongPrice, measurePrice, type PriceBlock } from "./price-block.ts";
import { leadEnlargementOf, sizeShareOf } from "./short-headline-enlargement.ts";
import type { Stack, StackRequest, StackRow, StackTrial } from "./stack.ts";

/** Maximum number of hyphenated lines: more make a headline hard to read. */
const HYPHENATED_LINES_MAX = 2;

/** A headline smaller than this, relative to its subheadline, does not stand out. */
const HEADLINE_TIMES_MIN = 1.25;

/** Sets a stack at exact sizes; null if something is wider than the stack. */
export function stackAt(request: StackRequest, trial: StackTrial): Stack | null {
  const { copy, scale, typesetter, widthPx, align, isCompact } = request;
  const { headlinePx, tightness, headlineLinesMax, narrowing } = trial;
  const rows: StackRow[] = [];
  let y = 0;
  let lineBreakScore = 1;
  // Without a headline, the price takes the headline's place.
  const hasHeadlineOrPrice = copy.headline !== undefined || copy.price !== undefined;
  // Under an enlarged headline the other text keeps its usual size.
  const leadPx = Math.min(headlinePx, scale.headlinePxMax);
  const subheadlinePx = Math.max(
    scale.subheadlinePxMin,
    roundedSize(
      leadPx *
        (hasHeadlineOrPrice ? scale.subheadlineShare * quietTimesOf(typesetter) : scale.loneSubheadlineShare),
    ),
  );
  const isRanked = copy.headline === undefined || copy.subheadline === undefined;
  if (!isRanked && headlinePx < subheadlinePx * HEADLINE_TIMES_MIN) return null;
  if (copy.badge !== undefined) {
    const sizePx = Math.max(
      scale.subheadlinePxMin,
      roundedSize(leadPx * (copy.headline === undefined ? PRICE_BADGE_SHARE : BADGE_SHARE)),
    );
    // Above a headline a circle would look isolated.
    const { badge: shape } = typesetter.look;
    const flat = shape === "circle" || shape === "burst" ? "pill" : shape;
    const size = sizeBadge(typesetter, copy.badge, sizePx, flat);
    if (size === null || size.width > widthPx) return null;
    rows.push({ topPx: y, content: { kind: "badge", size } });
    y += size.height + (hasMore(copy) ? leadPx * 0.5 * tightness + 2 : 0);
  }
  let lead: Measured | null = null;
  if (copy.headline !== undefined) {
    const words = trial.isBySentence ? bySentence(copy.headline) : copy.headline;
    if (words === null) return null;
    const measured = typesetter.measure(words, {
      voice: "headline",
      sizePx: headlinePx,
      lineHeight: headlinePx >= 30 ? 1.08 : 1.14,
      linesMax: headlineLinesMax,
      widthPx: widthPx * narrowing,
      align,
      keepsWords: narrowing < 1,
    });
    if (measured === null) return null;
    if (hyphenatedLines(measured.set.lines) > HYPHENATED_LINES_MAX) return null;
    lead = measured;
    lineBreakScore = scoreLineBreaks(measured.set.lines);
    rows.push({ topPx: y, content: { kind: "text", role: "headline", measured } });
    y += measured.heightPx;
  } else if (copy.price !== undefined) {
    const block = measurePrice(typesetter, copy, headlinePx, widthPx);
    if (block === null) return null;
    lead = block.price;
    rows.push({ topPx: y, content: { kind: "price", block } });
    y += block.heightPx;
  }
  if (copy.subheadline !== undefined) {
    const measured = typesetter.measure(copy.subheadline, {
      voice: "body",
      sizePx: subheadlinePx,
      lineHeight: 1.32,
      linesMax: headlineLinesMax + 2,
      widthPx,
      align,
    });
    if (measured === null) return null;
    if (lead !== null) {
      const gap = Math.max(leadPx * 0.6, subheadlinePx * 1.12) * tightness;
      const isSmall = isCompact || headlinePx < 24;
      // The gap is at least the headline's descenders and the subheadline's accents, with some space between.
      y += Math.max(gap, reachOf(lead, measured) + subheadlinePx * (isSmall ? 0.6 : 0.8));
    }
    rows.push({ topPx: y, content: { kind: "text", role: "subheadline", measured } });
    y += measured.heightPx;
  }
  const offered = offerRows(request, trial, leadPx);
  if (offered === null) return null;
  for (const { content, gapPx, heightPx } of offered) {
    if (rows.length > 0) y += gapPx;
    rows.push({ topPx: y, content });
    y += heightPx;
  }
  return {
    rows,
    heightPx: y,
    headlineSizeShare: hasHeadlineOrPrice
      ? sizeShareOf(headlinePx, scale.headlinePxMax, leadEnlargementOf(copy, scale))
      : 1,
    lineBreakScore,
    priceSizeShare: copy.headline === undefined ? 1 : priceSizeShareOf(rows, request),
  };
}

/**
 * Minimum width of a column with price and old price on one line, in pixels. In a narrower column they would be too
 * small.
 */
const BESIDE_WIDTH_MIN = 140;
/** Factor of the score for an old price above its price in a wider column: two lines split the offer. */
const OLD_PRICE_ABOVE_WORTH = 0.5;

function priceSizeShareOf(rows: readonly StackRow[], { scale, widthPx }: StackRequest): number {
  for (const { content } of rows) {
    if (content.kind !== "price" && content.kind !== "offer") continue;
    const { price, oldPriceAt } = content.block;
    const isApart = oldPriceAt === "above" && widthPx >= BESIDE_WIDTH_MIN;
    const share = Math.min(1, price.set.fontSizePx / (scale.headlinePxMax * Math.max(...PRICE_TIMES)));
    return share * (isApart ? OLD_PRICE_ABOVE_WORTH : 1);
  }
  return 1;
}

/** Under a headline of the same weight the subheadline is smaller, so that the headline still leads. */
const SINGLE_WEIGHT_TIMES = 0.82;
const quietTimesOf = ({ isSingleWeight }: Typesetter): number => (isSingleWeight ? SINGLE_WEIGHT_TIMES : 1);

/** Type size of a badge above a headline, relative to the headline's. */
const BADGE_SHARE = 0.44;
/**
 * Type size of a badge above a price without a headline, relative to the price's. Such a price is far larger than a
 * headline.
 */
const PRICE_BADGE_SHARE = 0.24;

const hasMore = ({ headline, subheadline, cta, price }: StackRequest["copy"]): boolean =>
  [headline, subheadline, cta, price].some((text) => text !== undefined);

interface Offered {
  readonly content: StackRow["content"];
  /** Gap above the row. */
  readonly gapPx: number;
  readonly heightPx: number;
}

/** The price below a headline, and the button below or beside the price; null if one of them is too wide. */
function offerRows(request: StackRequest, trial: StackTrial, leadPx: number): readonly Offered[] | null {
  const { copy, widthPx } = request;
  const { tightness } = trial;
  const size =
    copy.cta === undefined ? null : fitButton(request, copy.cta, leadPx * buttonShareOf(trial, copy));
  if (copy.cta !== undefined && size === null) return null;
  const buttonRow = (button: ButtonSize): Offered => ({
    content: { kind: "button", size: button },
    // The button's height limits the gap, so that an enlarged headline does not push its button away.
    gapPx: Math.max(
      Math.min(leadPx * 0.78, button.height * 0.9) * tightness,
      button.height * (0.2 + 0.4 * tightness),
    ),
    heightPx: button.height,
  });
  if (copy.price === undefined || copy.headline === undefined) {
    return size === null ? [] : [buttonRow(size)];
  }
  const gapPx = size === null || !trial.isButtonBesidePrice ? 0 : Math.round(size.height * 0.6);
  const taken = gapPx === 0 ? 0 : (size?.width ?? 0) + gapPx;
  const block = priceUnderHeadline(request, trial.headlinePx, leadPx, widthPx - taken);
  if (block === null) return null;
  const priceGapPx = Math.max(leadPx * 0.72, block.price.set.fontSizePx * 0.5) * tightness;
  if (size === null || gapPx === 0) {
    const price = { content: { kind: "price", block }, gapPx: priceGapPx, heightPx: block.heightPx } as const;
    return size === null ? [price] : [price, buttonRow(size)];
  }
  const heightPx = Math.max(block.heightPx, size.height);
  return [{ content: { kind: "offer", block, size, gapPx, heightPx }, gapPx: priceGapPx, heightPx }];
}

/** Sizes of a price under a headline, relative to the headline's: the price leads. */
const PRICE_TIMES = [1.6, 1.45, 1.3, 1.15, 1];
const LONG_PRICE_TIMES = [...PRICE_TIMES, 0.85, 0.7, 0.6];

function priceUnderHeadline(
  { copy, typesetter, scale }: StackRequest,
  headlinePx: number,
  leadPx: number,
  widthMax: number,
): PriceBlock | null {
  const isLong = isLongPrice(copy.price);
  const usual = isLong ? LONG_PRICE_TIMES : PRICE_TIMES;
  const { priceTimes } = typesetter.look.type;
  let previous = 0;
  // Looks with large prices also try the usual sizes, for columns too narrow for the large ones.
  for (const times of priceTimes === 1 ? usual : [...usual.map((one) => one * priceTimes), ...usual]) {
    const least = isLong ? scale.subheadlinePxMin : headlinePx;
    const sizePx = Math.max(least, roundedSize(leadPx * times));
    if (sizePx === previous) continue;
    previous = sizePx;
    const block = measurePrice(typesetter, copy, sizePx, widthMax);
    if (block !== null) return block;
  }
  return null;
}

/**
 * Type size of a button, relative to the headline's. It is larger with a price, because the button is then part of the
 * offer.
 */
const buttonShareOf = ({ isButtonBesidePrice }: StackTrial, { price }: StackRequest["copy"]): number =>
  price === undefined ? 0.37 : isButtonBesidePrice ? 0.5 : 0.42;

/** Height in em of a button as wide as its column, and the factor of its minimum type size. */
const WIDE_HEIGHT_EM = 2.7;
const WIDE_TYPE_TIMES = 1.2;

/** A button whose type size follows the headline's, and shrinks further if its text is too wide. */
function fitButton(request: StackRequest, words: string, sizePx: number): ButtonSize | null {
  const { scale, typesetter, widthPx, isCompact } = request;
  const isWide = request.isButtonWide === true && typesetter.look.button.shape !== "rule";
  const least = scale.ctaPxMin * (isWide ? WIDE_TYPE_TIMES : 1);
  const wanted = Math.max(least, Math.min(roundedSize(sizePx), scale.ctaPxMin * scale.ctaTimesMax));
  for (const share of [1, 0.9, 0.8, 0.7, 0.6]) {
    const sizePx = Math.max(scale.ctaPxMin, roundedSize(wanted * share));
    const size = sizeButton(typesetter, words, sizePx, widthPx, isCompact);
    if (size === null) continue;
    return isWide ? { ...size, width: widthPx, height: Math.round(size.sizePx * WIDE_HEIGHT_EM) } : size;
  }
  return (
    sizeButton(typesetter, words, scale.ctaPxMin, widthPx, true) ??
    sizeButton(typesetter, words, scale.ctaPxMin, widthPx, true, 2)
  );
}

/** Rounds a type size: to half pixels under 20 px, to whole pixels above. */
export function roundedSize(px: number): number {
  return px < 20 ? Math.round(px * 2) / 2 : Math.round(px);
}
