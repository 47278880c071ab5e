import type { Box } from "#renderer/types.ts";
import { contained, wholeBox } from "../design/boxes.ts";

/**
 * A photo that stands whole enough in a region: the part of it, in shares, that has all of `together` and proportions as
 * near to the region's as can be, and where it stands, in the middle of the spare room.
 */
export function standing(
  region: Box,
  aspect: number,
  together: Box,
): { readonly shown: Box; readonly sharp: Box } {
  const wanted = region.width / region.height / aspect;
  // In shares of the picture: a slim region takes its whole height and the width that is needed, a flat one the reverse.
  const width = wanted >= 1 ? 1 : Math.min(1, Math.max(wanted, together.width));
  const height = wanted >= 1 ? Math.min(1, Math.max(1 / wanted, together.height)) : 1;
  const shown = {
    x: Math.min(1 - width, Math.max(0, together.x + together.width / 2 - width / 2)),
    y: Math.min(1 - height, Math.max(0, together.y + together.height / 2 - height / 2)),
    width,
    height,
  };
  const sharp = wholeBox(contained(region, (aspect * width) / height, 0.5));
  return { shown, sharp };
}
