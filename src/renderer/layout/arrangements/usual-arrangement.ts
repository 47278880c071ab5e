import { inset } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, type Design, headlineScore, isWordless, standsOnSurface } from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";
import { shifted } from "../words/text-panel.ts";
import { centred } from "./centred.ts";
import { photoPanel } from "./photo-panels.ts";
import { pictureOnly } from "./picture-only.ts";
import { productOnSurface } from "./product-on-surface.ts";
import { row } from "./row.ts";
import { duoStory, storyPanel } from "./story.ts";

/** Whether pictures stand whole on a surface, rather than filling their places as photos do. */
export const takesProductOnSurface = (brief: Brief): boolean =>
  brief.family !== "scenery" && (standsOnSurface(brief) || brief.hasBackground || brief.family === "person");

/** The arrangement that a canvas of its shape, with such pictures, has first of all; null when the words do not fit. */
export function usualArrangement(brief: Brief): Design | null {
  // In a strip a logo would hide most of the photo: they stand side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  if (isWordless(brief.copy) && !isSignedStrip) return pictureOnly(brief);
  if (isRow(brief.shape)) return row(brief);
  if (brief.family === "brand") {
    if (hasSmallSafeArea(brief)) return rowInSafeArea(brief) ?? centred(brief);
    return brief.shape === "leaderboard" ? rowOrCentred(brief) : centred(brief);
  }
  if (takesProductOnSurface(brief)) return productOnSurface(brief);
  if (brief.shape === "story") return brief.secondaryHero === null ? storyPanel(brief) : duoStory(brief);
  return photoPanel(brief, brief.shape === "landscape" || brief.shape === "leaderboard" ? "start" : "foot");
}

/** The words stand beside the button, or over it where a long button leaves them too narrow a column. */
function rowOrCentred(brief: Brief): Design | null {
  const inRow = row(brief);
  const inColumn = centred(brief);
  if (inRow === null || inColumn === null) return inRow ?? inColumn;
  return headlineScore(inColumn) > headlineScore(inRow) * 1.1 ? inColumn : inRow;
}

/** A row keeps margins from a canvas's edges, as shares of its height; a small safe area has its air around it. */
const ROW_MARGIN_SHARES = { across: 0.17, down: 0.09 } as const;

/** A row that fills the small safe area. */
function rowInSafeArea(brief: Brief): Design | null {
  const { x, y, width, height } = brief.safe;
  const safe = inset(
    { x: 0, y: 0, width, height },
    -height * ROW_MARGIN_SHARES.across,
    -height * ROW_MARGIN_SHARES.down,
  );
  const design = row({ ...brief, width, height, shape: "leaderboard", safe });
  return design === null ? null : shifted(design, x, y);
}
