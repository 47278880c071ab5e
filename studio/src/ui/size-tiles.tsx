import type { Size } from "creative-packs";
import type { ReactNode } from "react";

/** What a tile shows of a size. */
export type SizeInfo = Pick<Size, "sizeId" | "group" | "width" | "height" | "safeArea">;

/** The area of a network's largest tile in CSS px². */
const AREA_PX_MAX = 90_000;
const HEIGHT_PX_MAX = 380;
/** Wider ones fill a line alone. */
const STRIP_ASPECT_MIN = 2.5;

/** CSS px a pixel at which all sizes of a network are shown: in true proportion to each other, and none larger than it is. */
const scaleOf = (boxes: readonly Box[]): number =>
  Math.min(
    1,
    ...boxes.map(({ width, height }) =>
      Math.min(Math.sqrt(AREA_PX_MAX / (width * height)), HEIGHT_PX_MAX / height),
    ),
  );

export interface SizeGroup<OneSize> {
  readonly group: string;
  readonly sizes: readonly OneSize[];
}

/** The sizes of each network, in their order. */
function groupSizes<OneSize extends Pick<Size, "group">>(sizes: readonly OneSize[]): SizeGroup<OneSize>[] {
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
function linesOf<OneSize>(
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
  readonly tile: (size: One, widthPx: number) => ReactNode;
}

/** Sizes by network, those of each at one scale. `tile` is given the width of its picture. */
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
  readonly name: string;
}

function TileGroup<One>({ name, heading: Heading, sizes, boxOf, tile }: TileGroupProps<One>) {
  const scale = scaleOf(sizes.map(boxOf));
  return (
    <section aria-label={name} className="flex flex-col gap-2.5">
      <Heading className="text-sm font-medium">{name}</Heading>
      <div className="flex flex-col gap-6">
        {linesOf(sizes, boxOf).map(({ kind, members }) => (
          <div key={kind} className="flex flex-wrap items-start gap-x-5 gap-y-6">
            {members.map((size) => tile(size, Math.max(1, Math.round(boxOf(size).width * scale))))}
          </div>
        ))}
      </div>
    </section>
  );
}
