import type { Size } from "creative-packs";
import type { ReactNode } from "react";
import { type Box, groupSizes, linesOf } from "./tile-size.ts";

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
  ...look
}: TileGroupsProps<One>) {
  return groupSizes(sizes).map(({ group, sizes: members }) => (
    <TileGroup key={group} name={groupName(group)} sizes={members} {...look} />
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
