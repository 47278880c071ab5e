import type { Size } from "creative-packs";
import type { ReactNode } from "react";

/** What a tile shows of a size. */
export type SizeInfo = Pick<Size, "sizeId" | "group" | "width" | "height" | "safeArea">;

/** Height of the pictures of a row, in CSS px; none is larger than it is. */
const ROW_PX = 240;
/** Sizes that are wider have rows of their own, at one scale: beside a poster they would leave a hole. */
const STRIP_ASPECT_MIN = 2.5;
/** Width of the widest strip, in CSS px. */
const STRIP_PX = 608;
/** Networks of banners come after those of feeds and stories. */
const BANNER_GROUPS = ["iab", "gads", "amazon"];

export interface SizeGroup<OneSize> {
  readonly group: string;
  readonly sizes: readonly OneSize[];
}

/** The sizes of each network, in their order. */
function groupSizes<OneSize extends Pick<Size, "group">>(sizes: readonly OneSize[]): SizeGroup<OneSize>[] {
  const groups = new Map<string, OneSize[]>();
  for (const size of sizes) groups.set(size.group, [...(groups.get(size.group) ?? []), size]);
  const rankOf = (group: string): number => (BANNER_GROUPS.includes(group) ? 1 : 0);
  return [...groups]
    .map(([group, members]) => ({ group, sizes: members }))
    .sort((a, b) => rankOf(a.group) - rankOf(b.group));
}

export type Box = Pick<Size, "width" | "height">;

/** The rows of a network, each with the width of a picture in CSS px. */
function linesOf<OneSize>(sizes: readonly OneSize[], boxOf: (size: OneSize) => Box) {
  const isStrip = (size: OneSize): boolean => boxOf(size).width / boxOf(size).height >= STRIP_ASPECT_MIN;
  const strips = sizes.filter(isStrip);
  const widest = Math.max(STRIP_PX, ...strips.map((size) => boxOf(size).width));
  const lines = [
    {
      kind: "posters",
      members: sizes.filter((size) => !isStrip(size)),
      widthOf: (size: OneSize) => boxOf(size).width * Math.min(1, ROW_PX / boxOf(size).height),
    },
    {
      kind: "strips",
      members: strips,
      widthOf: (size: OneSize) => (boxOf(size).width * STRIP_PX) / widest,
    },
  ];
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

/** Classes of a tile: as wide as its picture, or as the words and buttons under it need. */
export const TILE = "flex w-max max-w-full flex-col items-start gap-2.5";

/** Sizes by network, those of each on a mat; small networks share a row. `tile` is given the width of its picture. */
export function TileGroups<One extends Pick<Size, "group">>(props: TileGroupsProps<One>) {
  const { sizes: all, groupName, heading: Heading, boxOf, tile } = props;
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-8">
      {groupSizes(all).map(({ group, sizes }) => (
        <section key={group} aria-label={groupName(group)} className="flex max-w-full flex-col gap-3">
          <div className="flex items-baseline gap-2">
            <Heading className="text-lg/6 font-semibold">{groupName(group)}</Heading>
            <span className="text-sm text-quiet tabular-nums">{sizes.length}</span>
          </div>
          <div className="flex flex-1 flex-col gap-8 rounded-xl bg-sunk p-4 sm:p-5">
            {linesOf(sizes, boxOf).map(({ kind, members, widthOf }) => (
              <div key={kind} className="flex flex-wrap items-end gap-6">
                {members.map((size) => tile(size, Math.max(1, Math.round(widthOf(size)))))}
              </div>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
