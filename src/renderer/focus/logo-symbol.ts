import type { Box, Raster } from "../types.ts";

const VISIBLE_ALPHA_MIN = 48;
/** A symbol stands off its name by more than the letters do from each other, and by this share of the logo's height. */
const GAP_TIMES = 1.35;
const GAP_SHARE_MIN = 0.06;
/** Width / height of what looks like a symbol; flatter shapes are words. */
const ASPECT = { min: 0.45, max: 2 } as const;
/** A symbol is at least this high, against the whole logo's height. */
const HEIGHT_SHARE_MIN = 0.5;

interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * The symbol beside or over a logo's name: the first or last shape along the longer side that a wide gap sets apart. The
 * whole logo where it is compact; null where it consists of letters only. In pixels of the raster, which is a cut-out.
 */
export function logoSymbol(raster: Raster): Box | null {
  const whole: Box = { x: 0, y: 0, width: raster.width, height: raster.height };
  const shape = visibleIn(raster, whole);
  if (shape === null) return null;
  if (isCompact(shape)) return shape;
  const runs = runsAcross(raster, shape);
  const gaps = runs.slice(1).map(({ from }, at) => from - (runs[at]?.to ?? 0));
  for (const [at, gap] of [
    [0, gaps[0]],
    [runs.length - 1, gaps[gaps.length - 1]],
  ] as const) {
    const run = runs[at];
    if (run === undefined || gap === undefined || runs.length < 3) continue;
    const others = gaps.filter((_, index) => index !== Math.min(at, gaps.length - 1));
    if (gap < Math.max(...others) * GAP_TIMES || gap < shape.height * GAP_SHARE_MIN) continue;
    const symbol = visibleIn(raster, { ...shape, x: run.from, width: run.to - run.from });
    if (symbol !== null && isCompact(symbol) && symbol.height >= shape.height * HEIGHT_SHARE_MIN)
      return symbol;
  }
  return null;
}

const isCompact = ({ width, height }: Box): boolean =>
  width >= height * ASPECT.min && width <= height * ASPECT.max;

const isVisible = ({ width, pixels }: Raster, x: number, y: number): boolean =>
  (pixels[(y * width + x) * 4 + 3] ?? 0) >= VISIBLE_ALPHA_MIN;

/** Neighbouring columns in which something is visible. */
function runsAcross(raster: Raster, { x, y, width, height }: Box): readonly Run[] {
  const runs: Run[] = [];
  let from: number | null = null;
  for (let column = x; column <= x + width; column += 1) {
    let isTaken = false;
    for (let row = y; row < y + height && !isTaken; row += 1)
      isTaken = column < x + width && isVisible(raster, column, row);
    if (isTaken) from ??= column;
    else if (from !== null) {
      runs.push({ from, to: column });
      from = null;
    }
  }
  return runs;
}

function visibleIn(raster: Raster, { x, y, width, height }: Box): Box | null {
  let [left, top, right, bottom] = [x + width, y + height, -1, -1];
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) {
      if (!isVisible(raster, column, row)) continue;
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = row;
    }
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
