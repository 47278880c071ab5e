import { fillPath, type Mask, type Path, PathBuilder } from "../vector/index.ts";
import type { MarkValues } from "./mark-values.ts";

/** The words rise at 28°: cosine and sine are exact fractions, so that every engine places the same points. */
const COSINE = 15 / 17;
const SINE = 8 / 17;

/** Gap between two words, and distance between rows, as multiples of the capitals' height. */
const GAP = 1.8;
const ROW_PITCH = 2.9;
/**
 * Ranges of random shifts, half to either side: of a word off its row, as a fraction of the capitals' height, and of a
 * row along itself, as a fraction of the distance between words.
 */
const STRAY = 0.6;
const ROW_STRAY = 0.25;

/**
 * Height of the capitals on a picture, in pixels: legible on the smallest strip, and so small that any useful crop
 * contains words.
 */
export function capitalsPx(width: number, height: number): number {
  return Math.max(9, Math.min(28, Math.round(Math.sqrt(width * height) / 19)));
}

/** Coverage of the words on a picture, `width * height` bytes each: alternating rows are lighter and darker. */
export interface WatermarkCoverage {
  readonly light: Uint8Array;
  readonly dark: Uint8Array;
}

/** Scatters the words over a picture: `values` shift the whole pattern, each row and each word. */
export function watermarkCoverage(width: number, height: number, values: MarkValues): WatermarkCoverage {
  const capitals = capitalsPx(width, height);
  const pitchX = (WORD_WIDTH + GAP) * capitals;
  const pitchY = ROW_PITCH * capitals;
  const phaseX = values(0) * pitchX;
  const phaseY = values(1) * pitchY;
  const word = drawWord(capitals);
  const light = new Uint8Array(width * height);
  const dark = new Uint8Array(width * height);

  // Rows lie on a plane rotated about the picture's centre. The picture's corners are at most this far from the centre.
  const reach = (width + height) / 2;
  const rows = Math.ceil(reach / pitchY) + 1;
  const columns = Math.ceil(reach / pitchX) + 2;
  let next = 2;
  for (let row = -rows; row <= rows; row += 1) {
    // Shift rows by thirds, so that no column of gaps runs through the picture.
    const stagger = ((((row % 3) + 3) % 3) / 3 + (values(next++) - 0.5) * ROW_STRAY) * pitchX;
    for (let column = -columns; column <= columns; column += 1) {
      const across = column * pitchX + stagger + phaseX;
      const down = row * pitchY + phaseY + (values(next++) - 0.5) * STRAY * capitals;
      const x = Math.round(width / 2 + across * COSINE + down * SINE) + word.x;
      const y = Math.round(height / 2 - across * SINE + down * COSINE) + word.y;
      stamp((row & 1) === 0 ? light : dark, width, height, word, x, y);
    }
  }
  return { light, dark };
}

/** The rising word, its first letter's top left at 0, 0. */
function drawWord(capitals: number): Mask {
  const reach = Math.ceil((WORD_WIDTH + 1) * capitals);
  const path = watermarkPath((x, y) => [
    (x * COSINE + y * SINE) * capitals,
    (y * COSINE - x * SINE) * capitals,
  ]);
  return fillPath(path, { x: -reach, y: -reach, width: reach * 2, height: reach * 2 });
}

function stamp(coverage: Uint8Array, width: number, height: number, word: Mask, x: number, y: number): void {
  const firstColumn = Math.max(0, -x);
  const lastColumn = Math.min(word.width, width - x);
  for (let row = Math.max(0, -y); row < Math.min(word.height, height - y); row += 1) {
    let from = row * word.width + firstColumn;
    let to = (y + row) * width + x + firstColumn;
    for (let column = firstColumn; column < lastColumn; column += 1, from += 1, to += 1) {
      const covered = word.coverage[from] ?? 0;
      if (covered > (coverage[to] ?? 0)) coverage[to] = covered;
    }
  }
}

/**
 * The watermark's word as outlines, so that it is the same in every pack, whatever its font and script. Units of the
 * capitals' height, y down; counters have the opposite winding.
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

/** Width of the word, as a multiple of its capitals' height. */
const WORD_WIDTH = WORD.reduce((sum, letter) => sum + letter.advance, 0) + LETTER_SPACING * (WORD.length - 1);

/** The word's outline, every point mapped by `place`. */
function watermarkPath(place: (x: number, y: number) => readonly [x: number, y: number]): Path {
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
