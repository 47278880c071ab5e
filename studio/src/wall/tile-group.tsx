import type { ReactNode } from "react";
import { type Box, linesOf } from "./tile-size.ts";

interface TileGroupProps<One> {
  /** Of the network. */
  readonly name: string;
  readonly heading: "h2" | "h3";
  readonly sizes: readonly One[];
  readonly boxOf: (size: One) => Box;
  readonly tile: (size: One) => ReactNode;
}

/** The sizes of one network as tiles in their true proportions. */
export function TileGroup<One>({ name, heading: Heading, sizes, boxOf, tile }: TileGroupProps<One>) {
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
