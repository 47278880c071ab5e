import type { Size } from "creative-packs";
import { type ReactNode, useCallback, useState } from "react";

/** The members of a size that tiles need. */
export type SizeInfo = Pick<Size, "sizeId" | "group" | "width" | "height" | "safeArea">;

/**
 * Minimum ratio of width to height of a wide size, called strip here. All other sizes are called posters. Strips are
 * stacked in pairs, because a single strip beside a poster would leave a gap.
 */
const STRIP_ASPECT_MIN = 2.5;
/** Minimum width of strips beside posters. */
const STRIP_PX = 480;
/** Heights of the pictures in a row, in CSS px. In a narrow window, a picture fills the width. */
const ROW_PX = { min: 175, usual: 260, max: 380, maxNarrow: 600 } as const;
const NARROW_PX = 480;
/** Minimum width of a tile, for its caption. */
const PICTURE_PX_MIN = 50;
/**
 * Space between tiles of a network, between networks, and (`matPadding`) around a network's tiles. Must match the
 * classes below.
 */
const [GAP_PX, NETWORK_GAP_PX] = [16, 24] as const;
const matPadding = (roomPx: number): number => (roomPx < NARROW_PX ? 12 : 20);
/** Height of a strip's caption and of the gap to the next strip. */
const CAPTION_PX = 68;
/** Banner networks come after those of feeds and stories. */
const BANNER_GROUPS = ["iab", "gads", "amazon"];

export interface SizeGroup<OneSize> {
  readonly group: string;
  readonly sizes: readonly OneSize[];
}

/** Groups sizes by network; banner networks come last. */
function groupSizes<OneSize extends Pick<Size, "group">>(sizes: readonly OneSize[]): SizeGroup<OneSize>[] {
  const groups = new Map<string, OneSize[]>();
  for (const size of sizes) groups.set(size.group, [...(groups.get(size.group) ?? []), size]);
  const rankOf = (group: string): number => (BANNER_GROUPS.includes(group) ? 1 : 0);
  return [...groups]
    .map(([group, members]) => ({ group, sizes: members }))
    .sort((a, b) => rankOf(a.group) - rankOf(b.group));
}

export type Box = Pick<Size, "width" | "height">;

const isStrip = ({ width, height }: Box): boolean => width / height >= STRIP_ASPECT_MIN;

