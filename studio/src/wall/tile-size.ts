import type { Size } from "creative-packs";

/** What a wall has to know of a size. */
export type WallSizeInfo = Pick<Size, "sizeId" | "group" | "width" | "height" | "safeArea">;

/** The area of a tile in CSS px²: strips and posters weigh the same to the eye. */
const AREA_PX = 52_000;
const HEIGHT_PX_MAX = 340;
/** Wider ones fill a line of the wall by themselves. */
const STRIP_ASPECT_MIN = 2.5;

/**
 * Width of a size's tile in CSS px, before its column narrows it: true proportions, areas alike, and no size larger
 * than it is.
 */
export function tileWidthOf({ width, height }: Pick<Size, "width" | "height">): number {
  const scale = Math.min(1, Math.sqrt(AREA_PX / (width * height)), HEIGHT_PX_MAX / height);
  return Math.max(1, Math.round(width * scale));
}

export interface SizeGroup<OneSize> {
  readonly group: string;
  readonly sizes: readonly OneSize[];
}

/** The sizes of each network, in their order. */
export function groupSizes<OneSize extends Pick<Size, "group">>(
  sizes: readonly OneSize[],
): SizeGroup<OneSize>[] {
  const groups = new Map<string, OneSize[]>();
  for (const size of sizes) groups.set(size.group, [...(groups.get(size.group) ?? []), size]);
  return [...groups].map(([group, members]) => ({ group, sizes: members }));
}

/** The same as tiles, strips first: beside a poster they would leave a hole. */
export function groupsOf(sizes: readonly WallSizeInfo[]): SizeGroup<WallSizeInfo>[] {
  const isStrip = ({ width, height }: WallSizeInfo): boolean => width / height >= STRIP_ASPECT_MIN;
  return groupSizes(sizes).map(({ group, sizes: members }) => ({
    group,
    sizes: [...members.filter(isStrip), ...members.filter((size) => !isStrip(size))],
  }));
}
