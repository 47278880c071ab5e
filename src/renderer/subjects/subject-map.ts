import type { Box } from "../types.ts";

/** The main subject of a picture: what a viewer looks at first. */
export interface MainSubject {
  /** Box of the subject, in fractions 0..1 of the upright picture. */
  readonly box: Box;
  /** The certainty of the box, 0..1. */
  readonly certainty: number;
}

/** Below this certainty a layout puts neither text nor a card on the picture. */
export const CERTAIN_MIN = 0.5;

/** Whether each side of a picture is a plain background that can be extended past its edge. */
export interface PlainSides {
  readonly top: boolean;
  readonly right: boolean;
  readonly bottom: boolean;
  readonly left: boolean;
}

/** The objects and plain sides of a picture, read from its thumbnail. */
export interface SubjectMap {
  readonly width: number;
  readonly height: number;
  /** How much each pixel of the thumbnail belongs to an object rather than to the background, 0..1. */
  readonly values: Float64Array;
  /** Null if nothing is salient, and for a background without a certain subject. */
  readonly main: MainSubject | null;
  readonly plainSides: PlainSides;
}
