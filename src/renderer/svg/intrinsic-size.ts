import { SIDE_MAX, SIDE_MIN } from "./limits.ts";

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

/** Every part has one way to match: a million digits are refused as fast as ten. */
const LENGTH = /^\+?(\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(e[-+]?\d{1,4})?(px|pt|pc|mm|cm|in)?$/i;

/**
 * Reads the root's `viewBox`, `width` and `height`. The view box gives the proportions when there is one,
 * as its content is drawn to fill it. Null when neither tells a size.
 */
export function readIntrinsicSize(attributes: ReadonlyMap<string, string>): IntrinsicSize | null {
  const width = readLength(attributes.get("width"));
  const height = readLength(attributes.get("height"));
  const viewBox = readViewBox(attributes.get("viewBox"));
  if (viewBox !== null) {
    const scale = width !== null ? width / viewBox[2] : height !== null ? height / viewBox[3] : 1;
    return usable({ width: viewBox[2] * scale, height: viewBox[3] * scale, viewBox });
  }
  if (width === null || height === null) return null;
  return usable({ width, height, viewBox: [0, 0, width, height] });
}

/** Null for sides with which nothing can be computed. */
function usable(size: IntrinsicSize): IntrinsicSize | null {
  const [x, y, ...sides] = size.viewBox;
  const isWithin = [size.width, size.height, ...sides].every((side) => side >= SIDE_MIN && side <= SIDE_MAX);
  return isWithin && Math.max(Math.abs(x), Math.abs(y)) <= SIDE_MAX ? size : null;
}

function readLength(text: string | undefined): number | null {
  const found = LENGTH.exec((text ?? "").trim());
  if (found === null) return null;
  const value = Number(`${found[1]}${found[2] ?? ""}`) * (UNIT_PX[(found[3] ?? "").toLowerCase()] ?? 1);
  return Number.isFinite(value) && value > 0 ? value : null;
}

function readViewBox(text: string | undefined): readonly [number, number, number, number] | null {
  const numbers = (text ?? "")
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(Number);
  const [x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN] = numbers;
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || width <= 0 || height <= 0) return null;
  return [x, y, width, height];
}
