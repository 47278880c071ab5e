import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import type { OutputRequest, RenderedFile } from "#renderer/index.ts";

type Motion = OutputRequest["motion"];

/** What an animated banner may weigh even where a still may be larger: the strictest network's cap. */
const ANIMATED_BANNER_BYTES_MAX = 150_000;

/** What a file of the size may weigh. */
export function capOf(size: Size, motion: Motion, role: RenderedFile["role"]): number {
  const cap = size.byteCap ?? Number.POSITIVE_INFINITY;
  if (role === "backup") return Math.min(cap, size.animation.backupBytesMax ?? cap);
  return motion === "animated" ? Math.min(cap, ANIMATED_BANNER_BYTES_MAX) : cap;
}

/** All of a size that its pixels and the search for their bytes depend on; names and sources are not. */
const drawnAlike = (size: Size, motion: Motion): string =>
  JSON.stringify([
    ...[size.width, size.height, size.safeArea, capOf(size, motion, "primary")],
    ...(motion === "animated" ? [capOf(size, motion, "backup"), size.animation.loopsMax] : []),
  ]);

/** The display sizes; of those that cannot differ in the motion, one. */
export const displaySizes = (motion: Motion): readonly Size[] => [
  ...new Map(
    SIZES.filter((size) => size.needsBorder).map((size) => [drawnAlike(size, motion), size]),
  ).values(),
];
