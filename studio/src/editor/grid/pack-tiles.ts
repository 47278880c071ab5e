/** Edges in CSS px, or in those of a size. */
interface Box {
  readonly width: number;
  readonly height: number;
}

/** A size in its place on the grid, in CSS px from the upper left corner: true proportions, at the scale of the grid. */
export interface PlacedTile<One> extends Box {
  readonly size: One;
  readonly x: number;
  readonly y: number;
}

export interface GridLayout<One> extends Box {
  /** In reading order: from the top, and from the left. */
  readonly tiles: readonly PlacedTile<One>[];
}

const GAP_PX = 20;
/** Of the label under each picture. */
const LABEL_PX = 22;
/** The least place of a tile: for its label, and for a finger (WCAG 2.5.8). */
export const PLACE_MIN = { width: 76, height: 24 };

/** A stretch of the lower edge of all that is placed. */
interface Edge {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * Places sizes at one scale and within a width, the longest first, each as high up as there is room (the skyline method:
 * Jylänki 2010). The same sizes get the same places.
 */
export function packTiles<One extends Box>(
  sizes: readonly One[],
  scale: number,
  widthMax: number,
): GridLayout<One> {
  const longer = ({ width, height }: Box): number => Math.max(width, height);
  const tiles: PlacedTile<One>[] = [];
  let skyline: readonly Edge[] = [{ x: 0, y: 0, width: Number.POSITIVE_INFINITY }];
  let all: Box = { width: 0, height: 0 };
  for (const size of sizes.toSorted((a, b) => longer(b) - longer(a) || b.height - a.height)) {
    const picture = scaled(size, scale);
    const width = Math.max(PLACE_MIN.width, picture.width) + GAP_PX;
    const height = Math.max(PLACE_MIN.height, picture.height) + LABEL_PX + GAP_PX;
    const { x, y } = highestSpot(skyline, width, widthMax + GAP_PX);
    skyline = [...cutOut(skyline, x, x + width), { x, y: y + height, width }].sort((a, b) => a.x - b.x);
    tiles.push({ size, x, y, ...picture });
    all = {
      width: Math.max(all.width, x + width - GAP_PX),
      height: Math.max(all.height, y + height - GAP_PX),
    };
  }
  return { tiles: tiles.sort((a, b) => a.y - b.y || a.x - b.x), ...all };
}

/** The grid with room around it, as far as it needs some to be scrolled until a tile is in the middle of the room. */
export function withMiddle<One>(grid: GridLayout<One>, tile: PlacedTile<One>, room: Box): GridLayout<One> {
  const [x, y] = [tile.x + tile.width / 2, tile.y + tile.height / 2];
  const [left, top] = [Math.max(0, room.width / 2 - x), Math.max(0, room.height / 2 - y)];
  const tiles = grid.tiles.map((one) => ({ ...one, x: one.x + left, y: one.y + top }));
  const width = left + Math.max(grid.width, x + room.width / 2);
  return { tiles, width, height: top + Math.max(grid.height, y + room.height / 2) };
}

const scaled = ({ width, height }: Box, scale: number): Box => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

function highestSpot(skyline: readonly Edge[], width: number, widthMax: number): Omit<Edge, "width"> {
  const spots = skyline.filter(({ x }) => x === 0 || x + width <= widthMax);
  const yAt = (x: number): number =>
    Math.max(...skyline.filter((edge) => edge.x < x + width && edge.x + edge.width > x).map(({ y }) => y));
  return spots.map(({ x }) => ({ x, y: yAt(x) })).reduce((best, spot) => (spot.y < best.y ? spot : best));
}

/** The skyline without the stretch between two places. */
const cutOut = (skyline: readonly Edge[], from: number, to: number): Edge[] =>
  skyline.flatMap((edge) => {
    const [end, start] = [edge.x + edge.width, Math.max(edge.x, to)];
    const parts = [
      { ...edge, width: Math.min(end, from) - edge.x },
      { ...edge, x: start, width: end - start },
    ];
    return parts.filter(({ width }) => width > 0);
  });

/** Steps of the zoom; at 1 a pixel of a size is a CSS px. */
const SCALES = [0.1, 0.15, 0.25, 0.33, 0.5, 0.67, 0.75, 1];
/** As small as a set of eighty sizes needs. */
const SCALE_MIN = 0.03;

/** The largest scale, up to 1, at which all sizes are in sight. */
export function fitScale(sizes: readonly Box[], room: Box): number {
  const fits = (scale: number): boolean => {
    const { width, height } = packTiles(sizes, scale, room.width);
    return width <= room.width && height <= room.height;
  };
  if (fits(1)) return 1;
  let low = SCALE_MIN;
  for (let step = (1 - low) / 2; step > 1e-3; step /= 2) if (fits(low + step)) low += step;
  return low;
}

/** A size that is edited is shown this wide or at this scale, whichever is larger, where there is room for it. */
const EDIT = { width: 320, scale: 1 };

/** The scale at which a size is edited: as large as the room lets it be. */
export const editScale = ({ width, height }: Box, room: Box): number =>
  Math.max(
    SCALE_MIN,
    Math.min(Math.max(EDIT.scale, EDIT.width / width), room.width / width, (room.height - LABEL_PX) / height),
  );

/** The next step of the zoom; the scale itself at the end of the steps. */
export const zoomStep = (scale: number, isIn: boolean): number =>
  (isIn ? SCALES.find((step) => step > scale * 1.01) : SCALES.findLast((step) => step < scale * 0.99)) ??
  scale;

const STRIP: Box = { width: 130, height: 80 };

/** Up to three sizes that show what a pack looks like, for a strip of 80 px: a square, a portrait and a banner. */
export function stripTiles<One extends Box>(
  sizes: readonly One[],
): readonly (Box & { readonly size: One })[] {
  const distance = (one: Box, aspect: number): number => Math.abs(Math.log(one.width / one.height / aspect));
  const nearest = (aspect: number) =>
    sizes.toSorted((a, b) => distance(a, aspect) - distance(b, aspect)).slice(0, 1);
  return [...new Set([1, 9 / 16, 4].flatMap(nearest))].map((size) => ({
    size,
    ...scaled(size, Math.min(STRIP.height / size.height, STRIP.width / size.width)),
  }));
}
