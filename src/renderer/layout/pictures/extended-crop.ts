import type { Box } from "#renderer/types.ts";
import type { PictureTraits } from "../design/design.ts";

/** Between a subject and the edges of its place, as a share of the subject. */
const AIR = 0.04;

/**
 * The part of a photo (shares) that fills a place and has all of `together` in it, reaching over the photo's plain sides; null
 * where those that it would reach over are not plain.
 */
export function extendedCrop(
  place: Pick<Box, "width" | "height">,
  { aspect, ground }: PictureTraits,
  together: Box,
): Box | null {
  if (ground === null) return null;
  const { top, right, bottom, left } = ground.plainSides;
  const wide = place.width / place.height / aspect;
  const height = Math.max(
    withAir(together.height, top || bottom),
    withAir(together.width, left || right) / wide,
  );
  const x = startOf(together.x, together.width, height * wide, left, right);
  const y = startOf(together.y, together.height, height, top, bottom);
  return x === null || y === null ? null : { x, y, width: height * wide, height };
}

/** A length with air at both ends, within the photo unless it goes on beyond one of them. */
const withAir = (length: number, isPlain: boolean): number =>
  Math.min(length * (1 + AIR * 2), isPlain ? Number.POSITIVE_INFINITY : 1);

/** Where a window starts that has a stretch in its middle, over its plain ends only; null where that cuts the stretch. */
function startOf(
  from: number,
  length: number,
  window: number,
  isPlainBefore: boolean,
  isPlainAfter: boolean,
): number | null {
  let start = from + length / 2 - window / 2;
  if (!isPlainAfter) start = Math.min(start, 1 - window);
  if (!isPlainBefore) start = Math.max(start, 0);
  const isInPhoto = isPlainAfter || start + window <= 1 + SLACK;
  return isInPhoto && start <= from + SLACK && start + window >= from + length - SLACK ? start : null;
}

/** Shares of a photo are sums of shares: they have an error. */
const SLACK = 1e-9;
