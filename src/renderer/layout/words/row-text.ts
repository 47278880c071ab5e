import type { Box } from "#renderer/types.ts";
import { ARROW, type Brief, type CopyBlock, headlineScore, type PlacedText } from "../design/design.ts";
import { measureDisclaimer, placeText } from "../design/place-elements.ts";
import type { Measured } from "../design/typesetter.ts";
import { type BadgeSize, placeBadge, sizeBadge } from "./badge-size.ts";
import { measurePrice, type PriceBlock, placePrice } from "./price-block.ts";
import { headlineEnlargementOf, sizeShareOf, withHeadlineAtMost } from "./short-headline-enlargement.ts";
import type { Stack } from "./stack.ts";
import { shifted } from "./text-panel.ts";
import { fitStack, placeStack } from "./text-stack.ts";

const DISCLAIMER = { lineHeight: 1.25, linesMax: 2, align: "start" } as const;

/** Placed text of a row. */
export type RowText = Pick<CopyBlock, "texts" | "badge" | "headlineSizeShare" | "lineBreakScore">;

/** Badge, headline, subheadline and disclaimer of a row, one below the other; null if they do not fit. */
function rowText(brief: Brief, region: Box): RowText | null {
  const { copy, scale, typesetter } = brief;
  const { headline, subheadline, disclaimer, badge } = copy;
  if ([headline, subheadline, disclaimer, badge].every((text) => text === undefined)) {
    return { texts: [], badge: undefined, headlineSizeShare: 1, lineBreakScore: 1 };
  }
  if (region.width < 20) return null;
  const note = measureDisclaimer(brief, { ...DISCLAIMER, widthPx: region.width });
  if (note === "does not fit") return null;
  // On a tall row, the text above the disclaimer is far larger, so its descenders need a wider gap.
  const disclaimerPx =
    note === null
      ? 0
      : note.heightPx +
        Math.max(scale.disclaimerPx * (brief.height >= HIGH_ROW_PX_MIN ? 1.9 : 1.2), brief.height * 0.045);
  const isDisclaimerAlone = [headline, subheadline, badge].every((text) => text === undefined);
  const inLines = (linesMax: number): Stack | null =>
    fitStack({
      copy: { headline, subheadline, badge },
      widthPx: region.width,
      heightPxMax: region.height - disclaimerPx,
      align: "start",
      scale: {
        ...scale,
        headlineLinesPreferred: Math.min(linesMax, scale.headlineLinesPreferred),
        headlineLinesMax: linesMax,
      },
      typesetter,
      isCompact: true,
    });
  const stack = isDisclaimerAlone ? null : inFewLines(brief, inLines);
  if (!isDisclaimerAlone && stack === null) return null;
  if (stack !== null && isCrowded(stack, note, brief)) return null;
  const stackPx = stack?.heightPx ?? 0;
  if (stackPx + disclaimerPx > region.height) return null;
  const top = region.y + (region.height - stackPx - disclaimerPx) / 2;
  const texts: PlacedText[] = [];
  const placed = stack === null ? null : placeStack(stack, region.x, top, region.width, "start");
  if (placed !== null) texts.push(...placed.texts);
  if (note !== null) {
    const noteTop = top + stackPx + disclaimerPx - note.heightPx;
    texts.push(placeText("disclaimer", note, region.x, region.width, noteTop, "start"));
  }
  return {
    texts,
    badge: placed?.badge,
    headlineSizeShare: stack?.headlineSizeShare ?? 1,
    lineBreakScore: stack?.lineBreakScore ?? 1,
  };
}

/**
 * In a strip, a headline of at most `charactersMax` characters is set on one line, if its size is then at least
 * `sizeShareMin` of the usual size.
 */
const ONE_LINE = { charactersMax: 14, sizeShareMin: 0.55 } as const;

/** In a tiny strip, other text is dropped before the headline is smaller than this fraction of the strip's height. */
const RICH_SIZE_SHARE_MIN = 0.22;

/** A row's text, with the headline on the fewest readable lines; other text is dropped before a third line. */
function inFewLines(
  { shape, copy, scale, height }: Brief,
  inLines: (linesMax: number) => Stack | null,
): Stack | null {
  const { headline = "", subheadline, badge, oldPrice, cta } = copy;
  const most = scale.headlineLinesMax;
  if (shape === "leaderboard") return inLines(most);
  const one = headline.length > 0 && headline.length <= ONE_LINE.charactersMax ? inLines(1) : null;
  if (one !== null && one.headlineSizeShare >= ONE_LINE.sizeShareMin) return one;
  const isRich = [subheadline, badge, oldPrice].some((text) => text !== undefined);
  const two = inLines(2);
  if (
    shape === "tiny_strip" &&
    isRich &&
    (two?.headlineSizeShare ?? 0) * scale.headlinePxMax < height * RICH_SIZE_SHARE_MIN
  )
    return null;
  return two ?? (isRich || (cta !== undefined && cta !== ARROW) ? null : inLines(most));
}

