import { SIDE_MAX, SIDE_MIN } from "./limits.ts";
import { isLetter, Scanner } from "./scanner.ts";
import type { WorkBudget } from "./work-budget.ts";

/** The picture's own size in its user units, and the part of the plane that it shows. */
export interface IntrinsicSize {
  readonly width: number;
  readonly height: number;
  readonly viewBox: readonly [number, number, number, number];
}

/** CSS pixels of an absolute unit (CSS Values 4, 6.2). */
const UNIT_PX: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
};

/**
 * Reads the root's `viewBox`, `width` and `height`. The view box gives the proportions when there is one,
 * as its content is drawn to fill it. Null when neither gives a size.
 */
export function readIntrinsicSize(
  attributes: ReadonlyMap<string, string>,
  steps: WorkBudget,
): IntrinsicSize | null {
  const width = readLength(attributes.get("width") ?? "", steps);
  const height = readLength(attributes.get("height") ?? "", steps);
  const viewBox = readViewBox(attributes.get("viewBox") ?? "", steps);
  if (viewBox !== null) {
    const scale = width !== null ? width / viewBox[2] : height !== null ? height / viewBox[3] : 1;
    return usable({ width: viewBox[2] * scale, height: viewBox[3] * scale, viewBox });
  }
  if (width === null || height === null) return null;
  return usable({ width, height, viewBox: [0, 0, width, height] });
}

/** Null for sides too large or too small to compute with. */
function usable(size: IntrinsicSize): IntrinsicSize | null {
  const [x, y, ...sides] = size.viewBox;
  const isWithin = [size.width, size.height, ...sides].every((side) => side >= SIDE_MIN && side <= SIDE_MAX);
  return isWithin && Math.max(Math.abs(x), Math.abs(y)) <= SIDE_MAX ? size : null;
}

/** Null when it is not a positive length, or its unit depends on the surroundings (`em`, `%`). */
function readLength(text: string, steps: WorkBudget): number | null {
  const scanner = new Scanner(text, steps);
  scanner.skipSpace();
  const number = scanner.takeNumber();
  const unit = scanner.takeWhile(isLetter);
  scanner.skipSpace();
  const scale = unit.length > 2 ? undefined : UNIT_PX[unit.toLowerCase()];
  if (number === null || scale === undefined || !scanner.isAtEnd) return null;
  const value = number * scale;
  return Number.isFinite(value) && value > 0 ? value : null;
}

function readViewBox(text: string, steps: WorkBudget): readonly [number, number, number, number] | null {
  const scanner = new Scanner(text, steps);
  const take = (): number => {
    scanner.skipSeparators();
    return scanner.takeNumber() ?? Number.NaN;
  };
  const [x, y, width, height] = [take(), take(), take(), take()];
  scanner.skipSpace();
  const isBox = [x, y, width, height].every(Number.isFinite) && width > 0 && height > 0;
  return isBox && scanner.isAtEnd ? [x, y, width, height] : null;
}
