import { type Path, VECTOR_LIMITS, VERB } from "./path.ts";

/** Straight edges of closed contours: x0, y0, x1, y1 of each, in the direction drawn. */
export interface Edges {
  readonly coordinates: Float64Array;
  readonly count: number;
}

/** The point of a curve at `t` from its start and `s`, which is 1 − t, from its end. */
type CurvePoint = (s: number, t: number) => readonly [x: number, y: number];

/**
 * Turns curves into straight pieces no farther than `flatnessPx` from them and closes open contours.
 * The number of pieces follows from the second differences of the control points
 * (G. Wang, "The subdivision method for finding the intersection between two Bézier curves", 1984).
 */
export function flattenPath(path: Path): Edges {
  const edges = new EdgeList();
  const points = path.points;
  let startX = 0;
  let startY = 0;
  let x = 0;
  let y = 0;
  let at = 0;
  const next = (): number => points[at++] ?? 0;
  const addLine = (toX: number, toY: number): void => {
    edges.add(x, y, toX, toY);
    x = toX;
    y = toY;
  };
  const addCurve = (squaredPieces: number, toX: number, toY: number, pointAt: CurvePoint): void => {
    const pieces = pieceCount(squaredPieces);
    for (let i = 1; i < pieces; i += 1) addLine(...pointAt(1 - i / pieces, i / pieces));
    addLine(toX, toY);
  };
  for (const verb of path.verbs) {
    if (verb === VERB.move || verb === VERB.close) {
      addLine(startX, startY);
    }
    if (verb === VERB.move) {
      x = startX = next();
      y = startY = next();
    } else if (verb === VERB.line) {
      addLine(next(), next());
    } else if (verb === VERB.quad) {
      const [cx, cy, toX, toY] = [next(), next(), next(), next()];
      const bend = distance(x - 2 * cx + toX, y - 2 * cy + toY);
      const [fromX, fromY] = [x, y];
      addCurve(bend / (4 * VECTOR_LIMITS.flatnessPx), toX, toY, (s, t) => [
        s * s * fromX + 2 * s * t * cx + t * t * toX,
        s * s * fromY + 2 * s * t * cy + t * t * toY,
      ]);
    } else if (verb === VERB.cubic) {
      const [ax, ay, bx, by, toX, toY] = [next(), next(), next(), next(), next(), next()];
      const bend = Math.max(
        distance(x - 2 * ax + bx, y - 2 * ay + by),
        distance(ax - 2 * bx + toX, ay - 2 * by + toY),
      );
      const [fromX, fromY] = [x, y];
      addCurve((3 * bend) / (4 * VECTOR_LIMITS.flatnessPx), toX, toY, (s, t) => {
        const [k0, k1, k2, k3] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
        return [k0 * fromX + k1 * ax + k2 * bx + k3 * toX, k0 * fromY + k1 * ay + k2 * by + k3 * toY];
      });
    }
  }
  edges.add(x, y, startX, startY);
  return edges.finish();
}

function distance(dx: number, dy: number): number {
  // Math.hypot may differ by an ulp between engines; sqrt is exactly rounded everywhere.
  return Math.sqrt(dx * dx + dy * dy);
}

function pieceCount(squared: number): number {
  return Math.min(VECTOR_LIMITS.segmentsPerCurveMax, Math.max(1, Math.ceil(Math.sqrt(squared))));
}

class EdgeList {
  #coordinates = new Float64Array(512);
  #length = 0;

  /** Level edges bound no area between rows and are left out. */
  add(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return;
    if (this.#length === this.#coordinates.length) {
      const grown = new Float64Array(this.#length * 2);
      grown.set(this.#coordinates);
      this.#coordinates = grown;
    }
    this.#coordinates[this.#length] = x0;
    this.#coordinates[this.#length + 1] = y0;
    this.#coordinates[this.#length + 2] = x1;
    this.#coordinates[this.#length + 3] = y1;
    this.#length += 4;
  }

  finish(): Edges {
    return { coordinates: this.#coordinates.subarray(0, this.#length), count: this.#length / 4 };
  }
}
