import type { Bounds } from "../box-geometry.ts";
import { coordinatesOf, type Path, VERB } from "./path.ts";

/** The exact bounds of a path's curves, not of their control points; null for a path that draws nothing. */
export function pathExtent(path: Path): Bounds | null {
  const { points, verbs } = path;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const reach = (x: number, y: number): void => {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  };
  let x = 0;
  let y = 0;
  let at = 0;
  let isDrawn = false;
  for (const verb of verbs) {
    const count = coordinatesOf(verb);
    if (count === 0) continue;
    const p = (i: number): number => points[at + i] ?? 0;
    const [toX, toY] = [p(count - 2), p(count - 1)];
    if (verb !== VERB.move) {
      reach(x, y);
      reach(toX, toY);
      isDrawn = true;
    }
    if (verb === VERB.quad) {
      for (const t of quadTurns(x, p(0), toX)) reach(quadAt(t, x, p(0), toX), y);
      for (const t of quadTurns(y, p(1), toY)) reach(x, quadAt(t, y, p(1), toY));
    } else if (verb === VERB.cubic) {
      for (const t of cubicTurns(x, p(0), p(2), toX)) reach(cubicAt(t, x, p(0), p(2), toX), y);
      for (const t of cubicTurns(y, p(1), p(3), toY)) reach(x, cubicAt(t, y, p(1), p(3), toY));
    }
    x = toX;
    y = toY;
    at += count;
  }
  return isDrawn ? { left, top, right, bottom } : null;
}

function quadAt(t: number, a: number, b: number, c: number): number {
  const s = 1 - t;
  return s * s * a + 2 * s * t * b + t * t * c;
}

function cubicAt(t: number, a: number, b: number, c: number, d: number): number {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

/** Where a curve's derivative is zero, strictly between its ends. */
function quadTurns(a: number, b: number, c: number): number[] {
  return [(a - b) / (a - 2 * b + c)].filter(isBetween);
}

function cubicTurns(a: number, b: number, c: number, d: number): number[] {
  const square = d - a + 3 * (b - c);
  const half = a - 2 * b + c;
  const constant = b - a;
  if (Math.abs(square) < 1e-12) return [-constant / (2 * half)].filter(isBetween);
  const root = Math.sqrt(half * half - square * constant);
  return [(-half + root) / square, (-half - root) / square].filter(isBetween);
}

function isBetween(t: number): boolean {
  return t > 0 && t < 1;
}
