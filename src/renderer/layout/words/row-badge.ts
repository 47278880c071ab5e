import type { Box } from "#renderer/types.ts";
import type { Brief, PlacedText } from "../design/design.ts";
import { type BadgeSize, placeBadge, sizeBadge } from "./badge-size.ts";
import type { RowText } from "./row-text.ts";
import { rowWords } from "./row-words.ts";
import { shifted } from "./text-panel.ts";

/** A badge's type in a row, as a share of the largest headline's. */
const BADGE_SHARE = 0.52;

/** A badge as low as a row; null when it is too wide. Round ones would be larger than the button. */
export function badgeInRow({ copy, scale, typesetter, look }: Brief, content: Box): BadgeSize | null {
  if (copy.badge === undefined) return null;
  const shape = look.badge === "circle" || look.badge === "burst" ? "pill" : look.badge;
  const sizePx = Math.max(scale.subheadlinePxMin, Math.round(scale.headlinePxMax * BADGE_SHARE * 2) / 2);
  const size = sizeBadge(typesetter, copy.badge, sizePx, shape);
  const isFitting =
    size !== null && size.height <= content.height && size.width <= content.width * BADGE_WIDTH_MAX;
  return isFitting ? size : null;
}

/** Share of a row's width that a badge may take. */
const BADGE_WIDTH_MAX = 0.24;
const HEADLINE_LINES_MAX = 2;
/** A badge's type beside the headline's: larger it is read first. */
const HEADLINE_SHARE_MAX = 0.7;

/** A row's words with a badge after the last of them: beside the button it would look like another one. */
export function wordsAndBadge(brief: Brief, region: Box, badge: BadgeSize, gap: number): RowText | null {
  const taken = badge.width + gap;
  const unbadged: Brief = { ...brief, copy: { ...brief.copy, badge: undefined } };
  const words = rowWords(unbadged, { ...region, width: region.width - taken });
  if (words === null) return null;
  // A headline that has to be stacked beside its badge loses more than the badge says.
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