/**
 * Maximum size of other text in a strip, relative to the headline's. Larger text, with its several lines or its badge,
 * would draw the eye first.
 */
const OTHER_SHARE_MAX = { text: 0.7, badge: 0.8 } as const;
/** Maximum size of fine print in a short strip, relative to the headline's. */
const FINE_PRINT_SHARE_MAX = 0.55;

/** Minimum height, in pixels, of a row whose subheadline may have several lines. */
const PROSE_ROW_PX_MIN = 70;

function isCrowded({ rows }: Stack, note: Measured | null, { height }: Brief): boolean {
  let lead = 0;
  let others = 0;
  for (const { content } of rows) {
    const isProse = content.kind === "text" && content.role === "subheadline";
    if (isProse && height < PROSE_ROW_PX_MIN && content.measured.set.lines.length > 1) return true;
    if (content.kind === "text" && content.role === "headline") lead = content.measured.set.fontSizePx;
    else if (content.kind === "text" || content.kind === "badge") {
      const { set } = content.kind === "text" ? content.measured : content.size.measured;
      others = Math.max(others, set.fontSizePx / OTHER_SHARE_MAX[content.kind]);
    }
  }
  if (note !== null && height < HIGH_ROW_PX_MIN)
    others = Math.max(others, note.set.fontSizePx / FINE_PRINT_SHARE_MAX);
  return lead > 0 && others > lead;
}

const HIGH_ROW_PX_MIN = 100;

/**
 * Sizes of a row's price, relative to its largest headline. The price leads, but shrinks if the text needs the width.
 */
const PRICE_TIMES = [1.3, 1.15, 1, 0.86, 0.74, 0.64];
/** Sizes of a price relative to an enlarged headline, which already fills the height of the row. */
const ENLARGED_PRICE_TIMES = [1.1, 1, 0.86, 0.74, 0.64];
/** Without other text the price has the row to itself. */
const LONE_PRICE_TIMES = [1.6, ...PRICE_TIMES];
/** Maximum width of a price beside text, as a fraction of the row's text region. */
const PRICE_WIDTH_MAX = 0.5;
/** Weight of a price's size relative to the headline's score. */
const PRICE_WEIGHT = 0.4;

/** A row's text with its price at the end, beside the button; null if they do not fit. */
export function rowWords(brief: Brief, region: Box): RowText | null {
  const { headline, subheadline, disclaimer, badge, price } = brief.copy;
  if (price === undefined) return rowText(brief, region);
  const isAlone = [headline, subheadline, disclaimer, badge].every((text) => text === undefined);
  let best: RowText | null = null;
  let bestScore = 0;
  const { headlinePxMin, headlinePxMax } = brief.scale;
  for (const times of isAlone ? LONE_PRICE_TIMES : priceTimesBeside(brief)) {
    const sizePx = Math.round(Math.max(headlinePxMin, headlinePxMax * times) * 2) / 2;
    const words = isAlone ? lonePrice(brief, region, sizePx) : besidePrice(brief, region, sizePx);
    if (words === null) continue;
    const share = Math.min(1, sizePx / headlinePxMax);
    const score = headlineScore(words) * (1 - PRICE_WEIGHT + PRICE_WEIGHT * share);
    if (score > bestScore) [best, bestScore] = [words, score];
  }
  return best;
}

/** Sizes of a price beside a headline. A short headline is enlarged, so larger prices than usual are tried first. */
function priceTimesBeside({ copy, scale }: Brief): readonly number[] {
  const enlargement = headlineEnlargementOf(copy.headline, scale);
  const enlarged = ENLARGED_PRICE_TIMES.map((times) => times * enlargement);
  return [...enlarged.filter((times) => times > Math.max(...PRICE_TIMES)), ...PRICE_TIMES];
}

