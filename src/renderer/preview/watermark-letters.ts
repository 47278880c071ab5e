import { type Path, PathBuilder } from "../vector/index.ts";

/**
 * The word of the mark as outlines of its own: it must be the same whatever font a pack is set in, and whether that
 * font has Latin letters or not. Units of the capitals' height, y down; a counter runs the other way round.
 */

type Contour = readonly (readonly [x: number, y: number])[];
interface Letter {
  readonly advance: number;
  readonly contours: readonly Contour[];
}

/** A contour from its points, "x y" each. */
const contourOf = (points: string): Contour =>
  points.split(", ").map((point) => {
    const [x = 0, y = 0] = point.split(" ").map(Number);
    return [x, y];
  });

const BOWL_COUNTER = contourOf("0.18 0.16, 0.18 0.4, 0.36 0.4, 0.44 0.36, 0.47 0.28, 0.44 0.2, 0.36 0.16");

const P: Letter = {
  advance: 0.66,
  contours: [
    contourOf("0 0, 0.4 0, 0.57 0.07, 0.65 0.19, 0.65 0.37, 0.57 0.49, 0.4 0.56, 0.18 0.56, 0.18 1, 0 1"),
    BOWL_COUNTER,
  ],
};
const R: Letter = {
  advance: 0.72,
  contours: [
    contourOf(
      "0 0, 0.4 0, 0.57 0.07, 0.65 0.19, 0.65 0.37, 0.59 0.47, 0.49 0.53, 0.71 1, 0.5 1, 0.3 0.56, 0.18 0.56, 0.18 1, 0 1",
    ),
    BOWL_COUNTER,
  ],
};
const E: Letter = {
  advance: 0.57,
  contours: [
    contourOf(
      "0 0, 0.57 0, 0.57 0.16, 0.18 0.16, 0.18 0.42, 0.51 0.42, 0.51 0.58, 0.18 0.58, 0.18 0.84, 0.57 0.84, 0.57 1, 0 1",
    ),
  ],
};
const V: Letter = {
  advance: 0.76,
  contours: [contourOf("0 0, 0.2 0, 0.38 0.72, 0.56 0, 0.76 0, 0.48 1, 0.28 1")],
};
const I: Letter = { advance: 0.18, contours: [contourOf("0 0, 0.18 0, 0.18 1, 0 1")] };
const W: Letter = {
  advance: 1.06,
  contours: [
    contourOf(
      "0 0, 0.19 0, 0.31 0.68, 0.44 0, 0.62 0, 0.75 0.68, 0.87 0, 1.06 0, 0.86 1, 0.66 1, 0.53 0.36, 0.4 1, 0.2 1",
    ),
  ],
};

const WORD: readonly Letter[] = [P, R, E, V, I, E, W];
const LETTER_SPACING = 0.18;

/** Width of the word, in heights of its capitals. */
export const WORD_WIDTH =
  WORD.reduce((sum, letter) => sum + letter.advance, 0) + LETTER_SPACING * (WORD.length - 1);

/** The word's outline, every point taken to where `place` puts it. */
export function watermarkPath(place: (x: number, y: number) => readonly [x: number, y: number]): Path {
  const builder = new PathBuilder();
  let left = 0;
  for (const letter of WORD) {
    for (const contour of letter.contours) {
      contour.forEach(([x, y], index) => {
        const [placedX, placedY] = place(left + x, y);
        if (index === 0) builder.moveTo(placedX, placedY);
        else builder.lineTo(placedX, placedY);
      });
      builder.close();
    }
    left += letter.advance + LETTER_SPACING;
  }
  return builder.build();
}