/** Part of a row: a picture, a pair of strips, or a whole network. At height `h` it is `slope * h + base` px wide. */
interface Cell<Content> {
  readonly content: Content;
  readonly slope: number;
  readonly base: number;
  /** Minimum height, at which captions fit, and maximum height, above which a picture would be blurred. */
  readonly minPx: number;
  readonly maxPx: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * The cells of a network: its posters, then its strips in pairs. A pair is as high as the posters beside it, unless
 * that would blur a strip.
 */
function cellsOf<One>(sizes: readonly One[], boxOf: (size: One) => Box, roomPx: number): Cell<One[]>[] {
  const posters = sizes.filter((size) => !isStrip(boxOf(size)));
  const strips = sizes.filter((size) => isStrip(boxOf(size)));
  const pairs = strips.flatMap((_, at) => (at % 2 === 0 ? [strips.slice(at, at + 2)] : []));
  return [
    ...posters.map((size) => {
      const { width, height } = boxOf(size);
      const minPx = Math.max(ROW_PX.min, (PICTURE_PX_MIN * height) / width);
      return { content: [size], slope: width / height, base: 0, minPx, maxPx: height };
    }),
    ...pairs.map((content) => {
      const widestPx = Math.min(...content.map((size) => boxOf(size).width));
      const slope = 1 / sum(content.map((size) => boxOf(size).height / boxOf(size).width));
      const base = -slope * CAPTION_PX * (content.length - 1);
      return slope * ROW_PX.usual + base <= Math.min(roomPx, widestPx)
        ? { content, slope, base, minPx: ROW_PX.min, maxPx: (widestPx - base) / slope }
        : { content, slope: 0, base: Math.min(roomPx, STRIP_PX), minPx: ROW_PX.min, maxPx: Infinity };
    }),
  ];
}

/** The height at which cells fill a row. */
const heightThatFills = (cells: readonly Cell<unknown>[], roomPx: number, gapPx: number): number =>
  (roomPx - gapPx * (cells.length - 1) - sum(cells.map(({ base }) => base))) /
  sum(cells.map(({ slope }) => slope));

/** Maximum height of a row without blurring its lowest picture. */
const lowestOf = (cells: readonly Cell<unknown>[]): number => Math.min(...cells.map(({ maxPx }) => maxPx));

/**
 * Splits cells into justified rows, each with as many cells as fit. A partial row gets the height of the row before it.
 */
function justify<Content>(cells: readonly Cell<Content>[], roomPx: number, gapPx: number) {
  const rows: { cells: Cell<Content>[]; heightPx: number }[] = [];
  const maxPx = roomPx < NARROW_PX ? ROW_PX.maxNarrow : ROW_PX.max;
  for (const cell of cells) {
    const row = rows.at(-1);
    const together = [...(row?.cells ?? []), cell];
    const minPx = Math.max(...together.map((one) => one.minPx));
    const heightPx = Math.min(heightThatFills(together, roomPx, gapPx), lowestOf(together));
    if (row !== undefined && heightPx >= minPx) row.cells = together;
    else rows.push({ cells: [cell], heightPx: 0 });
  }
  for (const [at, row] of rows.entries()) {
    const fullPx = heightThatFills(row.cells, roomPx, gapPx);
    const heightPx = fullPx <= maxPx ? fullPx : (rows[at - 1]?.heightPx ?? maxPx);
    row.heightPx = Math.min(heightPx, lowestOf(row.cells));
  }
  return rows;
}

/** Arranges networks in rows. A network that is too wide for one row gets several rows of its own. */
function rowsOf<One extends Pick<Size, "group">>(
  sizes: readonly One[],
  boxOf: (size: One) => Box,
  roomPx: number,
) {
  const innerPx = roomPx - 2 * matPadding(roomPx);
  const networks = groupSizes(sizes).map((network) => {
    const cells = cellsOf(network.sizes, boxOf, innerPx);
    const minPx = Math.max(...cells.map((cell) => cell.minPx));
    return {
      content: { ...network, cells, minPx },
      slope: sum(cells.map(({ slope }) => slope)),
      base: sum(cells.map(({ base }) => base)) + GAP_PX * (cells.length - 1) + roomPx - innerPx,
      ...{ minPx, maxPx: lowestOf(cells) },
    };
  });
  return justify(networks, roomPx, NETWORK_GAP_PX).map(({ cells: together, heightPx }) =>
    together.map(({ content: { cells, minPx, ...network } }) => ({
      ...network,
      rows: heightPx < minPx ? justify(cells, innerPx, GAP_PX) : [{ cells, heightPx }],
    })),
  );
}

/** The sizes in the order in which `TileGroups` shows them. */
export const inTileOrder = <OneSize extends Pick<Size, "group">>(
  sizes: readonly OneSize[],
  boxOf: (size: OneSize) => Box,
): readonly OneSize[] =>
  groupSizes(sizes).flatMap((group) => cellsOf(group.sizes, boxOf, 0).flatMap(({ content }) => content));

interface TileGroupsProps<One> {
  readonly sizes: readonly One[];
  readonly groupName: (group: string) => string;
  readonly heading: "h2" | "h3";
  readonly boxOf: (size: One) => Box;
  /** Renders a tile as a `figure` whose picture is as wide as the tile. */
  readonly tile: (size: One) => ReactNode;
}

/** Classes of a tile's figure: only the picture decides the tile's width. */
export const TILE = "@container flex flex-col gap-2";

interface TileCaptionProps {
  readonly box: Box;
  /** Shown at the end of the first line, or in a narrow tile at the end of the second line. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A tile's caption, always two lines, so that the pictures of a row end at the same height. */
export const TileCaption = ({ box: { width, height }, action, children }: TileCaptionProps) => (
  <figcaption className="relative flex flex-col gap-0.5 text-xs/5 whitespace-nowrap text-quiet tabular-nums">
    <span className="flex items-center justify-between font-medium text-ink">
      {width} × {height}
      <span className="right-0 bottom-0 -my-2 -mr-1.5 @max-[6rem]:absolute">{action}</span>
    </span>
    <span className="flex min-h-5 items-center gap-1">{children}</span>
  </figcaption>
);

/** Sizes by network, each network on a mat, in rows that fill the width. */
export function TileGroups<One extends Pick<Size, "sizeId" | "group">>(props: TileGroupsProps<One>) {
  const { sizes, groupName, heading: Heading, boxOf, tile } = props;
  const [roomPx, setRoomPx] = useState(0);
  const watchWidth = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const look = () => setRoomPx(element.clientWidth);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={watchWidth} className="flex min-w-0 flex-col gap-8">
      {(roomPx === 0 ? [] : rowsOf(sizes, boxOf, roomPx)).map((networks) => (
        <div key={networks[0]?.group} className="flex gap-6 not-only:*:last:grow">
          {networks.map(({ group, sizes: { length }, rows }) => (
            <section key={group} aria-label={groupName(group)} className="flex min-w-0 flex-col gap-3">
              <div className="flex items-baseline gap-2">
                <Heading className="text-lg/6 font-semibold">{groupName(group)}</Heading>
                <span className="text-sm text-quiet tabular-nums">{length}</span>
              </div>
              <div
                className="flex flex-1 flex-col gap-6 rounded-xl bg-sunk"
                style={{ padding: matPadding(roomPx) }}
              >
                {rows.map(({ cells, heightPx }) => (
                  <div key={cells[0]?.content[0]?.sizeId} className="flex gap-4">
                    {cells.map(({ content, slope, base }) => (
                      <div
                        key={content[0]?.sizeId}
                        className={`flex flex-col gap-4 ${slope === 0 ? "grow" : ""}`}
                        style={{ width: slope * heightPx + base }}
                      >
                        {content.map((size) => (
                          <div key={size.sizeId} style={slope === 0 ? { maxWidth: boxOf(size).width } : {}}>
                            {tile(size)}
                          </div>
                        ))}
                      </div>
                    ))}
                  </div>
                ))}
              </div>
            </section>
          ))}
        </div>
      ))}
    </div>
  );
}
