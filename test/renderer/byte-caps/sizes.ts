import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import type { OutputRequest, RenderedFile } from "#renderer/index.ts";

type Motion = OutputRequest["motion"];

/** The strictest network's byte cap of an animated banner; a still may be larger. */
const ANIMATED_BANNER_BYTES_MAX = 150_000;

/** Byte cap of a file in this size. */
export function capOf(size: Size, motion: Motion, role: RenderedFile["role"]): number {
  const cap = size.byteCap ?? Number.POSITIVE_INFINITY;
  if (role === "backup") return Math.min(cap, size.animation.backupBytesMax ?? cap);
  return motion === "animated" ? Math.min(cap, ANIMATED_BANNER_BYTES_MAX) : cap;
}

/** Key of the properties that affect a size's pixels and bytes. */
const drawnAlike = (size: Size, motion: Motion): string =>
  JSON.stringify([
    ...[size.width, size.height, size.safeArea, capOf(size, motion, "primary")],
    ...(motion === "animated" ? [capOf(size, motion, "backup"), size.animation.loopsMax] : []),
  ]);

/** The display sizes, without sizes that would have the same pixels and bytes as another. */
export const displaySizes = (motion: Motion): readonly Size[] => [
  ...new Map(
    SIZES.filter((size) => size.needsBorder).map((size) => [drawnAlike(size, motion), size]),
  ).values(),
];
