import type { Box } from "../types.ts";

/** How close each pixel is to skin tone, 0..1, row by row. */
interface SkinPlane {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

const SKIN_MIN = 0.3;
/** Shares of the picture that a face takes: less is a hand or noise, more is sand, wood or a wall. */
const AREA_SHARE_MIN = 0.006;
const AREA_SHARE_MAX = 0.2;
/**
 * Where doubt begins and ends, so that a picture decoded a little larger is not read otherwise: height over width
 * of the skin, how much of its box it fills, and its part of all skin-coloured pixels (blossoms, sand and wood
 * have the hue too, and fall into patches of which some are shaped like a face).
 */
const TALL = { none: 0.9, sure: 1.1 } as const;
const SLIM = { none: 2.6, sure: 2.2 } as const;
const FILL = { none: 0.42, sure: 0.52 } as const;
const PART_OF_ALL = { none: 0.12, sure: 0.3 } as const;
/** A patch of skin lower than this is more likely a hand. */
const CENTRE_Y_MAX = 0.7;
/** Hair over the skin, and air at the sides and under the chin, in sizes of the skin's box. */
const HAIR = 0.5;
const SIDES = 0.22;
const CHIN = 0.12;

/** Where a head is, and how sure that is: above 0, at most 1. */
export interface Head {
  readonly box: Box;
  readonly confidence: number;
}

/** The head of the likeliest face: the largest compact patch of skin with its hair; null when there is none. */
export function headOf({ width, height, values }: SkinPlane): Head | null {
  const seen = new Uint8Array(values.length);
  const patches: Patch[] = [];
  let skinArea = 0;
  for (let start = 0; start < values.length; start += 1) {
    if (seen[start] === 1 || (values[start] ?? 0) < SKIN_MIN) continue;
    const patch = patchFrom(start, { width, height, values }, seen);
    skinArea += patch.area;
    patches.push(patch);
  }
  let best: Head | null = null;
  let bestArea = 0;
  for (const patch of patches) {
    if (patch.area <= bestArea) continue;
    const confidence = faceLikeness(patch, width, height) * ramp(patch.area / skinArea, PART_OF_ALL);
    if (confidence === 0) continue;
    best = { box: withHair(patch.box, width, height), confidence };
    bestArea = patch.area;
  }
  return best;
}

function withHair(skin: Box, width: number, height: number): Box {
  const left = Math.max(0, skin.x - skin.width * SIDES);
  const top = Math.max(0, skin.y - skin.height * HAIR);
  return {
    x: left,
    y: top,
    width: Math.min(width, skin.x + skin.width * (1 + SIDES)) - left,
    height: Math.min(height, skin.y + skin.height * (1 + CHIN)) - top,
  };
}

interface Patch {
  readonly box: Box;
  readonly area: number;
}

/** 0 to 1, by size, shape and place. */
function faceLikeness({ box, area }: Patch, width: number, height: number): number {
  const share = area / (width * height);
  const isAtRim = box.x === 0 || box.x + box.width === width || box.y + box.height === height;
  if (isAtRim || share < AREA_SHARE_MIN || share > AREA_SHARE_MAX) return 0;
  if (box.y + box.height / 2 > height * CENTRE_Y_MAX) return 0;
  const tall = box.height / box.width;
  return ramp(tall, TALL) * ramp(tall, SLIM) * ramp(area / (box.width * box.height), FILL);
}

/** Rises from 0 to 1 between two values, or falls when `sure` is the smaller. */
function ramp(value: number, { none, sure }: { readonly none: number; readonly sure: number }): number {
  return Math.min(1, Math.max(0, (value - none) / (sure - none)));
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
