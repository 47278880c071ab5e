import type { Size } from "creative-packs";
import type { ReactNode } from "react";

/** What a tile shows of a size. */
export type SizeInfo = Pick<Size, "sizeId" | "group" | "width" | "height" | "safeArea">;

/** The area of a tile in CSS px²: strips and posters weigh the same to the eye. */
const AREA_PX = 52_000;
const HEIGHT_PX_MAX = 340;
/** Wider ones fill a line alone. */
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

export type Box = Pick<Size, "width" | "height">;

interface TileLine<OneSize> {
  readonly kind: "strips" | "others";
  readonly members: readonly OneSize[];
}

/** Strips first, on lines of their own: beside a poster they would leave a hole. */
export function linesOf<OneSize>(
  sizes: readonly OneSize[],
  boxOf: (size: OneSize) => Box,
): readonly TileLine<OneSize>[] {
  const isStrip = (size: OneSize): boolean => {
    const { width, height } = boxOf(size);
    return width / height >= STRIP_ASPECT_MIN;
  };
  const lines = [
    { kind: "strips", members: sizes.filter(isStrip) },
    { kind: "others", members: sizes.filter((size) => !isStrip(size)) },
  ] as const;
  return lines.filter(({ members }) => members.length > 0);
}

/** The sizes in the order in which `TileGroups` shows them. */
export const inTileOrder = <OneSize extends Pick<Size, "group">>(
  sizes: readonly OneSize[],
  boxOf: (size: OneSize) => Box,
): readonly OneSize[] =>
  groupSizes(sizes).flatMap((group) => linesOf(group.sizes, boxOf).flatMap(({ members }) => members));

interface TileGroupsProps<One> {
  readonly sizes: readonly One[];
  readonly groupName: (group: string) => string;
  readonly heading: "h2" | "h3";
  readonly boxOf: (size: One) => Box;
  readonly tile: (size: One) => ReactNode;
}

/** Sizes by network, each as a tile in its true proportions. */
export function TileGroups<One extends Pick<Size, "group">>({
  sizes,
  groupName,
  ...tiles
}: TileGroupsProps<One>) {
  return groupSizes(sizes).map(({ group, sizes: members }) => (
    <TileGroup key={group} name={groupName(group)} sizes={members} {...tiles} />
  ));
}

interface TileGroupProps<One> extends Omit<TileGroupsProps<One>, "groupName"> {
  /** Of the network. */
  readonly name: string;
}

/** The sizes of one network. */
function TileGroup<One>({ name, heading: Heading, sizes, boxOf, tile }: TileGroupProps<One>) {
  return (
    <section aria-label={name} className="flex flex-col gap-2.5">
      <Heading className="text-sm font-medium">{name}</Heading>
      <div className="flex flex-col gap-6">
        {linesOf(sizes, boxOf).map(({ kind, members }) => (
          <div key={kind} className="flex flex-wrap items-start gap-x-5 gap-y-6">
            {members.map(tile)}
          </div>
        ))}
      </div>
    </section>
  );
}
