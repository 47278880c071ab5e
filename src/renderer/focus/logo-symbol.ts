import { unionOf } from "../box-geometry.ts";
import type { Box, Raster } from "../types.ts";

const VISIBLE_ALPHA_MIN = 48;
/** Minimum gap between a symbol and the name, relative to the gaps between letters and to the logo's height. */
const GAP_TIMES = 1.35;
const GAP_SHARE_MIN = 0.06;
/** Width / height of a symbol; flatter shapes are words. */
const ASPECT = { min: 0.45, max: 2 };
/** Minimum height of a symbol, relative to the whole logo's. */
const HEIGHT_SHARE_MIN = 0.5;

/**
 * The symbol beside a logo's name: its first or last shape, separated by a wide gap. The whole logo if it is compact;
 * null for a wordmark. In pixels of the raster, which is a cut-out.
 */
export function logoSymbol(raster: Raster): Box | null {
  const shapes = shapesAcross(raster);
  if (shapes.length === 0) return null;
  const whole = unionOf(shapes);
  if (isCompact(whole)) return whole;
  const gaps = shapes.slice(1).map(({ x }, at) => x - right(shapes[at] ?? whole));
  const isSymbol = (shape: Box | undefined, gap: number, others: readonly number[]): shape is Box =>
    shape !== undefined &&
    others.length > 0 &&
    gap >= Math.max(...others) * GAP_TIMES &&
    gap >= whole.height * GAP_SHARE_MIN &&
    isCompact(shape) &&
    shape.height >= whole.height * HEIGHT_SHARE_MIN;
  const [first, last] = [shapes[0], shapes[shapes.length - 1]];
  if (isSymbol(first, gaps[0] ?? 0, gaps.slice(1))) return first;
  return isSymbol(last, gaps[gaps.length - 1] ?? 0, gaps.slice(0, -1)) ? last : null;
}

const right = ({ x, width }: Box): number => x + width;

const isCompact = ({ width, height }: Box): boolean =>
  width >= height * ASPECT.min && width <= height * ASPECT.max;

/** Boxes around runs of adjacent non-empty columns. */
function shapesAcross({ width, height, pixels }: Raster): readonly Box[] {
  const shapes: Box[] = [];
  for (let x = 0; x < width; x += 1) {
    let [top, bottom] = [height, -1];
    for (let y = 0; y < height; y += 1) {
      if ((pixels[(y * width + x) * 4 + 3] ?? 0) < VISIBLE_ALPHA_MIN) continue;
      top = Math.min(top, y);
      bottom = y;
    }
    if (bottom < 0) continue;
    const column: Box = { x, y: top, width: 1, height: bottom + 1 - top };
    const last = shapes[shapes.length - 1];
    if (last !== undefined && right(last) === x) shapes[shapes.length - 1] = unionOf([last, column]);
    else shapes.push(column);
  }
  return shapes;
}

const SOLID_ALPHA_MIN = 250;
/** A pixel counts only if all pixels at these offsets are solid: scaling darkens and brightens pixels near a rim. */
const RIM_OFFSETS = [
  [0, 0],
  [2, 0],
  [-2, 0],
  [0, 2],
  [0, -2],
] as const;
const CLEAR_ALPHA_MAX = 56;
/** Difference of neighbouring bytes, summed over red, green and blue, that looks like an edge. */
const EDGE_MIN = 48;

/**
 * The fraction 0..1 of a shape's edges that lie between its own colours: 0 for a mark of one colour, near 1 for a
 * photograph or white letters on a filled badge. In one colour such a shape would lose the details that those edges
 * draw. Premultiplied input.
 */
export function innerDetail({ width, height, pixels }: Raster): number {
  let inner = 0;
  let outer = 0;
  const alphaAt = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (pixels[(y * width + x) * 4 + 3] ?? 0);
  const isWithin = (x: number, y: number): boolean =>
    RIM_OFFSETS.every(([dx, dy]) => alphaAt(x + dx, y + dy) >= SOLID_ALPHA_MIN);
  const compare = (x: number, y: number, otherX: number, otherY: number): void => {
    const isClear = alphaAt(x, y) <= CLEAR_ALPHA_MAX;
    if (isClear !== alphaAt(otherX, otherY) <= CLEAR_ALPHA_MAX) outer += 1;
    else if (!isClear && isEdge(pixels, (y * width + x) * 4, (otherY * width + otherX) * 4)) {
      if (isWithin(x, y) && isWithin(otherX, otherY)) inner += 1;
    }
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (x + 1 < width) compare(x, y, x + 1, y);
      if (y + 1 < height) compare(x, y, x, y + 1);
    }
  }
  return inner + outer === 0 ? 0 : inner / (inner + outer);
}

function isEdge(pixels: Uint8ClampedArray, one: number, other: number): boolean {
  const difference =
    Math.abs((pixels[one] ?? 0) - (pixels[other] ?? 0)) +
    Math.abs((pixels[one + 1] ?? 0) - (pixels[other + 1] ?? 0)) +
    Math.abs((pixels[one + 2] ?? 0) - (pixels[other + 2] ?? 0));
  return difference >= EDGE_MIN;
}
