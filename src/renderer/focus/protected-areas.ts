import { grown } from "../box-geometry.ts";
import type { MainSubject } from "../subjects/subject-map.ts";
import type { Box, Face, Placement } from "../types.ts";

/** A part of a picture to show whole and keep free of text. Boxes are fractions 0..1 of the upright picture. */
export interface ProtectedArea {
  /** `kept` and `point` were given by the caller. */
  readonly kind: "face" | "kept" | "point" | "subject";
  /** The whole area; for a face, the head with hair and chin, and a little space. */
  readonly whole: Box;
  /** The part that no dense scrim may cover: for a face only the features, otherwise the whole area. */
  readonly core: Box;
}

/** In a crowd only the largest heads are protected. */
const FACES_MAX = 40;
/** Space around a head, relative to its height. */
const AIR = 0.03;
/** Half the edge of the square around a given point, in fractions of the picture. */
const POINT_REACH = 0.02;
/** The fraction by which a head in a corner of the picture counts less than one in its centre. */
const CORNER_LOSS = 0.5;

/**
 * The protected areas of a picture, the most important first: the area or point that the caller named, then faces by
 * size and place, then the main subject if the caller named nothing. An uncertain subject is protected too: its box is
 * large, so that most of the photo is shown.
 */
export function protectedAreasOf(
  faces: readonly Face[],
  placement: Placement | undefined,
  subject: MainSubject | null = null,
): readonly ProtectedArea[] {
  const point = placement !== undefined && "focalPoint" in placement ? placement.focalPoint : null;
  const centre = point ?? { x: 0.5, y: 0.5 };
  const importance = ({ head }: Face): number => {
    const across = head.x + head.width / 2 - centre.x;
    const down = head.y + head.height / 2 - centre.y;
    const apart = Math.min(1, (across * across + down * down) * 2);
    // With a focal point, the nearest face comes first, however small.
    return point === null ? head.width * head.height * (1 - CORNER_LOSS * apart) : 1 - apart;
  };
  const heads = faces
    .map((face) => ({ face, worth: importance(face) }))
    .sort((one, other) => other.worth - one.worth)
    .slice(0, FACES_MAX)
    .map(({ face }): ProtectedArea => ({ kind: "face", whole: withAir(face.head), core: face.box }));
  if (placement === undefined) {
    if (subject === null) return heads;
    const box = trimmed(subject.box);
    return [...heads, { kind: "subject", whole: box, core: box }];
  }
  if ("keep" in placement) {
    const kept = insidePicture(placement.keep);
    return [{ kind: "kept", whole: kept, core: kept }, ...heads];
  }
  const { x, y } = placement.focalPoint;
  const around = insidePicture(grown({ x, y, width: 0, height: 0 }, POINT_REACH));
  return [{ kind: "point", whole: around, core: around }, ...heads];
}

/** The fraction of a subject that may be cut off at each side. At least 92 % of its area stays visible. */
const SUBJECT_TRIM = 0.02;

const trimmed = ({ x, y, width, height }: Box): Box => ({
  x: x + width * SUBJECT_TRIM,
  y: y + height * SUBJECT_TRIM,
  width: width * (1 - 2 * SUBJECT_TRIM),
  height: height * (1 - 2 * SUBJECT_TRIM),
});

const withAir = (head: Box): Box => insidePicture(grown(head, head.height * AIR));

/** The part of a box (fractions) inside the picture. */
export function insidePicture({ x, y, width, height }: Box): Box {
  const left = Math.min(1, Math.max(0, x));
  const top = Math.min(1, Math.max(0, y));
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(1, x + width) - left),
    height: Math.max(0, Math.min(1, y + height) - top),
  };
}
