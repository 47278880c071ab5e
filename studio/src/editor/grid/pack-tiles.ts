import type { Box } from "#ui/size-tiles.tsx";

/** A size in its place on the grid, in CSS px from the upper left corner. */
export interface PlacedTile<One> {
  readonly size: One;
  readonly x: number;
  readonly y: number;
  /** Of the picture: true proportions, at the scale of the whole grid. */
  readonly width: number;
  readonly height: number;
}

export interface GridLayout<One> {
  /** In reading order: from the top, and from the left. */
  readonly tiles: readonly PlacedTile<One>[];
  readonly width: number;
  readonly height: number;
}

const GAP_PX = 20;
/** Of the label under each picture. */
const LABEL_PX = 22;
/** The least place of a tile: for its label, and for a finger (WCAG 2.5.8). */
const WIDTH_PX_MIN = 76;
export const HEIGHT_PX_MIN = 24;

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
  const tiles: PlacedTile<One>[] = [];
  let skyline: readonly Edge[] = [{ x: 0, y: 0, width: Number.POSITIVE_INFINITY }];
  let [right, bottom] = [0, 0];
  for (const size of sizes.toSorted((a, b) => longer(b) - longer(a) || b.height - a.height)) {
    const picture = { width: pixels(size.width * scale), height: pixels(size.height * scale) };
    const width = Math.max(WIDTH_PX_MIN, picture.width) + GAP_PX;
    const height = Math.max(HEIGHT_PX_MIN, picture.height) + LABEL_PX + GAP_PX;
    const { x, y } = spotFor(skyline, width, widthMax + GAP_PX);
    skyline = [...cutOut(skyline, x, x + width), { x, y: y + height, width }].sort((a, b) => a.x - b.x);
    tiles.push({ size, x, y, ...picture });
    right = Math.max(right, x + width - GAP_PX);
    bottom = Math.max(bottom, y + height - GAP_PX);
  }
  return { tiles: tiles.sort((a, b) => a.y - b.y || a.x - b.x), width: right, height: bottom };
}

const pixels = (length: number): number => Math.max(1, Math.round(length));
const longer = ({ width, height }: Box): number => Math.max(width, height);

/** The highest spot along the skyline that is wide enough, of several the first from the left. */
function spotFor(
  skyline: readonly Edge[],
  width: number,
  widthMax: number,
): { readonly x: number; readonly y: number } {
  let best = { x: 0, y: Number.POSITIVE_INFINITY };
  for (const { x } of skyline) {
    if (x > 0 && x + width > widthMax) break;
    const y = Math.max(
      ...skyline.filter((edge) => edge.x < x + width && edge.x + edge.width > x).map((edge) => edge.y),
    );
    if (y < best.y) best = { x, y };
  }
  return best;
}

/** The skyline without what is between two places. */
const cutOut = (skyline: readonly Edge[], from: number, to: number): Edge[] =>
  skyline.flatMap((edge) => {
    const end = edge.x + edge.width;
    const before = { ...edge, width: Math.min(end, from) - edge.x };
    const after = { ...edge, x: Math.max(edge.x, to), width: end - Math.max(edge.x, to) };
    return [before, after].filter((part) => part.width > 0);
  });

/** Steps of the zoom; at 1 a pixel of a size is a CSS px. */
const SCALES = [0.1, 0.15, 0.25, 0.33, 0.5, 0.67, 0.75, 1];
/** As small as a set of eighty sizes needs. */
const SCALE_MIN = 0.03;
const HALVINGS = 12;

/** The largest scale, up to 1, at which all sizes are in sight. */
export function fitScale(sizes: readonly Box[], room: Box): number {
  const fits = (scale: number): boolean => {
    const { width, height } = packTiles(sizes, scale, room.width);
    return width <= room.width && height <= room.height;
  };
  let [low, high] = [SCALE_MIN, 1];
  if (fits(high)) return high;
  for (let left = HALVINGS; left > 0; left -= 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The next step of the zoom; the scale itself at the end of the steps. */
export const zoomStep = (scale: number, direction: "in" | "out"): number =>
  (direction === "in"
    ? SCALES.find((step) => step > scale * 1.01)
    : SCALES.findLast((step) => step < scale * 0.99)) ?? scale;

const STRIP = { width: 190, height: 96 };

/** Up to three sizes that show what a pack looks like, for a strip of 96 px: a square, a portrait and a banner. */
export function stripTiles<One extends Box>(sizes: readonly One[]): readonly PlacedTile<One>[] {
  const aspect = ({ width, height }: Box): number => Math.log(width / height);
  const nearest = (wanted: number) =>
    sizes.toSorted((a, b) => Math.abs(aspect(a) - wanted) - Math.abs(aspect(b) - wanted))[0];
  const chosen = new Set([0, Math.log(9 / 16), Math.log(4)].map(nearest).filter((one) => one !== undefined));
  return [...chosen].map((size) => {
    const scale = Math.min(STRIP.height / size.height, STRIP.width / size.width);
    return { size, x: 0, y: 0, width: pixels(size.width * scale), height: pixels(size.height * scale) };
  });
}
