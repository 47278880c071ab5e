import { bestScored } from "#renderer/best-scored.ts";
import type { Box, Copy } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import { type Brief, boxesOf, type Design, headlineScore } from "../design/design.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { showsProtectedAreas } from "../pictures/protected-area-damage.ts";
import { fitPanel } from "../words/text-panel.ts";

/** Shares of the height that logo and headline may take, and of the width that the words beside the photo do. */
const HEAD_SHARES = [0.3, 0.38, 0.46, 0.54];
const OFFER_SHARES = [0.4, 0.46, 0.52, 0.58];
/** A photo under this share of the canvas is a stamp. */
const PHOTO_SHARE_MIN = 0.2;
/** A headline counts beside this when the shelves are compared. */
const HEADLINE_FLOOR = 0.25;

/**
 * Logo and headline over the whole width, under them the other words beside the photo, which stands in the canvas's corner.
 * For a close-up on a small canvas: in a column of the whole height it would need more width than the words leave, and under
 * words of the whole width more height. Null where the words do not fit, or the photo cannot show all protected areas.
 */
export function photoShelf(brief: Brief): Design | null {
  const { hero, secondaryHero, copy } = brief;
  if (hero === null || secondaryHero !== null || copy.headline === undefined) return null;
  const shelves = HEAD_SHARES.flatMap((head) =>
    OFFER_SHARES.flatMap((offer) => shelfWith(brief, head, offer)),
  );
  return bestScored(shelves, ({ worth }) => worth)?.design ?? null;
}

interface Shelf {
  readonly design: Design;
  readonly worth: number;
}

function shelfWith(brief: Brief, headShare: number, offerShare: number): readonly Shelf[] {
  const { width, height, scale, safe, copy } = brief;
  const m = scale.marginPx;
  const content = inset(safe, m, m);
  const { language, badge, headline, subheadline, price, oldPrice, cta, disclaimer } = copy;
  const panelOf = (own: Copy, region: Box, stand: "top" | "middle", hasLogo: boolean) =>
    fitPanel(
      {
        ...brief,
        copy: { ...own, language },
        // The prose beside the photo goes on from the headline over it.
        scale: { ...scale, loneSubheadlineShare: scale.subheadlineShare },
      },
      { region, stand, align: "start", fillMax: 1, logoAt: hasLogo ? "head" : "none" },
    );
  // A price leads beside the photo: prose stands under the headline then.
  const lead = price === undefined ? { headline, badge } : { headline, badge, subheadline };
  const beside =
    price === undefined ? { subheadline, cta, disclaimer } : { price, oldPrice, cta, disclaimer };
  const head = panelOf(lead, { ...content, height: content.height * headShare }, "top", true);
  if (head === null) return [];
  const top = Math.round(head.bottom + m);
  const left = {
    ...content,
    y: top,
    width: content.width * offerShare,
    height: content.y + content.height - top,
  };
  const offer = panelOf(beside, left, "middle", false);
  // Beside a photo a button of two lines looks like a box.
  if (offer === null || (offer.button?.text?.set.lines.length ?? 1) > 1) return [];
  if (boxesOf(offer).length === 0) return [];
  const start = Math.round(left.x + left.width + m);
  const room = { x: start, y: top, width: width - start, height: height - top };
  const shown = (room.width * room.height) / (width * height);
  if (shown < PHOTO_SHARE_MIN) return [];
  const pictures = coverRegion(brief, room);
  if (!showsProtectedAreas(brief, pictures)) return [];
  const design: Design = {
    surface: "flat",
    pictures,
    scrims: [],
    scrimsOver: "pictures",
    ...head,
    texts: [...head.texts, ...offer.texts],
    button: offer.button,
  };
  return [{ design, worth: (HEADLINE_FLOOR + headlineScore(head)) * Math.sqrt(shown) }];
}
