import { bestScored } from "#renderer/best-scored.ts";
import { WHOLE } from "../design/boxes.ts";
import type { Brief, Design } from "../design/design.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { hasExtras, panelsWith, roomOf } from "./photo-panels.ts";

/** Prose goes before a photo on its mat is smaller than this share of the canvas. */
const MAT_WITH_EXTRAS_MIN = 0.36;
/** Beside a mat on a smaller canvas, in pixels, prose would take the headline's room. */
const MAT_EDGE_WITH_EXTRAS = 400;
/** Widths of a mat's column, as shares of the canvas. */
const MAT_SHARES = [0.62, 0.58, 0.54, 0.5, 0.46];
/** A photo that leaves more of its mat's height bare is a stamp on it; less than the least looks like a mistake. */
const MAT_PHOTO_MIN = 0.3;
const MAT_PHOTO_MAX = 0.94;

/**
 * A photo that is too flat for a column of the canvas's full height: in the column's middle from side to side, on a mat in the
 * colour of its own edges, the words beside it. Null where they do not fit.
 */
export function photoOnMat(brief: Brief): Design | null {
  const { width, height, secondaryHero } = brief;
  if (secondaryHero !== null) return null;
  const found = MAT_SHARES.flatMap((wide) => {
    const room = roomOf(brief, "start", Math.round(width * wide), 0);
    const tall = nearestLength(wholeLengths(brief, "down", room.width), height);
    if (tall === null || tall < height * MAT_PHOTO_MIN || tall > height * MAT_PHOTO_MAX) return [];
    const share = (room.width * tall) / (width * height);
    if (hasExtras(brief) && (share < MAT_WITH_EXTRAS_MIN || Math.min(width, height) < MAT_EDGE_WITH_EXTRAS))
      return [];
    const { shown } = brief.cropOf("hero", room.width, tall, WHOLE);
    const perPx = shown.height / tall;
    const onMat = {
      ...shown,
      y: shown.y - Math.floor((height - tall) / 2) * perPx,
      height: height * perPx,
    };
    return panelsWith(brief, "start", 0, room).map(({ worth, design }) => ({
      worth: worth * Math.sqrt(share),
      design: {
        ...design,
        pictures: design.pictures.map((placed) => ({ ...placed, shown: onMat, isMatted: true })),
      },
    }));
  });
  return bestScored(found, ({ worth }) => worth, 0)?.design ?? null;
}
