import { unionOf } from "../box-geometry.ts";
import type { Box, Face } from "../types.ts";

/** A head at least this share as high as the highest belongs to the people that a picture is of. */
const LEADING_SHARE_MIN = 0.5;
/** Hair and hats that the detector's head does not reach, and head with chest to either side and down, in heads. */
const HAIR = 0.16;
const BUST = { across: 0.3, down: 1.6 } as const;
/** A whole person, in heads; only where the photo has room for it below the head. */
const FIGURE = { across: 0.6, down: 7.6, downMin: 7 } as const;

/**
 * Around the people that a picture is of, in shares of it, and the height of their highest head; null without faces. Of a
 * person whom the photo's lower edge cuts only head and chest must be whole: the photographer has already cut the rest.
 */
export function peopleIn(
  faces: readonly Pick<Face, "head">[],
): { readonly box: Box; readonly headHeight: number } | null {
  const headHeight = Math.max(0, ...faces.map(({ head }) => head.height));
  const leading = faces.filter(({ head }) => head.height >= headHeight * LEADING_SHARE_MIN);
  return leading.length === 0 ? null : { box: unionOf(leading.map(({ head }) => bodyOf(head))), headHeight };
}

function bodyOf(head: Box): Box {
  const { across, down } = head.y + head.height * FIGURE.downMin <= 1 ? FIGURE : BUST;
  const x = Math.max(0, head.x - head.width * across);
  const y = Math.max(0, head.y - head.height * HAIR);
  return {
    x,
    y,
    width: Math.min(1, head.x + head.width * (1 + across)) - x,
    height: Math.min(1, head.y + head.height * down) - y,
  };
}
