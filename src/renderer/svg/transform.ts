import type { Bounds } from "../box-geometry.ts";
import type { WorkBudget } from "./limits.ts";
import { isLetter, Scanner } from "./scanner.ts";

/** x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The product of two matrices: applies `inner`, then `outer`. */
export const multiplyMatrices = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
];

/** Maximum number of operands of a function: `matrix` has six. */
const OPERANDS_MAX = 6;

/** A `transform` attribute's matrix (SVG 1.1, 7.6); null when unreadable. */
export function parseTransform(text: string | undefined, steps: WorkBudget): Matrix | null {
  if (text === undefined) return IDENTITY;
  const scanner = new Scanner(text, steps);
  let matrix = IDENTITY;
  for (scanner.skipSeparators(); !scanner.isAtEnd; scanner.skipSeparators()) {
    const name = scanner.takeWhile(isLetter);
    scanner.skipSpace();
    const operands = scanner.take("(") ? takeOperands(scanner) : null;
    const step = operands === null ? null : matrixOf(name, operands);
    if (step === null) return null;
    matrix = multiplyMatrices(matrix, step);
  }
  return matrix.every(Number.isFinite) ? matrix : null;
}

/** Numbers up to a closing bracket. */
function takeOperands(scanner: Scanner): readonly number[] | null {
  const operands: number[] = [];
  for (;;) {
    scanner.skipSeparators();
    if (scanner.take(")")) return operands;
    const operand = scanner.takeNumber();
    if (operand === null || !Number.isFinite(operand) || operands.length === OPERANDS_MAX) return null;
    operands.push(operand);
  }
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
      return multiplyMatrices(multiplyMatrices([1, 0, 0, 1, second, third], turn), [
        1,
        0,
        0,
        1,
        -second,
        -third,
      ]);
    }
    case "skewX":
      return [1, 0, Math.tan(radians), 1, 0, 0];
    case "skewY":
      return [1, Math.tan(radians), 0, 1, 0, 0];
    default:
      return null;
  }
}

/** The bounding box of a transformed box. */
export function transformBounds({ left, top, right, bottom }: Bounds, [a, b, c, d, e, f]: Matrix): Bounds {
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