function lonePrice(brief: Brief, region: Box, sizePx: number): RowText | null {
  const block = lowPrice(brief, region, sizePx, region.width);
  if (block === null) return null;
  const top = region.y + (region.height - block.heightPx) / 2;
  return {
    texts: placePrice(block, region.x, top, region.width, "start"),
    badge: undefined,
    headlineSizeShare: Math.min(1, sizePx / brief.scale.headlinePxMax),
    lineBreakScore: 1,
  };
}

function besidePrice(brief: Brief, region: Box, sizePx: number): RowText | null {
  const block = lowPrice(brief, region, sizePx, region.width * PRICE_WIDTH_MAX);
  if (block === null) return null;
  const gap = Math.max(brief.scale.marginPx, Math.round(brief.height * 0.2));
  const left = region.x + region.width - block.widthPx;
  // No headline is larger than the price beside it.
  const { headline } = brief.copy;
  const scale = withHeadlineAtMost(brief.scale, headline, Math.floor(sizePx));
  const words = rowText({ ...brief, scale }, { ...region, width: left - gap - region.x });
  if (words === null) return null;
  const top = region.y + (region.height - block.heightPx) / 2;
  const headlinePx = words.texts.find(({ role }) => role === "headline")?.set.fontSizePx;
  const enlargement = headlineEnlargementOf(headline, brief.scale);
  const priced: readonly PlacedText[] = placePrice(block, left, top, block.widthPx, "start");
  return {
    ...words,
    texts: [...words.texts, ...priced],
    headlineSizeShare:
      headlinePx === undefined ? 1 : sizeShareOf(headlinePx, brief.scale.headlinePxMax, enlargement),
  };
}

/** A price no taller than the row, with its old price above it if there is room, else beside it. */
function lowPrice(
  { typesetter, copy }: Brief,
  region: Box,
  sizePx: number,
  widthMax: number,
): PriceBlock | null {
  for (const oldPriceAt of ["above", "beside"] as const) {
    const block = measurePrice(typesetter, copy, sizePx, widthMax, oldPriceAt);
    if (block !== null && block.heightPx <= region.height) return block;
  }
  return null;
}

/** Type size of a badge in a row, relative to the largest headline's. */
const BADGE_SHARE = 0.52;

/**
 * A badge no taller than a row; null if it does not fit. A pill replaces a circle or burst, which would be larger than
 * the button.
 */
export function badgeInRow({ copy, scale, typesetter, look }: Brief, content: Box): BadgeSize | null {
  if (copy.badge === undefined) return null;
  const shape = look.badge === "circle" || look.badge === "burst" ? "pill" : look.badge;
  const sizePx = Math.max(scale.subheadlinePxMin, Math.round(scale.headlinePxMax * BADGE_SHARE * 2) / 2);
  const size = sizeBadge(typesetter, copy.badge, sizePx, shape);
  const isFitting =
    size !== null && size.height <= content.height && size.width <= content.width * BADGE_WIDTH_MAX;
  return isFitting ? size : null;
}

/** Largest fraction of a row's width for a badge. */
const BADGE_WIDTH_MAX = 0.24;
const HEADLINE_LINES_MAX = 2;
/** Maximum type size of a badge, relative to the headline's: a larger badge draws the eye first. */
const HEADLINE_SHARE_MAX = 0.7;

/** A row's text followed by its badge. A badge beside the button would look like another button. */
export function wordsAndBadge(brief: Brief, region: Box, badge: BadgeSize, gap: number): RowText | null {
  const taken = badge.width + gap;
  const unbadged: Brief = { ...brief, copy: { ...brief.copy, badge: undefined } };
  const words = rowWords(unbadged, { ...region, width: region.width - taken });
  if (words === null) return null;
  // The badge is dropped if the headline beside it is too small or has three lines.
  const lead = words.texts.find(({ role }) => role === "headline")?.set;
  const isOutdone =
    lead !== undefined && badge.measured.set.fontSizePx > lead.fontSizePx * HEADLINE_SHARE_MAX;
  if (isOutdone || (lead?.lines.length ?? 1) > HEADLINE_LINES_MAX) return null;
  const isPrice = ({ role }: PlacedText): boolean => role === "price" || role === "old_price";
  const read = words.texts.filter((text) => !isPrice(text));
  const priced = shifted(
    { ...words, logo: null, button: null, texts: words.texts.filter(isPrice) },
    Math.round(taken),
  );
  const end = Math.max(region.x, ...read.map(({ ink }) => ink.x + ink.width));
  const placed = placeBadge(badge, end + gap, region.y + (region.height - badge.height) / 2);
  return { ...words, texts: [...read, ...priced.texts], badge: placed };
}
