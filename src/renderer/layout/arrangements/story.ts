import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import type { Brief, Design } from "../design/design.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { spreadOver } from "../words/spread-words.ts";
import { type Panel, signedPanel } from "../words/text-panel.ts";
import { picturesIn, slimHeadlineOf } from "./photo-panels.ts";

/** Fractions of the canvas height for the photo, the best first. */
const PHOTO_SHARES = [0.56, 0.5, 0.44, 0.38];
/** Fractions of the canvas height for the two photos of a duo. Taller photos would have to be unequal in size. */
const PAIR_SHARES = [0.36, 0.3, 0.24];
/**
 * Minimum height of the text, as a fraction of the canvas: above an `edge`-to-edge photo, and above a `print` (a
 * smaller photo with equal margins at its sides and bottom). A print is tried if even the shortest full-width photo
 * leaves less than `print` for the text.
 */
const WORDS_SHARES = { edge: 0.175, print: 0.25 };
/** Minimum margin of a print, as a fraction of the canvas width. */
const PRINT_MARGIN_MIN = 0.068;
const PRINT_WORTH = 0.5;
/** Factor by which the largest headline above a short photo exceeds the usual maximum. */
const TYPE_TIMES = 1.25;
/** A headline of this fraction of the canvas width is large enough; any further room goes to the photo. */
const HEADLINE_GOOD = 0.1;
/**
 * Space above and below the text, as multiples of the margin. Below a reserved area (`overReserved`) the text needs
 * almost no space.
 */
const AIR = { over: 1, overReserved: 0.05, under: 0.55 };

/** A story's text in one stack at the top, and the photo below: edge to edge down to the bottom, or as a print. */
export function storyPanel(brief: Brief): Design | null {
  const { height, scale, safe } = brief;
  const top = safe.y + Math.round(scale.marginPx * (safe.y > 0 ? AIR.overReserved : AIR.over));
  const found = photoRegions(brief, height - top).flatMap((room) => {
    const x = Math.max(safe.x + scale.marginPx, room.x);
    const right = Math.min(safe.x + safe.width - scale.marginPx, room.x + room.width);
    const foot = Math.min(safe.y + safe.height, room.y);
    const column: Box = { x, y: top, width: right - x, height: foot - top };
    const panel = wordsOver(brief, column);
    if (panel === null) return [];
    const pictures = picturesIn(brief, room, room.x > 0);
    const words = spreadOver(panel, column, height, true);
    const design: Design = { surface: "flat", pictures, scrims: [], scrimsOver: "pictures", ...words };
    const ofHeadline = Math.min(HEADLINE_GOOD, slimHeadlineOf(brief, panel)) * (room.x > 0 ? PRINT_WORTH : 1);
    return [{ design, worth: ofHeadline * Math.sqrt(room.width * room.height) }];
  });
  return bestScored(found, ({ worth }) => worth)?.design ?? null;
}

/** The text of a column, as large as fits; null if it does not fit. */
function wordsOver(brief: Brief, column: Box): Panel | null {
  const { scale } = brief;
  const region = { ...column, height: column.height - scale.marginPx * AIR.under };
  const headlinePxMax = scale.headlinePxMax * TYPE_TIMES;
  const large = { ...scale, headlinePxMax, headlineAreaMax: scale.headlineAreaMax * TYPE_TIMES };
  const wordsAt = (sized: Brief["scale"]) =>
    signedPanel({ ...brief, scale: sized }, region, { stand: "top", disclaimerAt: "words", fillMax: 1 });
  // The smallest headline leaves the most room for the logo.
  return wordsAt(large) ?? wordsAt({ ...scale, headlinePxMax: scale.headlinePxMin });
}

/**
 * Regions for the photos at the bottom of the canvas, with their subjects whole: edge to edge, or as a print. `free` is
 * the height from the top of the text down to the bottom of the canvas.
 */
function photoRegions(brief: Brief, free: number): readonly Box[] {
  const { width, height } = brief;
  const lengths = wholeLengths(brief, "down", width);
  const shares = brief.secondaryHero === null ? PHOTO_SHARES : PAIR_SHARES;
  const wanted = new Set(shares.flatMap((share) => nearestLength(lengths, height * share) ?? []));
  const rooms = [...wanted]
    .filter((long) => long <= free - height * WORDS_SHARES.edge)
    .map((long): Box => ({ x: 0, y: height - long, width, height: long }));
  const least = Math.min(...wanted);
  const most = free - height * WORDS_SHARES.print;
  if (wanted.size === 0 || least <= most) return rooms;
  const spare = (least - most) / ((least / width) * 2 - 1);
  const margin = Math.ceil(Math.max(width * PRINT_MARGIN_MIN, spare));
  const across = width - margin * 2;
  const high = nearestLength(wholeLengths(brief, "down", across), 0) ?? 0;
  return [...rooms, { x: margin, y: height - margin - high, width: across, height: high }];
}
