/** x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A box; right and bottom are not less than left and top. */
export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export const combined = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
];

const FUNCTION = /\s*,?\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]{0,400})\)/y;

/** A `transform` attribute's matrix (SVG 1.1, 7.6); null for what cannot be read. */
export function parseTransform(text: string | undefined): Matrix | null {
  let matrix = IDENTITY;
  const source = (text ?? "").trim();
  for (let at = 0; at < source.length; ) {
    FUNCTION.lastIndex = at;
    const found = FUNCTION.exec(source);
    if (found === null) return null;
    const numbers = (found[2] ?? "")
      .split(/[\s,]+/)
      .filter((part) => part !== "")
      .map(Number);
    const step = numbers.every(Number.isFinite) ? matrixOf(found[1] ?? "", numbers) : null;
    if (step === null) return null;
    matrix = combined(matrix, step);
    at = FUNCTION.lastIndex;
  }
  return matrix.every(Number.isFinite) ? matrix : null;
}

function matrixOf(name: string, numbers: readonly number[]): Matrix | null {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = numbers;
  const radians = (first * Math.PI) / 180;
  switch (name) {
    case "matrix":
      return numbers.length === 6 ? [first, second, third, fourth, fifth, sixth] : null;
    case "translate":
      return [1, 0, 0, 1, first, second];
    case "scale":
      return [first, 0, 0, numbers.length > 1 ? second : first, 0, 0];
    case "rotate": {
      const turn: Matrix = [
        Math.cos(radians),
        Math.sin(radians),
        -Math.sin(radians),
        Math.cos(radians),
        0,
        0,
      ];
      return combined(combined([1, 0, 0, 1, second, third], turn), [1, 0, 0, 1, -second, -third]);
    }
    case "skewX":
      return [1, 0, Math.tan(radians), 1, 0, 0];
    case "skewY":
      return [1, Math.tan(radians), 0, 1, 0, 0];
    default:
      return null;
  }
}

/** The box around a box that was moved. */
export function movedBounds({ left, top, right, bottom }: Bounds, [a, b, c, d, e, f]: Matrix): Bounds {
  const corners = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ] as const;
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
