import { bestScored } from "#renderer/best-scored.ts";
import type { Brief, Design } from "../design/design.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { FRAME_MARGINS, hasExtras, panelsWith } from "./photo-panels.ts";

/** Heights of a whole photo over its words, as shares of the canvas; a smaller one is a stamp. */
const PRINT_SHARES = [0.76, 0.7, 0.66, 0.62, 0.58, 0.54, 0.46, 0.38, 0.3];
/** Widths of a whole photo beside its words, as shares of a wide canvas with the print's frame. */
const SIDE_PRINT_SHARES = [0.67, 0.6, 0.52];
/** A slimmer stretch beside a photo in the corner looks like a mistake, as a share of the canvas's width. */
const CORNER_SPARE_MIN = 0.14;
/** Prose and a badge go before a whole photo is smaller than this share of the canvas. */
const PRINT_WITH_EXTRAS_MIN = 0.36;

/**
 * A photo that fits no place from edge to edge, in proportions that show its subject whole: in the canvas's corner, or
 * `isFramed` as a print in the middle of its page; the words under it, on a wide canvas beside it. Null where they do not fit.
 */
export function photoPrint(brief: Brief, isFramed: boolean): Design | null {
  const { width, height, scale } = brief;
  const frame = isFramed ? Math.round(scale.marginPx * FRAME_MARGINS) : 0;
  const found = sidesOf(brief, isFramed).flatMap(({ isBeside, share, crop }) => {
    const first = Math.round((isBeside ? width : height) * share - frame);
    const lengths = wholeLengths(brief, isBeside ? "down" : "across", first);
    const second = nearestLength(lengths, (isBeside ? height : width) * crop);
    if (second === null) return [];
    const [wide, long] = isBeside ? [first, second] : [second, first];
    if (wide > width - frame * 2 || long > height - frame * 2) return [];
    if (hasExtras(brief) && wide * long < width * height * PRINT_WITH_EXTRAS_MIN) return [];
    const spare = (isBeside ? height - long : width - wide) - frame * 2;
    if (!isFramed && spare > 0 && spare < width * CORNER_SPARE_MIN) return [];
    const x = isFramed && !isBeside ? Math.round((width - wide) / 2) : width - frame - wide;
    const y = isFramed && isBeside ? Math.round((height - long) / 2) : frame;
    const room = { x, y, width: wide, height: long };
    const side = isBeside ? "start" : "foot";
    return panelsWith(brief, side, frame, room, true);
  });
  return bestScored(found, ({ worth }) => worth, 0)?.design ?? null;
}

/** Whether the words of a whole photo stand beside it, its widths or heights that are tried, and whether it is as slim as can be. */
function sidesOf({ shape, hero }: Brief, isFramed: boolean) {
  const beside = SIDE_PRINT_SHARES.map((share) => ({ isBeside: true, share, crop: 1 }));
  const crops = isFramed ? [1] : [1, 0];
  const under = PRINT_SHARES.flatMap((share) => crops.map((crop) => ({ isBeside: false, share, crop })));
  if (shape === "landscape") return beside;
  return isFramed || (hero?.aspect ?? 1) >= 1 ? under : [...beside, ...under];
}
