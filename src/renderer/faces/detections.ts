import { commonArea, fromEdges } from "../box-geometry.ts";
import { freeBytes } from "../buffers.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import type { Box } from "../types.ts";
import { CELL_NUMBERS, type FaceDetector, GRID_EDGE, SCAN_EDGE_PX } from "./face-detector.ts";
import { drawScan, type QuarterTurns, type Scan, viewAround } from "./scan.ts";

/** A detection: a face found in a scan. Boxes are in pixels of the pyramid's base. */
export interface Detection extends Candidate {
  /** Clockwise quarter turns of the picture that made the face upright. */
  readonly turns: QuarterTurns;
}

/** Below this logit a detection may be a face, but its bounds are not reliable. */
const WEAK_LOGIT = -0.4;
/** A box nearer to a tile's edge than this fraction of the box's longer edge may be only part of a face. */
const CUT_SHARE = 0.03;

/** The faces in one scan with a logit of at least `logitMin`, without duplicates, most likely first. */
export function detectFaces(
  detector: FaceDetector,
  pyramid: Pyramid,
  scan: Scan,
  logitMin: number,
): readonly Detection[] {
  const { pixels, views } = drawScan(pyramid, scan);
  const cells = detector.scan(pixels);
  freeBytes(pixels);
  const found = candidatesOf(cells, logitMin).flatMap(({ box, face, head, logit }) => {
    const view = viewAround(views, box);
    if (view === null) return [];
    const { turns, toBase } = view;
    return [{ box: toBase(box), face: toBase(face), head: toBase(head), logit, turns }];
  });
  return mergeDetections(found.filter(({ box }) => !isCut(box, scan.part, pyramid.base)));
}

/** The same face in another scan, with a logit of at least `logitMin`; null if it is not found there. */
export const findSameFace = (
  detector: FaceDetector,
  pyramid: Pyramid,
  scan: Scan,
  logitMin: number,
  { box }: Detection,
): Detection | null =>
  detectFaces(detector, pyramid, scan, logitMin).find((other) => isSameFace(other.box, box)) ?? null;

export const meanLogit = (one: Detection, other: Detection): number => (one.logit + other.logit) / 2;

/** The more likely of two detections; on a tie, the second. */
export const likelier = (one: Detection, other: Detection): Detection =>
  one.logit > other.logit ? one : other;

/**
 * Joins detections of the same face. Boxes are means, weighted by how far the logit is above `WEAK_LOGIT`; weaker
 * detections count only if a face has no others. The logit is the highest one. Most likely first; detections with equal
 * logits keep their order.
 */
export function mergeDetections(detections: readonly Detection[]): readonly Detection[] {
  const merged: Detection[] = [];
  let rest = [...detections].sort((a, b) => b.logit - a.logit);
  for (let best = rest[0]; best !== undefined; best = rest[0]) {
    const { box } = best;
    const same = rest.filter((other) => other === best || isSameFace(box, other.box));
    const others = new Set(same);
    rest = rest.filter((other) => !others.has(other));
    const telling = same.filter(({ logit }) => logit >= WEAK_LOGIT);
    const mean = (part: "box" | "face" | "head"): Box =>
      weightedMean(telling.map((one) => ({ box: one[part], weight: weightOf(one) })));
    merged.push(
      telling.length === 0 ? best : { ...best, box: mean("box"), face: mean("face"), head: mean("head") },
    );
  }
  return merged;
}

/** Positive, so that even a single detection at the limit has a weighted mean. */
const weightOf = ({ logit }: Detection): number => logit - WEAK_LOGIT + 1e-3;

/** Whether a box reaches an edge of the part that is not an edge of the picture. */
function isCut(box: Box, part: Box, picture: { readonly width: number; readonly height: number }): boolean {
  const margin = Math.max(box.width, box.height) * CUT_SHARE;
  return (
    (part.x > 0 && box.x < part.x + margin) ||
    (part.y > 0 && box.y < part.y + margin) ||
    (part.x + part.width < picture.width && box.x + box.width > part.x + part.width - margin) ||
    (part.y + part.height < picture.height && box.y + box.height > part.y + part.height - margin)
  );
}

/** A possible face in the network's output; boxes in pixels of the scan. */
interface Candidate {
  /** The network's own box: a square from the brow to the mouth. */
  readonly box: Box;
  readonly face: Box;
  readonly head: Box;
  /** Score before the logistic function: 0 is a probability of one half. */
  readonly logit: number;
}

