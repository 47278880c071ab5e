import { SIDE_MAX, SIDE_MIN, type WorkBudget } from "./limits.ts";
import { isLetter, Scanner, separatedParts } from "./scanner.ts";

/** Left, top, width and height in user units. */
export type ViewBox = readonly [number, number, number, number];

/** The picture's own size, and the part of the plane that it shows. */
export interface IntrinsicSize {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The view box in the file; percentages refer to it. */
  readonly viewBox: ViewBox;
  /** The part of the plane that fills the picture: differs from the view box if their proportions differ. */
  readonly shown: ViewBox;
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
 * Reads the root's `viewBox`, `width`, `height` and `preserveAspectRatio`. The view box supplies a missing width or
 * height. Null when neither gives a size.
 */
export function readIntrinsicSize(
  attributes: ReadonlyMap<string, string>,
  steps: WorkBudget,
): IntrinsicSize | null {
  const width = readLength(attributes.get("width") ?? "", steps);
  const height = readLength(attributes.get("height") ?? "", steps);
  const viewBox = readViewBox(attributes.get("viewBox") ?? "", steps);
  if (viewBox !== null) {
    if (width !== null && height !== null) {
      const shown = shownPart(viewBox, width, height, attributes.get("preserveAspectRatio") ?? "", steps);
      return usable({ width, height, viewBox, shown });
    }
    const scale = width !== null ? width / viewBox[2] : height !== null ? height / viewBox[3] : 1;
    return usable({ width: viewBox[2] * scale, height: viewBox[3] * scale, viewBox, shown: viewBox });
  }
  if (width === null || height === null) return null;
  const whole: ViewBox = [0, 0, width, height];
  return usable({ width, height, viewBox: whole, shown: whole });
}

/** Proportions that differ by less than this count as equal, because such differences come from rounding. */
const SAME_PROPORTIONS = 1e-6;

/** Shares of the free space that are left of and above the view box. */
const ALIGNMENT: Readonly<Record<string, number>> = { Min: 0, Mid: 0.5, Max: 1 };

/** The part of the plane that fills a viewport (SVG 1.1, 7.8). An unreadable value is the default, `xMidYMid meet`. */
function shownPart(
  viewBox: ViewBox,
  width: number,
  height: number,
  preserveAspectRatio: string,
  steps: WorkBudget,
): ViewBox {
  const words = separatedParts(preserveAspectRatio, 3, steps).filter((word) => word !== "defer");
  const [align = "", fit] = words;
  const [left, top, boxWidth, boxHeight] = viewBox;
  const [across, down] = [width / boxWidth, height / boxHeight];
  if (align === "none" || Math.abs(across / down - 1) < SAME_PROPORTIONS) return viewBox;
  const scale = fit === "slice" ? Math.max(across, down) : Math.min(across, down);
  const [shownWidth, shownHeight] = [width / scale, height / scale];
  const x = left - (shownWidth - boxWidth) * (ALIGNMENT[align.slice(1, 4)] ?? 0.5);
  const y = top - (shownHeight - boxHeight) * (ALIGNMENT[align.slice(5)] ?? 0.5);
  return [x, y, shownWidth, shownHeight];
}

/** Null for sides too large or too small to compute with. */
function usable(size: IntrinsicSize): IntrinsicSize | null {
  const [[x, y, ...sides], [shownX, shownY, ...shownSides]] = [size.viewBox, size.shown];
  const isWithin = [size.width, size.height, ...sides, ...shownSides].every(
    (side) => side >= SIDE_MIN && side <= SIDE_MAX,
  );
  return isWithin && Math.max(...[x, y, shownX, shownY].map(Math.abs)) <= SIDE_MAX ? size : null;
}

/** Null when it is not a positive length, or its unit depends on the context (`em`, `%`). */
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

function readViewBox(text: string, steps: WorkBudget): ViewBox | null {
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
