import { VECTOR_LIMITS } from "./path.ts";

/** A piece of an edge inside one row: y grows from `top` to `bottom`, both within 0 and 1. */
interface Piece {
  readonly top: number;
  readonly bottom: number;
  readonly xAtTop: number;
  readonly slope: number;
  /** +1 where the contour runs down, −1 where it runs up. */
  readonly winding: number;
  /** x where it enters and leaves the current slab. */
  from: number;
  to: number;
}

/**
 * Coverage of one row of pixels under the non-zero rule.
 *
 * Plain signed-area accumulation sums windings, so overlapping contours darken twice at their edges and opposite ones
 * cancel. Here the row is cut into slabs at every edge end and every crossing. Inside a slab edges do not cross, so
 * their order from left to right shows which of them bound the filled area. Only those are accumulated, with their
 * exact area.
 */
export class RowCoverage {
  readonly #width: number;
  readonly #sums: Float64Array;
  #pieces: Piece[] = [];
  #crossingsLeft = 0;

  constructor(width: number) {
    this.#width = width;
    this.#sums = new Float64Array(width + 2);
  }

  /** Adds the part of an edge that lies in the row; y 0 is the row's top, 1 its bottom. */
  addEdge(x0: number, y0: number, x1: number, y1: number): void {
    const isDown = y1 > y0;
    const topX = isDown ? x0 : x1;
    const topY = isDown ? y0 : y1;
    const slope = ((isDown ? x1 : x0) - topX) / ((isDown ? y1 : y0) - topY);
    const top = Math.max(0, topY);
    const bottom = Math.min(1, isDown ? y1 : y0);
    if (bottom <= top) return;
    const xAtTop = topX + (top - topY) * slope;
    this.#pieces.push({ top, bottom, xAtTop, slope, winding: isDown ? 1 : -1, from: 0, to: 0 });
  }

  /** Writes the row's bytes from `at` on and starts the next row. */
  write(coverage: Uint8Array, at: number): void {
    if (this.#pieces.length === 0) return;
    this.#crossingsLeft = VECTOR_LIMITS.crossingsPerRowMax;
    const heights = cutsOf(this.#pieces);
    for (let i = 0; i + 1 < heights.length; i += 1) {
      const top = heights[i] ?? 0;
      const bottom = heights[i + 1] ?? 0;
      if (top < bottom) this.#fillSlab(top, bottom);
    }
    this.#pieces = [];
    const sums = this.#sums;
    let sum = 0;
    let byte = 0;
    for (let x = 0; x < this.#width; x += 1) {
      const step = sums[x] ?? 0;
      // Most pixels have the same coverage as the previous one.
      if (step !== 0) {
        sum += step;
        byte = Math.max(0, Math.min(255, Math.round(sum * 255)));
      }
      coverage[at + x] = byte;
    }
    sums.fill(0);
  }

  /** Fills between two heights that have no edge end between them. Cuts again where edges cross. */
  #fillSlab(slabTop: number, bottom: number): void {
    const row = this.#pieces.filter((piece) => piece.top <= slabTop && piece.bottom >= bottom);
    let top = slabTop;
    while (row.length > 0 && top < bottom) {
      for (const piece of row) {
        piece.from = piece.xAtTop + (top - piece.top) * piece.slope;
        piece.to = piece.xAtTop + (bottom - piece.top) * piece.slope;
      }
      sortPieces(row);
      const share = this.#crossingsLeft > 0 ? firstCrossing(row) : 1;
      if (share === 1) {
        this.#accumulate(row, bottom - top, 1);
        return;
      }
      this.#crossingsLeft -= 1;
      this.#accumulate(row, bottom - top, share);
      top += (bottom - top) * share;
    }
  }

  /** Adds the edges that bound the filled area, over the first `share` of the slab's height. */
  #accumulate(row: readonly Piece[], height: number, share: number): void {
    let winding = 0;
    for (const { winding: turn, from, to } of row) {
      const wasInside = winding !== 0;
      winding += turn;
      const isInside = winding !== 0;
      if (wasInside !== isInside) {
        this.#addArea(from, from + (to - from) * share, isInside ? height * share : -height * share);
      }
    }
  }

  /**
   * Adds the area to the right of a straight edge to the row's pixels, as differences from pixel to pixel: their
   * running sum is the coverage.
   */
  #addArea(from: number, to: number, signedHeight: number): void {
    let left = Math.min(from, to);
    let right = Math.max(from, to);
    let height = signedHeight;
    if (right <= 0) {
      this.#add(0, height);
      return;
    }
    if (left >= this.#width) return;
    if (left < 0) {
      const outside = (height * -left) / (right - left);
      this.#add(0, outside);
      height -= outside;
      left = 0;
    }
    if (right > this.#width) {
      height -= (height * (right - this.#width)) / (right - left);
      right = this.#width;
    }
    const first = Math.floor(left);
    const past = Math.max(first + 1, Math.ceil(right));
    if (past === first + 1) {
      const middle = (left + right) / 2 - first;
      this.#add(first, height * (1 - middle));
      this.#add(first + 1, height * middle);
      return;
    }
    // The area left of the edge within each pixel column that it passes, column by column.
    const perPixel = height / (right - left);
    let covered = 0;
    let before = 0;
    for (let x = first; x < past; x += 1) {
      const enter = Math.max(left, x);
      const leave = Math.min(right, x + 1);
      const passed = (leave - enter) * perPixel;
      const area = before + passed * (1 - ((enter + leave) / 2 - x));
      this.#add(x, area - covered);
      covered = area;
      before += passed;
    }
    this.#add(past, height - covered);
  }

  #add(x: number, amount: number): void {
    this.#sums[x] = (this.#sums[x] ?? 0) + amount;
  }
}

const WHOLE_ROW = Float64Array.of(0, 1);

/** Heights of the edge ends in a row, ascending, some twice. In many rows, all edges pass through the whole row. */
function cutsOf(pieces: readonly Piece[]): Float64Array {
  if (pieces.every(({ top, bottom }) => top === 0 && bottom === 1)) return WHOLE_ROW;
  const cuts = new Float64Array(pieces.length * 2);
  pieces.forEach(({ top, bottom }, at) => {
    cuts[at * 2] = top;
    cuts[at * 2 + 1] = bottom;
  });
  return cuts.sort();
}

/** Up to this many items an insertion sort is faster than the engine's sort. */
const INSERTED_MAX = 16;

/** From left to right. */
function sortPieces(row: Piece[]): void {
  const compare = (a: Piece, b: Piece): number => a.from - b.from || a.to - b.to;
  if (row.length > INSERTED_MAX) {
    row.sort(compare);
    return;
  }
  for (let end = 1; end < row.length; end += 1) {
    const item = row[end];
    if (item === undefined) return;
    let at = end;
    for (let before = row[at - 1]; before !== undefined && compare(before, item) > 0; before = row[at - 1]) {
      row[at] = before;
      at -= 1;
    }
    row[at] = item;
  }
}

/** The share of the slab above the first crossing of two neighbours; 1 when none cross. */
function firstCrossing(row: readonly Piece[]): number {
  let share = 1;
  for (let i = 0; i + 1 < row.length; i += 1) {
    const a = row[i];
    const b = row[i + 1];
    if (a === undefined || b === undefined || a.to <= b.to) continue;
    const gap = b.from - a.from;
    share = Math.min(share, gap / (gap + (a.to - b.to)));
  }
  // Rounding may put a crossing on the cut. A tiny step ensures progress, and its area is negligible.
  return Math.min(1, Math.max(share, 1e-7));
}