const CELL_PX = SCAN_EDGE_PX / GRID_EDGE;
/** Offsets of the box in a cell's numbers. */
const BOX = { x: 1, y: 2, width: 3, height: 4 } as const;
/** Offset of each pair of coordinates; an ear's point is where its lower edge meets the cheek. */
const KEY_POINTS = { nose: 9, rightEar: 13, leftEar: 15 } as const;

/** The decoded cells with a logit of at least `logitMin`, row by row. */
export function candidatesOf(cells: Float32Array, logitMin: number): readonly Candidate[] {
  const found: Candidate[] = [];
  for (let cell = 0; cell < GRID_EDGE * GRID_EDGE; cell += 1) {
    const at = cell * CELL_NUMBERS;
    const logit = cells[at] ?? 0;
    if (!(logit >= logitMin)) continue;
    const width = cells[at + BOX.width] ?? 0;
    const height = cells[at + BOX.height] ?? 0;
    if (!(width > 0 && height > 0)) continue;
    // Every cell has one anchor: its centre.
    const left = ((cell % GRID_EDGE) + 0.5) * CELL_PX;
    const top = (Math.floor(cell / GRID_EDGE) + 0.5) * CELL_PX;
    const pointAt = (number: number) => ({
      x: left + (cells[at + number] ?? 0),
      y: top + (cells[at + number + 1] ?? 0),
    });
    const centre = pointAt(BOX.x);
    const box: Box = { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
    const points: KeyPoints = {
      nose: pointAt(KEY_POINTS.nose),
      rightEar: pointAt(KEY_POINTS.rightEar),
      leftEar: pointAt(KEY_POINTS.leftEar),
    };
    found.push({ box, logit, ...faceAndHead(box, points) });
  }
  return found;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The person's own right and left: the right ear is on the left of the picture. */
interface KeyPoints {
  readonly nose: Point;
  readonly rightEar: Point;
  readonly leftEar: Point;
}

/*
 * Margins as multiples of the edge of the network's box, measured on 130 faces marked by hand from the hairline to the
 * chin and from ear to ear.
 */
const ABOVE_BOX = 0.08;
const BELOW_BOX = 0.06;
/** The ears' outer edges are beyond their points. */
const BESIDE_EARS = 0.07;
/** Minimum width of a face: in a head on its side, one ear is above the other. */
const WIDTH_MIN = 0.8;

/** Hair above the hairline and beside the ears, and space below the chin. */
const HAIR_ABOVE = 0.5;
const HAIR_BESIDE = 0.14;
const CHIN_BELOW = 0.12;
/** Length of a head in profile behind the ears, relative to the distance from the ears to the nose. */
const BACK_OF_HEAD = 0.6;
/** The top of a tilted head is shifted sideways by half of the height difference of the ears. */
const TILT = 0.5;

/**
 * Face and head for a box from the brow to the mouth, upright as in the scan. The face reaches from the hairline to the
 * chin and from ear to ear, or to the nose of a profile; the head includes hair and chin.
 */
function faceAndHead(
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

/**
 * Two boxes show the same face if their intersection over union is more than `UNION_SHARE_MIN`, or if more than
 * `INSIDE_SHARE_MIN` of the smaller box is inside the larger box.
 */
const UNION_SHARE_MIN = 0.3;
const INSIDE_SHARE_MIN = 0.7;

export function isSameFace(one: Box, other: Box): boolean {
  const shared = commonArea(one, other);
  const [oneArea, otherArea] = [one.width * one.height, other.width * other.height];
  return (
    shared > UNION_SHARE_MIN * (oneArea + otherArea - shared) ||
    shared > INSIDE_SHARE_MIN * Math.min(oneArea, otherArea)
  );
}

/** The mean of boxes, summed in order because the result of float sums depends on it. */
function weightedMean(boxes: readonly { readonly box: Box; readonly weight: number }[]): Box {
  const total = boxes.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (read: (box: Box) => number): number =>
    boxes.reduce((sum, { box, weight }) => sum + read(box) * weight, 0) / total;
  return {
    x: mean((box) => box.x),
    y: mean((box) => box.y),
    width: mean((box) => box.width),
    height: mean((box) => box.height),
  };
}
