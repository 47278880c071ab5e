import type { Box } from "../types.ts";
import { type Path, VECTOR_LIMITS, VERB } from "./path.ts";
import { RowCoverage } from "./row-coverage.ts";

/** Coverage of a shape on a box of whole canvas pixels, which is empty when the shape lies outside the region. */
export interface Mask extends Box {
  /** `width * height` bytes, row by row: 0 is outside, 255 inside, between them the share of the pixel's area. */
  readonly coverage: Uint8Array;
}

/**
 * Fills a path by the non-zero winding rule with exact-area antialiasing. The mask covers only the shape's pixels
 * inside `region` (whole pixels of the canvas); nothing outside is allocated or drawn. Throws a RangeError when the
 * mask would have more than `maskPixelsMax` pixels.
 */
export function fillPath(path: Path, region: Box): Mask {
  const edges = flattenPath(path);
  const box = pixelBounds(edges, region);
  if (box.width <= 0 || box.height <= 0) return emptyMask(box.x, box.y);
  if (box.width * box.height > VECTOR_LIMITS.maskPixelsMax)
    throw new RangeError("A mask has too many pixels.");
  const coverage = new Uint8Array(box.width * box.height);
  const firstEdges = edgesByFirstRow(edges, box);
  const row = new RowCoverage(box.width);
  const { coordinates } = edges;
  let active: number[] = [];
  for (let r = 0; r < box.height; r += 1) {
    const top = box.y + r;
    for (let e = firstEdges.starts[r] ?? 0; e < (firstEdges.starts[r + 1] ?? 0); e += 1) {
      active.push((firstEdges.order[e] ?? 0) * 4);
    }
    let isDone = false;
    for (const at of active) {
      const y0 = coordinates[at + 1] ?? 0;
      const y1 = coordinates[at + 3] ?? 0;
      row.addEdge((coordinates[at] ?? 0) - box.x, y0 - top, (coordinates[at + 2] ?? 0) - box.x, y1 - top);
      if (Math.max(y0, y1) <= top + 1) isDone = true;
    }
    row.write(coverage, r * box.width);
    if (isDone) {
      active = active.filter((at) => Math.max(coordinates[at + 1] ?? 0, coordinates[at + 3] ?? 0) > top + 1);
    }
  }
  return { ...box, coverage };
}

export function emptyMask(x: number, y: number): Mask {
  return { x, y, width: 0, height: 0, coverage: new Uint8Array(0) };
}

/** The box of whole pixels in which the edges and the region overlap. */
function pixelBounds({ coordinates }: Edges, region: Box): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < coordinates.length; i += 2) {
    const x = coordinates[i] ?? 0;
    const y = coordinates[i + 1] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const x = Math.max(Math.floor(left), Math.ceil(region.x));
  const y = Math.max(Math.floor(top), Math.ceil(region.y));
  const width = Math.min(Math.ceil(right), Math.floor(region.x + region.width)) - x;
  const height = Math.min(Math.ceil(bottom), Math.floor(region.y + region.height)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : { x: 0, y: 0, width: 0, height: 0 };
}

/** Edges in the order of the first row they touch, without those above or below the box. */
function edgesByFirstRow(
  { coordinates, count }: Edges,
  box: Box,
): { starts: Uint32Array; order: Uint32Array } {
  const firstRow = new Int32Array(count).fill(-1);
  const starts = new Uint32Array(box.height + 1);
  for (let e = 0; e < count; e += 1) {
    const y0 = coordinates[e * 4 + 1] ?? 0;
    const y1 = coordinates[e * 4 + 3] ?? 0;
    const lowest = Math.max(y0, y1);
    const first = Math.max(0, Math.floor(Math.min(y0, y1)) - box.y);
    if (first >= box.height || lowest <= box.y) continue;
    firstRow[e] = first;
    starts[first + 1] = (starts[first + 1] ?? 0) + 1;
  }
  for (let r = 0; r < box.height; r += 1) starts[r + 1] = (starts[r + 1] ?? 0) + (starts[r] ?? 0);
  const order = new Uint32Array(starts[box.height] ?? 0);
  const at = starts.slice();
  for (let e = 0; e < count; e += 1) {
    const r = firstRow[e] ?? -1;
    if (r < 0) continue;
    const slot = at[r] ?? 0;
    order[slot] = e;
    at[r] = slot + 1;
  }
  return { starts, order };
}

/** Straight edges of closed contours: x0, y0, x1, y1 of each, in drawing direction. */
interface Edges {
  readonly coordinates: Float64Array;
  readonly count: number;
}

/** The point of a curve at the parameter `t`; `s` is 1 − t. */
type CurvePoint = (s: number, t: number) => readonly [x: number, y: number];

/**
 * Converts curves to straight pieces, at most `flatnessPx` from the curve, and closes open contours. The number of
 * pieces follows from the second differences of the control points (G. Wang, "The subdivision method for finding the
 * intersection between two Bézier curves", 1984).
 */
function flattenPath(path: Path): Edges {
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
  // Math.hypot may differ by an ulp between engines; Math.sqrt is exactly rounded in all of them.
  return Math.sqrt(dx * dx + dy * dy);
}

function pieceCount(squared: number): number {
  return Math.min(VECTOR_LIMITS.segmentsPerCurveMax, Math.max(1, Math.ceil(Math.sqrt(squared))));
}

class EdgeList {
  #coordinates = new Float64Array(512);
  #length = 0;

  /** Horizontal edges bound no area between rows and are dropped. */
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
