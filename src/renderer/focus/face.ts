import type { Box } from "../types.ts";

/** A plane of skin likeness, 0..1, row by row. */
interface SkinPlane {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

const SKIN_MIN = 0.3;
/** Shares of the picture that a face takes: less is a hand or noise, more is sand, wood or a wall. */
const AREA_SHARE_MIN = 0.006;
const AREA_SHARE_MAX = 0.2;
/** Height over width of the skin of a face, and how much of its box it fills. */
const TALL_MIN = 1;
const TALL_MAX = 2.4;
const FILL_MIN = 0.46;
/** A face lower than this is rather a hand. */
const CENTRE_Y_MAX = 0.7;
/** Hair over the skin, and air at the sides and under the chin, in sizes of the skin's box. */
const HAIR = 0.5;
const SIDES = 0.22;
const CHIN = 0.12;

/** The head of the likeliest face: the largest compact patch of skin with its hair; null when there is none. */
export function headOf({ width, height, values }: SkinPlane): Box | null {
  const seen = new Uint8Array(values.length);
  let best: Box | null = null;
  let bestArea = 0;
  for (let start = 0; start < values.length; start += 1) {
    if (seen[start] === 1 || (values[start] ?? 0) < SKIN_MIN) continue;
    const patch = patchFrom(start, { width, height, values }, seen);
    if (patch.area <= bestArea || !isFaceLike(patch, width, height)) continue;
    best = patch.box;
    bestArea = patch.area;
  }
  if (best === null) return null;
  const left = Math.max(0, best.x - best.width * SIDES);
  const top = Math.max(0, best.y - best.height * HAIR);
  return {
    x: left,
    y: top,
    width: Math.min(width, best.x + best.width * (1 + SIDES)) - left,
    height: Math.min(height, best.y + best.height * (1 + CHIN)) - top,
  };
}

interface Patch {
  readonly box: Box;
  readonly area: number;
}

function isFaceLike({ box, area }: Patch, width: number, height: number): boolean {
  const share = area / (width * height);
  const tall = box.height / box.width;
  const isAtRim = box.x === 0 || box.x + box.width === width || box.y + box.height === height;
  return (
    share >= AREA_SHARE_MIN &&
    share <= AREA_SHARE_MAX &&
    tall >= TALL_MIN &&
    tall <= TALL_MAX &&
    area >= box.width * box.height * FILL_MIN &&
    box.y + box.height / 2 <= height * CENTRE_Y_MAX &&
    !isAtRim
  );
}

/** Gathers the connected skin around a pixel. */
function patchFrom(start: number, { width, height, values }: SkinPlane, seen: Uint8Array): Patch {
  const open = [start];
  seen[start] = 1;
  let area = 0;
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const x = at % width;
    const y = Math.floor(at / width);
    area += 1;
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
    for (const [nextX, nextY] of [
      [x - 1, y],
      [x + 1, y],
      [x, y - 1],
      [x, y + 1],
    ] as const) {
      if (nextX < 0 || nextY < 0 || nextX >= width || nextY >= height) continue;
      const next = nextY * width + nextX;
      if (seen[next] === 1 || (values[next] ?? 0) < SKIN_MIN) continue;
      seen[next] = 1;
      open.push(next);
    }
  }
  return { box: { x: left, y: top, width: right - left, height: bottom - top }, area };
}
