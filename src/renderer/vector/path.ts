import type { Box } from "../types.ts";

/** Verbs, and the number of points of each. */
export const VERB = { move: 0, line: 1, quad: 2, cubic: 3, close: 4 } as const;

/** An outline in float pixels, y down. Every contour counts as closed when filled. */
export interface Path {
  readonly verbs: Uint8Array;
  /** x, y pairs in the order of the verbs. */
  readonly points: Float64Array;
}

/**
 * Builds a {@link Path}. Throws a RangeError on coordinates that are not finite or out of bounds and on paths past the
 * point limit. Both are bugs, because outlines from files are checked earlier.
 */
export class PathBuilder {
  #verbs = new Uint8Array(64);
  #points = new Float64Array(256);
  #verbCount = 0;
  #coordinateCount = 0;

  moveTo(x: number, y: number): this {
    return this.#push(VERB.move, [x, y]);
  }

  lineTo(x: number, y: number): this {
    return this.#push(VERB.line, [x, y]);
  }

  quadTo(controlX: number, controlY: number, x: number, y: number): this {
    return this.#push(VERB.quad, [controlX, controlY, x, y]);
  }

  cubicTo(c1x: number, c1y: number, c2x: number, c2y: number, x: number, y: number): this {
    return this.#push(VERB.cubic, [c1x, c1y, c2x, c2y, x, y]);
  }

  close(): this {
    return this.#push(VERB.close, []);
  }

  /** Adds another path, with its coordinates mapped if maps are given. */
  append(path: Path, mapX: (x: number) => number = same, mapY: (y: number) => number = same): this {
    let at = 0;
    for (const verb of path.verbs) {
      const count = coordinatesOf(verb);
      const coordinates: number[] = [];
      for (let i = 0; i < count; i += 2) {
        coordinates.push(mapX(path.points[at + i] ?? 0), mapY(path.points[at + i + 1] ?? 0));
      }
      this.#push(verb, coordinates);
      at += count;
    }
    return this;
  }

  build(): Path {
    return {
      verbs: this.#verbs.slice(0, this.#verbCount),
      points: this.#points.slice(0, this.#coordinateCount),
    };
  }

  #push(verb: number, coordinates: readonly number[]): this {
    for (const coordinate of coordinates) {
      // Written so that NaN fails too.
      if (!(Math.abs(coordinate) <= VECTOR_LIMITS.coordinatePxMax)) {
        throw new RangeError(`A path coordinate is out of bounds: ${coordinate}`);
      }
    }
    const coordinateCount = this.#coordinateCount + coordinates.length;
    if (coordinateCount > VECTOR_LIMITS.pathPointsMax * 2 || this.#verbCount >= VECTOR_LIMITS.pathPointsMax) {
      throw new RangeError("A path has too many points.");
    }
    if (this.#verbCount === this.#verbs.length) {
      const grown = new Uint8Array(this.#verbs.length * 2);
      grown.set(this.#verbs);
      this.#verbs = grown;
    }
    if (coordinateCount > this.#points.length) {
      const grown = new Float64Array(this.#points.length * 2);
      grown.set(this.#points);
      this.#points = grown;
    }
    this.#verbs[this.#verbCount] = verb;
    this.#points.set(coordinates, this.#coordinateCount);
    this.#verbCount += 1;
    this.#coordinateCount = coordinateCount;
    return this;
  }
}

const same = (coordinate: number): number => coordinate;

/** Number of entries of `points` for a verb. */
export function coordinatesOf(verb: number): number {
  if (verb === VERB.cubic) return 6;
  if (verb === VERB.quad) return 4;
  return verb === VERB.close ? 0 : 2;
}

/** Limits of this module. A shape past them is a bug in the caller, which must check untrusted outlines first. */
export const VECTOR_LIMITS = {
  /** Points of one path. A line of 200 characters of a detailed display face has about 40,000. */
  pathPointsMax: 400_000,
  /** Maximum absolute value of coordinates, in pixels. Keeps every product within the exact range of doubles. */
  coordinatePxMax: 1_000_000,
  /** Straight pieces of one curve. At the tolerance below, that is enough for a curve of some 10,000 px. */
  segmentsPerCurveMax: 128,
  /** Maximum distance of a straight piece from its curve, in pixels: about five of 255 grey levels. */
  flatnessPx: 0.02,
  /** Pixels of one mask: four times the largest canvas of the catalogue. */
  maskPixelsMax: 16_000_000,
  /** Crossings resolved exactly in one row of pixels. A row with more, which only noise has, is approximated. */
  crossingsPerRowMax: 256,
} as const;

/**
 * Distance of the control points from the ends of a cubic that approximates a quarter of a circle of radius 1 (error
 * under 0.03 %).
 */
const QUARTER = 0.5522847498307936;

/** A rectangle with round corners. The radius is at most half the shorter side; 0 gives square corners. */
export function roundedRect(box: Box, radius: number): Path {
  const r = Math.max(0, Math.min(radius, box.width / 2, box.height / 2));
  const off = r * (1 - QUARTER);
  const [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height];
  return new PathBuilder()
    .moveTo(left + r, top)
    .lineTo(right - r, top)
    .cubicTo(right - off, top, right, top + off, right, top + r)
    .lineTo(right, bottom - r)
    .cubicTo(right, bottom - off, right - off, bottom, right - r, bottom)
    .lineTo(left + r, bottom)
    .cubicTo(left + off, bottom, left, bottom - off, left, bottom - r)
    .lineTo(left, top + r)
    .cubicTo(left, top + off, left + off, top, left + r, top)
    .close()
    .build();
}

export function ellipse(centreX: number, centreY: number, radiusX: number, radiusY: number): Path {
  const kx = radiusX * QUARTER;
  const ky = radiusY * QUARTER;
  const [left, right, top, bottom] = [
    centreX - radiusX,
    centreX + radiusX,
    centreY - radiusY,
    centreY + radiusY,
  ];
  return new PathBuilder()
    .moveTo(centreX, top)
    .cubicTo(centreX + kx, top, right, centreY - ky, right, centreY)
    .cubicTo(right, centreY + ky, centreX + kx, bottom, centreX, bottom)
    .cubicTo(centreX - kx, bottom, left, centreY + ky, left, centreY)
    .cubicTo(left, centreY - ky, centreX - kx, top, centreX, top)
    .close()
    .build();
}
