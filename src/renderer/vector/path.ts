import { VECTOR_LIMITS } from "./limits.ts";

/** Verbs and how many points each takes from `points`. */
export const VERB = { move: 0, line: 1, quad: 2, cubic: 3, close: 4 } as const;

/** An outline in float pixels, y down. Every contour counts as closed when filled. */
export interface Path {
  readonly verbs: Uint8Array;
  /** x, y pairs in the order the verbs take them. */
  readonly points: Float64Array;
}

/**
 * Builds a {@link Path}. Throws a RangeError on coordinates that are not finite or out of bounds and on
 * paths past the point limit: those are bugs, outlines from files are checked before they come here.
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

  /** Adds another path with its coordinates mapped; without maps as it is. */
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

/** How many numbers of `points` a verb takes. */
export function coordinatesOf(verb: number): number {
  if (verb === VERB.cubic) return 6;
  if (verb === VERB.quad) return 4;
  return verb === VERB.close ? 0 : 2;
}
