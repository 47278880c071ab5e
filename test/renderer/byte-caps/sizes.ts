import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import type { OutputRequest, RenderedFile } from "#renderer/index.ts";

type Motion = OutputRequest["motion"];

/** Byte cap of an animated banner, even if a still may be larger: the strictest network's. */
const ANIMATED_BANNER_BYTES_MAX = 150_000;

/** Byte cap of a file of the size. */
export function capOf(size: Size, motion: Motion, role: RenderedFile["role"]): number {
  const cap = size.byteCap ?? Number.POSITIVE_INFINITY;
  if (role === "backup") return Math.min(cap, size.animation.backupBytesMax ?? cap);
  return motion === "animated" ? Math.min(cap, ANIMATED_BANNER_BYTES_MAX) : cap;
}

/** The properties of a size that affect its pixels and bytes, without names and sources. */
const drawnAlike = (size: Size, motion: Motion): string =>
  JSON.stringify([
    ...[size.width, size.height, size.safeArea, capOf(size, motion, "primary")],
    ...(motion === "animated" ? [capOf(size, motion, "backup"), size.animation.loopsMax] : []),
  ]);

/** The display sizes; for animations, one of each group of equal ones. */
export const displaySizes = (motion: Motion): readonly Size[] => [
  ...new Map(
    SIZES.filter((size) => size.needsBorder).map((size) => [drawnAlike(size, motion), size]),
  ).values(),
];
