import { type Brief, type Design, isWordless, standsOnSurface } from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";
import { pictureOnly } from "./picture-only.ts";
import { productOnSurface } from "./product-on-surface.ts";
import { row } from "./row.ts";

/** Whether pictures stand whole on a surface, rather than filling their places as photos do. */
export const takesProductOnSurface = (brief: Brief): boolean =>
  brief.family !== "scenery" && (standsOnSurface(brief) || brief.hasBackground || brief.family === "person");

/**
 * The arrangement of strips, of pictures without words and of pictures on a surface. Null for other photos, whose
 * arrangements are in `candidates.ts`, and where the words do not fit.
 */
export function usualArrangement(brief: Brief): Design | null {
  // In a strip a logo would hide most of the photo: they stand side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  if (isWordless(brief.copy) && !isSignedStrip) return pictureOnly(brief);
  if (isRow(brief.shape)) return row(brief);
  return takesProductOnSurface(brief) ? productOnSurface(brief) : null;
}
