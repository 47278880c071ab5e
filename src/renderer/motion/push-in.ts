import type { FrameFormat } from "#catalogue/types.ts";
import { isInside } from "../box-geometry.ts";
import type { CanvasSize } from "../compose/prepared-pack.ts";
import { isOverlapping } from "../layout/design/boxes.ts";
import type { Box } from "../types.ts";
import { SLACK_PX } from "./choreography.ts";

/** A photo's transform before it rests: scaled about the centre of its box, then moved, in pixels of the canvas. */
export interface PhotoStart {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Start scales of a photo: a smaller one if its crop has room, then larger ones. */
const SMALLER = 1 / 1.08;
const LARGER = [1.07, 1.035];
/** A smaller change of scale is not visible. */
const CHANGE_MIN = 0.015;
/** Number of moments between start and rest at which boxes are checked. */
const STEPS = 8;

/**
 * The start of a photo: a little smaller if its crop has room and protected areas allow it, else a little larger.
 * `part` is the part of the photo (`base`) in its `box` at rest. `whole` areas that are whole at rest stay whole
 * throughout, and `bare` areas that none of the `covers` overlaps at rest stay uncovered. Null if that is impossible.
 */
export function startOfPush(
  base: CanvasSize,
  part: Box,
  box: Box,
  { whole, bare }: { readonly whole: readonly Box[]; readonly bare: readonly Box[] },
  covers: readonly Box[],
): PhotoStart | null {
  const room = Math.max(part.width / base.width, part.height / base.height);
  const scale = Math.max(SMALLER, room);
  const starts = [
    ...(1 - scale >= CHANGE_MIN ? [withinPhoto(base, part, box, scale)] : []),
    ...LARGER.flatMap((times) => anchorsOf(whole[0] ?? box, box, times)),
  ];
  const isWhole = (inner: Box): boolean => isInside(inner, box, SLACK_PX);
  const isBare = (inner: Box): boolean => !covers.some((cover) => isOverlapping(inner, cover));
  const isKept = (start: PhotoStart, boxes: readonly Box[], isGood: (inner: Box) => boolean): boolean =>
    boxes.filter(isGood).every((inner) => boxesOnPath(inner, start, box).every(isGood));
  return starts.find((start) => isKept(start, whole, isWhole) && isKept(start, bare, isBare)) ?? null;
}

/**
 * Starts enlarged about a fixed point: the centre of the first area to keep, then combinations with the box's edges.
 */
function anchorsOf(main: Box, box: Box, times: number): readonly PhotoStart[] {
  const xs = [main.x + main.width / 2, box.x, box.x + box.width];
  const ys = [main.y + main.height / 2, box.y, box.y + box.height];
  return xs.flatMap((x) => ys.map((y) => about({ x, y }, box, times)));
}

/** A start at a smaller scale, its part centred as far as the photo's edges allow. */
function withinPhoto(base: CanvasSize, part: Box, box: Box, scale: number): PhotoStart {
  const along = (start: number, shown: number, whole: number, length: number): number => {
    const wider = shown / scale;
    const from = Math.min(Math.max(0, start + (shown - wider) / 2), whole - wider);
    return ((start + shown / 2 - (from + wider / 2)) / shown) * length * scale;
  };
  return {
    scale,
    x: along(part.x, part.width, base.width, box.width),
    y: along(part.y, part.height, base.height, box.height),
  };
}

/** A start at a larger scale, in which `anchor` is as near as possible to its place at rest. */
const about = (anchor: { readonly x: number; readonly y: number }, box: Box, scale: number): PhotoStart => ({
  scale,
  x: clamped((box.x + box.width / 2 - anchor.x) * (scale - 1), (box.width / 2) * (scale - 1)),
  y: clamped((box.y + box.height / 2 - anchor.y) * (scale - 1), (box.height / 2) * (scale - 1)),
});

const clamped = (value: number, most: number): number => Math.min(most, Math.max(-most, value));

const boxesOnPath = (inner: Box, start: PhotoStart, box: Box): readonly Box[] =>
  Array.from({ length: STEPS }, (_, step) => movedBox(inner, start, box, 1 - step / STEPS));

/** Position of a box of the photo while a fraction `left` of the motion remains. `inner` is its position at rest. */
export function movedBox(inner: Box, { scale, x, y }: PhotoStart, box: Box, left: number): Box {
  const now = 1 + (scale - 1) * left;
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  return {
    x: middleX + (inner.x - middleX) * now + x * left,
    y: middleY + (inner.y - middleY) * now + y * left,
    width: inner.width * now,
    height: inner.height * now,
  };
}

/** The part of a photo that its box shows while posed; `part` is the part at rest. */
export function partWhenPosed(part: Box, box: Box, { scale, x, y }: PhotoStart): Box {
  const width = part.width / scale;
  const height = part.height / scale;
  return {
    x: part.x + (part.width - width) / 2 - (x / scale / box.width) * part.width,
    y: part.y + (part.height - height) / 2 - (y / scale / box.height) * part.height,
    width,
    height,
  };
}

/** Bytes of a moving photo per pixel and frame, measured on photographs. */
const BYTES_PER_PIXEL: Readonly<Record<FrameFormat, number>> = { gif: 0.4, apng: 0.5, webp: 0.07 };
/** Largest fraction of the byte cap for moving photos. */
const CAP_SHARE = 0.55;
/**
 * Maximum number of pixels that a moving photo may change in all frames together, enough for a 1080 × 1920 story. That
 * many pixels of noise take 7 s to encode once.
 */
const MOVING_PX_MAX = 27_000_000;

/** Whether a photo that changes in every frame fits the byte cap and the time limit. */
export function fitsWhileMoving(
  { width, height }: Box,
  frames: number,
  format: FrameFormat,
  byteCap: number | null,
): boolean {
  const changed = width * height * frames;
  return (
    changed <= MOVING_PX_MAX && (byteCap === null || changed * BYTES_PER_PIXEL[format] <= byteCap * CAP_SHARE)
  );
}
