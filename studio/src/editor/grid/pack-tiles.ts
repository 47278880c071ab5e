/** Width and height, in CSS px or in pixels of a size. */
interface Box {
  readonly width: number;
  readonly height: number;
}

/** A size's place on the grid, in CSS px from the upper left corner, in true proportions. */
export interface PlacedTile<One> extends Box {
  readonly size: One;
  readonly x: number;
  readonly y: number;
}

export interface GridLayout<One> extends Box {
  /** Reading order: top to bottom, left to right. */
  readonly tiles: readonly PlacedTile<One>[];
}

const GAP_PX = 20;
/** Height of the label under each picture. */
const LABEL_PX = 22;
/** Minimum tile size, for its label and for touch (WCAG 2.5.8). */
export const PLACE_MIN = { width: 76, height: 24 };

/** A segment of the lower edge of all placed tiles. */
interface Edge {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * Packs sizes at one scale into a given width: longest first, each as high up as it fits (skyline method: Jylänki
 * 2010). Equal inputs give equal results.
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

/** Adds enough padding to scroll a tile to the middle of the visible area. */
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

/** Removes the part between two positions from the skyline. */
const cutOut = (skyline: readonly Edge[], from: number, to: number): Edge[] =>
  skyline.flatMap((edge) => {
    const [end, start] = [edge.x + edge.width, Math.max(edge.x, to)];
    const parts = [
      { ...edge, width: Math.min(end, from) - edge.x },
      { ...edge, x: start, width: end - start },
    ];
    return parts.filter(({ width }) => width > 0);
  });

/** Zoom steps, in CSS px per pixel of a size. */
const SCALES = [0.1, 0.15, 0.25, 0.33, 0.5, 0.67, 0.75, 1];
/** Minimum scale, small enough to show eighty sizes. */
const SCALE_MIN = 0.03;

/** The largest scale, up to 1, at which all sizes fit. */
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

/** An edited size gets at least this width in CSS px and this scale, if there is room. */
const EDIT = { width: 320, scale: 1 };

/** Scale for editing a size, limited by the available space. */
export const editScale = ({ width, height }: Box, room: Box): number =>
  Math.max(
    SCALE_MIN,
    Math.min(Math.max(EDIT.scale, EDIT.width / width), room.width / width, (room.height - LABEL_PX) / height),
  );

/** The next larger or smaller zoom step; the given scale if there is none. */
export const zoomStep = (scale: number, isIn: boolean): number =>
  (isIn ? SCALES.find((step) => step > scale * 1.01) : SCALES.findLast((step) => step < scale * 0.99)) ??
  scale;

const STRIP: Box = { width: 130, height: 80 };

/** Up to three typical sizes for the strip, which is 80 px high: a square, a portrait and a banner. */
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
