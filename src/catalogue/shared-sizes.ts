import type { OutputFormat, Size } from "./types.ts";

/** Sizes with the same dimensions whose rules a single file meets. Only `size` needs to be ordered. */
export interface SharedSize {
  /** The size with the strictest rules. */
  readonly size: Size;
  /** All sizes whose rules the file of `size` meets, in the catalogue's order. */
  readonly members: readonly Size[];
}

/** A size's rules as numbers in a fixed order; lower is stricter. */
function strictness({ animation, banner, video, ...size }: Size, isStill: boolean): readonly number[] {
  const { top = 0, right = 0, bottom = 0, left = 0 } = size.safeArea ?? {};
  const still = [size.byteCap, size.needsBorder ? 0 : 1, -top, -right, -bottom, -left];
  const { durationMsMax, loopsMax, framesPerSecondMax, framesMax, backupBytesMax } = animation;
  const moving = [durationMsMax, loopsMax, framesPerSecondMax, framesMax, backupBytesMax];
  const html5 = [banner?.loadBytesMax, banner?.filesMax];
  const mp4 = [video?.bytesMax, video?.durationMsMax, video?.framesPerSecondMax];
  const minimums = [-(video?.durationMsMin ?? 0), -(video?.bitsPerSecondMin ?? 0)];
  const rules = isStill ? still : [...still, ...moving, ...html5, ...mp4, ...minimums];
  return rules.map((rule) => rule ?? Number.POSITIVE_INFINITY);
}

/** Whether every file that meets the rules of `one` also meets those of `other`, in a format that both accept. */
function serves(one: Size, other: Size, format: OutputFormat): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  if (![one, other].every(({ acceptedFormats }) => acceptedFormats.includes(format))) return false;
  const isStill = format === "png" || format === "jpg";
  const limits = strictness(other, isStill);
  return strictness(one, isStill).every((limit, at) => limit <= (limits[at] ?? 0));
}

/**
 * Groups `sizes` so that one file per group meets the rules of all its members in this format. Greedy: sizes that
 * serve the most others are chosen first. Each size is in exactly one group; groups are in the catalogue's order.
 */
export function shareSizes(sizes: readonly Size[], format: OutputFormat): readonly SharedSize[] {
  const served = new Map(
    sizes.map((size) => [size, sizes.filter((other) => other === size || serves(size, other, format))]),
  );
  const left = new Set(sizes);
  const shared = [...served]
    .sort(([, some], [, others]) => others.length - some.length)
    .flatMap(([size, all]) =>
      left.has(size) ? [{ size, members: all.filter((member) => left.delete(member)) }] : [],
    );
  return shared.sort((a, b) => sizes.indexOf(a.size) - sizes.indexOf(b.size));
}
