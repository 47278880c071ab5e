import type { Box } from "../types.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The person's own right and left: the right ear is on the left of the picture. */
export interface KeyPoints {
  readonly nose: Point;
  readonly rightEar: Point;
  readonly leftEar: Point;
}

/*
 * Measured against 130 faces that were marked by hand from the hairline to the chin and from ear to ear, in edges of the
 * network's box.
 */
const ABOVE_BOX = 0.08;
const BELOW_BOX = 0.06;
/** The ears' outer edges lie beyond their points. */
const BESIDE_EARS = 0.07;
/** Of a head that lies, the ears are above each other. */
const WIDTH_MIN = 0.8;

/** Hair over the hairline, beside the ears, and air under the chin. */
const HAIR_ABOVE = 0.5;
const HAIR_BESIDE = 0.14;
const CHIN_BELOW = 0.12;
/** A head that looks to the side has its back on the other one: as far behind the ear as the nose is before it. */
const BACK_OF_HEAD = 0.6;
/** The top of a tilted head lies to the side, by half of what one ear is higher than the other. */
const TILT = 0.5;

/**
 * The face and the head of a box from the brow to the mouth, upright as the network sees them: the face from the hairline
 * to the chin and from ear to ear, or to the nose of a profile; the head with hair and chin.
 */
export function faceAndHead(
  box: Box,
  { nose, rightEar, leftEar }: KeyPoints,
): { readonly face: Box; readonly head: Box } {
  const edge = box.height;
  const outermost = [rightEar.x, leftEar.x, nose.x];
  const [first, last] = [Math.min(...outermost), Math.max(...outermost)];
  const beyond = Math.max(BESIDE_EARS * edge, (WIDTH_MIN * edge - (last - first)) / 2);
  const [left, right] = [first - beyond, last + beyond];
  const top = box.y - ABOVE_BOX * edge;
  const bottom = box.y + box.height + BELOW_BOX * edge;
  const aside = nose.x - (rightEar.x + leftEar.x) / 2;
  const beside = HAIR_BESIDE * edge + Math.abs(rightEar.y - leftEar.y) * TILT;
  return {
    face: fromEdges(left, top, right, bottom),
    head: fromEdges(
      left - beside - Math.max(0, aside) * BACK_OF_HEAD,
      top - HAIR_ABOVE * edge,
      right + beside + Math.max(0, -aside) * BACK_OF_HEAD,
      bottom + CHIN_BELOW * edge,
    ),
  };
}

const fromEdges = (left: number, top: number, right: number, bottom: number): Box => ({
  x: left,
  y: top,
  width: right - left,
  height: bottom - top,
});
