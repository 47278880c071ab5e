import type { Box, Copy } from "#renderer/types.ts";
import { inset, symmetric } from "../design/boxes.ts";
import type { Brief, Design } from "../design/design.ts";
import { standInRegion } from "../pictures/place-pictures.ts";
import { fitPanel } from "../words/text-panel.ts";

/** Shares of the height that logo, headline and subheadline may take, and of the width that the offer does. */
const HEAD_SHARES = [0.3, 0.38, 0.46];
const OFFER_SHARES = [0.44, 0.52];
/** A wider product fills an upright canvas under its words. */
const SLIM_ASPECT_MAX = 0.72;

/**
 * An upright canvas with a slim product: headline above, the price and its button beside the product. Under words of the
 * whole width it would be small, with a void on both sides.
 */
export function productBesidePrice(brief: Brief): readonly Design[] {
  const { copy, hero, shape } = brief;
  if (shape !== "portrait" && shape !== "story") return [];
  if (copy.headline === undefined || copy.price === undefined || brief.hasBackground) return [];
  if (hero === null || !hero.isCutOut || brief.secondaryHero !== null || brief.family === "person") return [];
  if (hero.aspect > SLIM_ASPECT_MAX) return [];
  return HEAD_SHARES.flatMap((head) =>
    OFFER_SHARES.flatMap((offer) => {
      const design = shelfWith(brief, head, offer);
      return design === null ? [] : [design];
    }),
  );
}

function shelfWith(brief: Brief, headShare: number, offerShare: number): Design | null {
  const { width, height, scale, safe, copy } = brief;
  const m = scale.marginPx;
  const content = inset(brief.look.layout.align === "center" ? symmetric(safe, width) : safe, m, m);
  const { language, badge, headline, subheadline, price, oldPrice, cta, disclaimer } = copy;
  const panelOf = (own: Copy, region: Box, stand: "top" | "middle" | "bottom", hasLogo: boolean) =>
    fitPanel(
      { ...brief, copy: { ...own, language } },
      { region, stand, align: "start", fillMax: 1, logoAt: hasLogo ? "head" : "none" },
    );
  const headRegion = { ...content, height: content.height * headShare };
  const head = panelOf({ headline, subheadline, badge }, headRegion, "top", true);
  if (head === null) return null;
  const note = disclaimer === undefined ? null : panelOf({ disclaimer }, content, "bottom", false);
  if (disclaimer !== undefined && note === null) return null;
  const top = head.bottom + m * 1.2;
  const end = content.y + content.height;
  const free = { ...content, y: top, height: (note === null ? end : note.top - m) - top };
  if (free.height < height * 0.22) return null;
  const offerRegion = { ...free, width: free.width * offerShare };
  const offer = panelOf({ price, oldPrice, cta }, offerRegion, "middle", false);
  // Beside a product a button of two lines looks like a box.
  if (offer === null || (offer.button?.text?.set.lines.length ?? 1) > 1) return null;
  const start = offerRegion.x + offerRegion.width + m * 0.6;
  // A picture may continue below the safe area, words may not.
  const footPx = Math.max(m, (height - safe.y - safe.height) * 0.4);
  const bottom = note === null ? height - footPx : note.top - m;
  const region = { x: start, y: top, width: content.x + content.width - start, height: bottom - top };
  return {
    surface: "lit",
    pictures: standInRegion(brief, region, scale.cornerRadiusPx * 1.6),
    scrims: [],
    scrimsOver: "background",
    ...head,
    texts: [...head.texts, ...offer.texts, ...(note?.texts ?? [])],
    button: offer.button,
  };
}
