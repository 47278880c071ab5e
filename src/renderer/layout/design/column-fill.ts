import { unionOf } from "#renderer/box-geometry.ts";
import { type Brief, boxesOf, type Design } from "./design.ts";

/** Words at the start that take less of the column beside a photo leave it half empty. */
export const COLUMN_FILL_FAIR = 0.66;

/**
 * How much of the column beside a low canvas's photo its words take across, 0..1. A photo with a face is only as wide as
 * shows it whole, whatever the words leave. 1 where words are centred or the photo has no face: nothing is half empty then.
 */
export function columnFillOf({ shape, width, scale, hero, look }: Brief, design: Design): number {
  const [photo, other] = design.pictures;
  // A logo at the far end of the button's row fills nothing between.
  const words = boxesOf({ ...design, logo: null });
  if (shape !== "leaderboard" || look.layout.align === "center" || words.length === 0) return 1;
  if (photo === undefined || photo.fill === "cut_out" || other !== undefined) return 1;
  if ((hero?.protectedAreas.length ?? 0) === 0) return 1;
  const column = width - photo.box.width - scale.marginPx * 2;
  return column <= 0 ? 1 : Math.min(1, unionOf(words).width / column);
}
