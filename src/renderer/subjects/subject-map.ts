import type { Box } from "../types.ts";

/** The main subject of a picture: what a reader looks at first. */
export interface MainSubject {
  /** Around the subject, in shares 0..1 of the upright picture. */
  readonly box: Box;
  /** How sure the detector is of the box, 0..1. */
  readonly certainty: number;
}

/** Below this certainty a layout puts neither words nor a card on the picture. */
export const CERTAIN_MIN = 0.5;

/** Whether each side of a picture is a plain background that can go on beyond its edge. */
export interface PlainSides {
  readonly top: boolean;
  readonly right: boolean;
  readonly bottom: boolean;
  readonly left: boolean;
}

/** What a picture shows where, read from its thumbnail. */
export interface SubjectMap {
  readonly width: number;
  readonly height: number;
  /** How much each pixel of the thumbnail belongs to an object rather than to the background, 0..1. */
  readonly values: Float64Array;
  /** Null where nothing stands out, and in a background that has no certain subject. */
  readonly main: MainSubject | null;
  readonly plainSides: PlainSides;
}
