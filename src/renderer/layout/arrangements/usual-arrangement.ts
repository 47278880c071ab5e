import { type Brief, type Design, headlineScore, isWordless, standsOnSurface } from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";
import { bestBrandArrangement } from "./brand-arrangements.ts";
import { fullBleed, isFullBleed } from "./full-bleed.ts";
import { overlay } from "./overlay.ts";
import { pictureOnly } from "./picture-only.ts";
import { productOnSurface } from "./product-on-surface.ts";
import { row } from "./row.ts";
import { split } from "./split.ts";
import { onTextCard, takesTextCard } from "./text-card.ts";

/** Whether pictures stand whole on a surface, rather than filling their places as photos do. */
export const takesProductOnSurface = (brief: Brief): boolean =>
  brief.family !== "scenery" && (standsOnSurface(brief) || brief.hasBackground || brief.family === "person");

/** The arrangement that a canvas of its shape, with such pictures, has first of all; null when the words do not fit. */
export function usualArrangement(brief: Brief): Design | null {
  // In a strip a logo would hide most of the photo: they stand side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  const isLogoAlone = brief.hero === null && isWordless(brief.copy);
  if (brief.family === "brand" || isLogoAlone) return bestBrandArrangement(brief);
  if (isWordless(brief.copy) && !isSignedStrip) return pictureOnly(brief);
  if (isRow(brief.shape)) return row(brief);
  if (takesProductOnSurface(brief)) return productOnSurface(brief);
  if (isFullBleed(brief)) return fullBleed(brief);
  if (takesTextCard(brief)) return onTextCard(brief) ?? overlay(brief);
  if (brief.shape === "leaderboard") return split(brief);
  return brief.shape === "landscape" ? splitOrOverlay(brief) : overlay(brief);
}

/** A headline with this score is large enough: no other arrangement is tried. */
const HEADLINE_SIZE_FAIR = 0.6;
const OVERLAY_GAIN_MIN = 1.35;

/** Words that are too long for a column are set across the foot of a dark photo instead. */
function splitOrOverlay(brief: Brief): Design | null {
  const beside = split(brief);
  const score = beside === null ? 0 : headlineScore(beside);
  if (score >= HEADLINE_SIZE_FAIR || !brief.isDark || brief.secondaryHero !== null) return beside;
  const across = overlay(brief);
  if (across === null) return beside;
  return headlineScore(across) > score * OVERLAY_GAIN_MIN ? across : beside;
}
