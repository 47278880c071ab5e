import type { Box, Copy } from "#renderer/types.ts";
import { inset, symmetric } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, boxesOf, type Design, evenScrim } from "../design/design.ts";
import { reachOf, standInRegion } from "../pictures/place-pictures.ts";
import { fitPanel } from "../words/text-panel.ts";

/** Shares of the height that logo and headline may take, and of the width that the offer under them does. */
const HEAD_SHARES = [0.3, 0.38, 0.46];
const OFFER_SHARES = [0.38, 0.46, 0.54];
/** On a canvas taller than this a wider product takes the whole width. */
const TALL_MIN = 1.6;
const SLIM_ASPECT_MAX = 0.9;
const LONG_ASPECT_MIN = 1.35;
/** The least width of an offer, in margins. */
const OFFER_MARGINS_MIN = 3;

/** On a background words need little tint. */
export const OPACITY_OVER_BACKGROUND = 0.36;

/** Between a story's words and the ends of its safe area, in margins: what is reserved is air enough. */
export const STORY_AIR = 0.3;

/**
 * Headline above, the product in the lower end corner, the offer and its button in the other: the product may be far
 * larger than under words of the whole width, and may reach over the canvas edge.
 */
export function productInCorner(brief: Brief): readonly Design[] {
  const { copy, hero, shape, family } = brief;
  if (shape === "leaderboard" || shape === "skyscraper" || shape === "story" || hasSmallSafeArea(brief))
    return [];
  if (copy.headline === undefined || (copy.price ?? copy.cta) === undefined) return [];
  if (hero === null || !hero.isCutOut || brief.secondaryHero !== null || family !== "product") return [];
  const isTall = brief.height > brief.width * TALL_MIN;
  if (isTall && hero.aspect > SLIM_ASPECT_MAX) return [];
  return HEAD_SHARES.flatMap((head) => OFFER_SHARES.flatMap((offer) => cornersWith(brief, head, offer)));
}

/** With the product beside the offer, and a wide one over it. */
function cornersWith(brief: Brief, headShare: number, offerShare: number): readonly Design[] {
  const { width, height, scale, safe, copy } = brief;
  const m = scale.marginPx;
  const isCentred = brief.look.layout.align === "center";
  const content = inset(isCentred ? symmetric(safe, width) : safe, m, m);
  const { language, badge, headline, subheadline, price, oldPrice, cta, disclaimer } = copy;
  const panelOf = (own: Copy, region: Box, stand: "top" | "bottom") =>
    fitPanel(
      { ...brief, copy: { ...own, language } },
      { region, stand, align: "start", fillMax: 1, logoAt: stand === "top" ? "head" : "none" },
    );
  const head = panelOf(
    { headline, badge, subheadline },
    { ...content, height: content.height * headShare },
    "top",
  );
  if (head === null) return [];
  const top = head.bottom + m * 0.8;
  const lower = { ...content, y: top, height: content.y + content.height - top };
  const offerWidth = content.width * offerShare;
  if (offerWidth < m * OFFER_MARGINS_MIN || lower.height < height * 0.22) return [];
  const offer = panelOf({ price, oldPrice, cta, disclaimer }, { ...lower, width: offerWidth }, "bottom");
  // Beside a product a button of two lines looks like a box.
  if (offer === null || (offer.button?.text?.set.lines.length ?? 1) > 1) return [];
  const offerEnd = Math.max(...boxesOf(offer).map((box) => box.x + box.width));
  const start = Math.min(offerEnd, content.x + offerWidth) + m * 0.7;
  // A picture may continue below the safe area, words may not.
  const foot = height - Math.max(m, (height - safe.y - safe.height) * 0.45);
  const end = width - (reachOf(brief) > 1 ? 0 : m * 0.6);
  // Beside a short line of the headline the product may rise.
  const roofFrom = (left: number): number =>
    Math.max(
      content.y,
      ...boxesOf(head)
        .filter((box) => box.x + box.width > left - m * 0.7)
        .map((box) => box.y + box.height + m * 0.6),
    );
  const roof = roofFrom(start);
  const beside: Box = { x: start, y: roof, width: end - start, height: foot - roof };
  const over: Box = {
    ...beside,
    x: content.x,
    y: top,
    width: end - content.x,
    height: offer.top - m * 0.6 - top,
  };
  const isLong = brief.hero !== null && brief.hero.aspect > LONG_ASPECT_MIN;
  return (isLong && reachOf(brief) > 1 ? [beside, over] : [beside]).map((region) => ({
    surface: "lit",
    pictures: standInRegion(brief, region, scale.cornerRadiusPx * 1.6),
    scrims: brief.hasBackground ? [evenScrim(brief, OPACITY_OVER_BACKGROUND)] : [],
    scrimsOver: "background",
    ...head,
    texts: [...head.texts, ...offer.texts],
    button: offer.button,
  }));
}
