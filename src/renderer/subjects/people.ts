import { unionOf } from "../box-geometry.ts";
import type { Box, Face } from "../types.ts";

/** A head at least this share as high as the highest belongs to the people that a picture is of. */
const LEADING_SHARE_MIN = 0.5;
/** Hair and hats that the detector's head does not reach, and head with chest beside and below it, in heads. */
const HAIR = 0.2;
const BUST = { across: 0.4, down: 0.65 } as const;
/** Of what a photo shows around a head, a crop keeps no more than this: a face that fills its photo may be cropped as well. */
const ROOM_SHARE = 0.75;
/** A whole person with arms stretched out, in heads; only where the photo has room for it from the head down. */
const FIGURE = { across: 1.7, down: 7.6, downMin: 7 } as const;

/**
 * Around the people that a picture is of, in shares of it, and the height of their highest head; null without faces. Of a
 * person whom the photo's lower edge cuts only head and chest must be whole: the photographer has already cut the rest.
 */
export function peopleIn(
  faces: readonly Pick<Face, "box" | "head">[],
): { readonly box: Box; readonly headHeight: number } | null {
  // Whom the photo's upper edge cuts at the eyes, it shows for something else.
  const whole = faces.filter(({ box }) => box.y > 0);
  const headHeight = Math.max(0, ...whole.map(({ head }) => head.height));
  const leading = whole.filter(({ head }) => head.height >= headHeight * LEADING_SHARE_MIN);
  return leading.length === 0 ? null : { box: unionOf(leading.map(({ head }) => bodyOf(head))), headHeight };
}

function bodyOf({ x, y, width, height }: Box): Box {
  const [right, bottom] = [x + width, y + height];
  const isFigure = y + height * FIGURE.downMin <= 1;
  const beside = (room: number): number =>
    isFigure ? FIGURE.across * width : Math.min(BUST.across * width, ROOM_SHARE * room);
  const down = isFigure
    ? (FIGURE.down - 1) * height
    : Math.min(BUST.down * height, ROOM_SHARE * (1 - bottom));
  const left = Math.max(0, x - beside(x));
  const top = y - Math.min(HAIR * height, ROOM_SHARE * y);
  return {
    x: left,
    y: top,
    width: Math.min(1, right + beside(1 - right)) - left,
    height: Math.min(1, bottom + down) - top,
  };
}
