import type { Box, Copy } from "#renderer/types.ts";
import { inset, isOverlapping, symmetric } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, boxesOf, type Design } from "../design/design.ts";
import { standInRegion } from "../pictures/place-pictures.ts";
import { fitPanel } from "../words/text-panel.ts";

/** Shares of the height that logo and headline may take, and of the width that the offer under them does. */
const HEAD_SHARES = [0.3, 0.38, 0.46];
const OFFER_SHARES = [0.38, 0.46, 0.54];
/** The fewest columns of a price or button: narrower ones break them. */
const OFFER_MARGINS_MIN = 3;

/**
 * Headline above, the product in the lower end corner, the offer and its button in the other: the product may be far
 * larger than under words of the whole width, and may reach over the canvas edge.
 */
export function productInCorner(brief: Brief): readonly Design[] {
  const { copy, hero, shape, family } = brief;
  if (shape === "leaderboard" || shape === "skyscraper" || hasSmallSafeArea(brief)) return [];
  if (copy.headline === undefined || (copy.price ?? copy.cta) === undefined) return [];
  if (hero === null || !hero.isCutOut || brief.secondaryHero !== null || family === "person") return [];
  return HEAD_SHARES.flatMap((head) =>
    OFFER_SHARES.flatMap((offer) => {
      const design = cornerWith(brief, head, offer);
      return design === null ? [] : [design];
    }),
  );
}

function cornerWith(brief: Brief, headShare: number, offerShare: number): Design | null {
  const { width, height, scale, safe, copy, family } = brief;
  const m = scale.marginPx;
  const content = inset(brief.look.layout.align === "center" ? symmetric(safe, width) : safe, m, m);
  const { language, badge, headline, subheadline, price, oldPrice, cta, disclaimer } = copy;
  const panelOf = (own: Copy, region: Box, stand: "top" | "bottom") =>
    fitPanel(
      { ...brief, copy: { ...own, language } },
      { region, stand, align: "start", fillMax: 1, logoAt: stand === "top" ? "head" : "none" },
    );
  const head = panelOf(
    { headline, subheadline, badge },
    { ...content, height: content.height * headShare },
    "top",
  );
  if (head === null) return null;
  const top = head.bottom + m * 0.8;
  const lower = { ...content, y: top, height: content.y + content.height - top };
  const offerWidth = content.width * offerShare;
  if (offerWidth < m * OFFER_MARGINS_MIN || lower.height < height * 0.22) return null;
  const offer = panelOf({ price, oldPrice, cta, disclaimer }, { ...lower, width: offerWidth }, "bottom");
  // Beside a product a button of two lines looks like a box.
  if (offer === null || (offer.button?.text.set.lines.length ?? 1) > 1) return null;
  const offerEnd = Math.max(...boxesOf(offer).map((box) => box.x + box.width));
  const start = Math.min(offerEnd, content.x + offerWidth) + m * 0.7;
  // A picture may continue below the safe area, words may not; a device is cut by the canvas edge.
  const foot = family === "device" ? height : height - Math.max(m, (height - safe.y - safe.height) * 0.45);
  const across = { x: start, width: width - start };
  // Beside a short line of the headline the product may rise.
  const above = boxesOf(head).filter((box) =>
    isOverlapping({ ...inset(box, -m * 0.7, 0), y: 0, height: 1 }, { ...across, y: 0, height: 1 }),
  );
  const roof = Math.max(content.y, ...above.map((box) => box.y + box.height + m * 0.6));
  const region = { ...across, y: roof, height: foot - roof };
  return {
    surface: "lit",
    pictures: standInRegion(brief, region, scale.cornerRadiusPx * 1.6),
    scrims: [],
    scrimsOver: "background",
    ...head,
    texts: [...head.texts, ...offer.texts],
    button: offer.button,
  };
}
