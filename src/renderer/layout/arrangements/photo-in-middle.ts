import { bestScored } from "#renderer/best-scored.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import type { Brief, Design } from "../design/design.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { besidePhoto, hasExtras, PHOTO_WITH_EXTRAS_MIN, roomOf } from "./photo-panels.ts";

/**
 * Minimum shorter side, in pixels, of a canvas with a subheadline, disclaimer or badge. On a smaller canvas they would
 * leave too little room for the headline.
 */
const EDGE_WITH_EXTRAS_MIN = 400;
/** Widths of the photo, as fractions of the canvas. */
const SHARES = [0.66, 0.62, 0.58, 0.54, 0.5, 0.46];
/** Widths on a canvas with a small safe area, where the text starts far from the canvas edge. */
const SHARES_BESIDE_SMALL = [0.46, 0.4];
/**
 * Minimum and maximum height of the photo, as fractions of the canvas. A shorter photo would look like a stamp. A
 * taller photo would leave bands above and below it that are too slim to look intended.
 */
const HEIGHT_MIN = 0.3;
const HEIGHT_MAX = 0.94;
/** On canvases of at least this aspect, the bands above and below a centred photo are slim. */
export const WIDE_ASPECT = 1.5;
/**
 * Bands above and below a photo look like a frame if they are thinner than this multiple of the margin. A band of the
 * same thickness is then added at the photo's side.
 */
const FRAME_MARGINS_MAX = 2.5;

/**
 * A photo that is too flat for a full-height column. It is centred vertically and reaches the canvas edge; the text is
 * beside it on the same surface. Null if the text does not fit.
 */
export function photoInMiddle(brief: Brief): Design | null {
  const { width, height, shape, copy } = brief;
  // On a square, a subheadline or disclaimer would leave too little room for the headline.
  if (shape === "square" && (copy.subheadline ?? copy.disclaimer) !== undefined) return null;
  const found = (hasSmallSafeArea(brief) ? SHARES_BESIDE_SMALL : SHARES).flatMap((wide) => {
    const room = roomOf(brief, "start", Math.round(width * wide), 0);
    const tall = nearestLength(wholeLengths(brief, "down", room.width), height);
    if (tall === null || tall < height * HEIGHT_MIN || tall > height * HEIGHT_MAX) return [];
    const share = (room.width * tall) / (width * height);
    const isCrowded = share < PHOTO_WITH_EXTRAS_MIN || Math.min(width, height) < EDGE_WITH_EXTRAS_MIN;
    if (hasExtras(brief) && isCrowded && !hasSmallSafeArea(brief)) return [];
    const band = Math.round((height - tall) / 2);
    const isFrame = width >= height * WIDE_ASPECT && band < brief.scale.marginPx * FRAME_MARGINS_MAX;
    const side = isFrame ? band : 0;
    const middle = { ...room, x: room.x - side, y: band, height: tall };
    const laid = besidePhoto(brief, "start", 0, middle);
    return laid === null ? [] : [{ ...laid, worth: laid.worth * Math.sqrt(share) }];
  });
  return bestScored(found, ({ worth }) => worth, 0)?.design ?? null;
}
