import type { Box } from "#renderer/types.ts";
import { type Brief, headlineScore, type PlacedText } from "../design/design.ts";
import { measurePrice, type PriceBlock, placePrice } from "./price-block.ts";
import { type RowText, rowText } from "./row-text.ts";

/** Sizes of a row's price, as factors of its largest headline: it leads, and gives way where the words need the width. */
const PRICE_TIMES = [1.3, 1.15, 1, 0.86, 0.74, 0.64];
/** Without other words the price has the row to itself. */
const LONE_PRICE_TIMES = [1.6, ...PRICE_TIMES];
/** Share of the words' width that a price may take beside them. */
const PRICE_WIDTH_MAX = 0.5;
/** How much of a price's size counts beside the headline's score. */
const PRICE_WEIGHT = 0.4;

/** A row's words, and its price at their end, beside the button; null when they do not fit. */
export function rowWords(brief: Brief, region: Box): RowText | null {
  const { headline, subheadline, disclaimer, badge, price } = brief.copy;
  if (price === undefined) return rowText(brief, region);
  const isAlone = [headline, subheadline, disclaimer, badge].every((text) => text === undefined);
  let best: RowText | null = null;
  let bestScore = 0;
  for (const times of isAlone ? LONE_PRICE_TIMES : PRICE_TIMES) {
    const sizePx = Math.round(Math.max(brief.scale.headlinePxMin, brief.scale.headlinePxMax * times) * 2) / 2;
    const words = isAlone ? lonePrice(brief, region, sizePx) : besidePrice(brief, region, sizePx);
    if (words === null) continue;
    const share = Math.min(1, sizePx / brief.scale.headlinePxMax);
    const score = headlineScore(words) * (1 - PRICE_WEIGHT + PRICE_WEIGHT * share);
    if (score > bestScore) [best, bestScore] = [words, score];
  }
  return best;
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
  const scale = { ...brief.scale, headlinePxMax: Math.min(brief.scale.headlinePxMax, sizePx) };
  const words = rowText({ ...brief, scale }, { ...region, width: left - gap - region.x });
  if (words === null) return null;
  const top = region.y + (region.height - block.heightPx) / 2;
  const share = scale.headlinePxMax / brief.scale.headlinePxMax;
  const priced: readonly PlacedText[] = placePrice(block, left, top, block.widthPx, "start");
  return {
    ...words,
    texts: [...words.texts, ...priced],
    headlineSizeShare: words.headlineSizeShare * share,
  };
}

/** A price that is as low as the row: its old price over it where there is height, else beside it. */
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
