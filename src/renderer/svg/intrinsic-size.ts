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
 * as its content is drawn to fill it. Null when neither tells a size.
 */
export function readIntrinsicSize(attributes: ReadonlyMap<string, string>): IntrinsicSize | null {
  const width = readLength(attributes.get("width"));
  const height = readLength(attributes.get("height"));
  const viewBox = readViewBox(attributes.get("viewBox"));
  if (viewBox !== null) {
    const scale = width !== null ? width / viewBox[2] : height !== null ? height / viewBox[3] : 1;
    return { width: viewBox[2] * scale, height: viewBox[3] * scale, viewBox };
  }
  if (width === null || height === null) return null;
  return { width, height, viewBox: [0, 0, width, height] };
}

function readLength(text: string | undefined): number | null {
  const found = /^\s*\+?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(px|pt|pc|mm|cm|in)?\s*$/i.exec(text ?? "");
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
