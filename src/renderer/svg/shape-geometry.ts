import type { Bounds } from "../box-geometry.ts";
import type { CleanElement } from "./clean-element.ts";
import { readLength } from "./length.ts";
import type { WorkBudget } from "./limits.ts";
import { isDigit, isLetter, Scanner } from "./scanner.ts";

/** A shape's geometry from its own attributes, in its user units. */
export interface ShapeGeometry {
  /** A box around the shape, without its stroke; null when unknown. */
  readonly bounds: Bounds | null;
  /** An upper bound of the outline's length. */
  readonly length: number;
  /** The number of the outline's coordinates. */
  readonly coordinates: number;
}

/** Operands of each path command; an arc's fourth and fifth are flags. */
const OPERANDS: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
};

/** Collects the points of an outline into a box and a length. */
class Tracer {
  x = 0;
  y = 0;
  length = 0;
  coordinates = 0;
  #left = Number.POSITIVE_INFINITY;
  #top = Number.POSITIVE_INFINITY;
  #right = Number.NEGATIVE_INFINITY;
  #bottom = Number.NEGATIVE_INFINITY;

  moveTo(x: number, y: number, reach = 0): void {
    this.x = x;
    this.y = y;
    this.coordinates += 2;
    this.#left = Math.min(this.#left, x - reach);
    this.#top = Math.min(this.#top, y - reach);
    this.#right = Math.max(this.#right, x + reach);
    this.#bottom = Math.max(this.#bottom, y + reach);
  }

  /** Also correct for control points: a curve is no longer than its control polygon and stays within its box. */
  lineTo(x: number, y: number): void {
    this.length += Math.abs(x - this.x) + Math.abs(y - this.y);
    this.moveTo(x, y);
  }

  outline(isReadable: boolean): ShapeGeometry {
    const bounds = { left: this.#left, top: this.#top, right: this.#right, bottom: this.#bottom };
    const isBounded = isReadable && Object.values(bounds).every(Number.isFinite);
    const isEmpty = isReadable && this.coordinates === 0;
    return {
      bounds: isEmpty ? { left: 0, top: 0, right: 0, bottom: 0 } : isBounded ? bounds : null,
      length: this.length,
      coordinates: this.coordinates,
    };
  }
}

/** A flag of an arc is one digit, whatever follows it. */
function takeFlag(scanner: Scanner): number | null {
  const digit = scanner.peek();
  if (!isDigit(digit) || digit > ONE) return null;
  scanner.skip(1);
  return digit === ONE ? 1 : 0;
}

const ONE = "1".charCodeAt(0);

/** Follows a path's commands (SVG 1.1, 8.3) up to the first error, as a renderer does. */
function tracePath(source: string, steps: WorkBudget): ShapeGeometry {
  const scanner = new Scanner(source, steps);
  const tracer = new Tracer();
  let start: readonly [number, number] = [0, 0];
  let command = "";
  /** A smooth curve (S, T) starts with the mirror image of this control point. */
  let lastControl: readonly [number, number] | null = null;
  for (scanner.skipSeparators(); !scanner.isAtEnd; scanner.skipSeparators()) {
    if (isLetter(scanner.peek())) {
      command = scanner.source.charAt(scanner.at);
      scanner.skip(1);
      if (OPERANDS[command.toUpperCase()] === undefined) break;
    } else if (command === "" || command.toUpperCase() === "Z") break;
    const verb = command.toUpperCase();
    const operands: number[] = [];
    while (operands.length < (OPERANDS[verb] ?? 0)) {
      const isFlag = verb === "A" && (operands.length === 3 || operands.length === 4);
      scanner.skipSeparators();
      const number = isFlag ? takeFlag(scanner) : scanner.takeNumber();
      if (number === null) return tracer.outline(true);
      operands.push(number);
    }
    const isRelative = command !== verb;
    const originX = isRelative ? tracer.x : 0;
    const originY = isRelative ? tracer.y : 0;
    const [first = 0, second = 0] = operands;
    let control: readonly [number, number] | null = null;
    switch (verb) {
      case "Z":
        tracer.lineTo(start[0], start[1]);
        // Only a command may follow `Z`; anything else ends the path.
        break;
      case "H":
        tracer.lineTo(originX + first, tracer.y);
        break;
      case "V":
        tracer.lineTo(tracer.x, originY + first);
        break;
      case "A": {
        const [x = 0, y = 0] = operands.slice(5);
        // If the radii are too small, they are scaled up until the arc reaches its end point (SVG 1.1, F.6.6).
        const chord = Math.abs(originX + x - tracer.x) + Math.abs(originY + y - tracer.y);
        const [rx, ry] = [Math.abs(first), Math.abs(second)];
        const diameter = 2 * Math.max(rx, ry, chord);
        // An arc of at most half a circle is inside the circle around its chord, and an ellipse is a stretched circle.
        const isUpToHalf = operands[3] === 0 && rx * ry > 0;
        const stretch = Math.max(rx, ry) / Math.min(rx, ry);
        const reach = isUpToHalf ? Math.min(diameter, chord * stretch) : diameter;
        tracer.moveTo(tracer.x, tracer.y, reach);
        tracer.length += Math.PI * reach;
        tracer.lineTo(originX + x, originY + y);
        break;
      }
      case "M":
        tracer.moveTo(originX + first, originY + second);
        start = [tracer.x, tracer.y];
        command = isRelative ? "l" : "L";
        break;
      default: {
        if ((verb === "S" || verb === "T") && lastControl !== null) {
          tracer.lineTo(2 * tracer.x - lastControl[0], 2 * tracer.y - lastControl[1]);
          if (verb === "T") control = [tracer.x, tracer.y];
        }
        for (let index = 0; index < operands.length; index += 2) {
          const x = originX + (operands[index] ?? 0);
          const y = originY + (operands[index + 1] ?? 0);
          if (index + 2 < operands.length) control = [x, y];
          tracer.lineTo(x, y);
        }
      }
    }
    lastControl = control;
  }
  return tracer.outline(true);
}

function tracePoints(source: string, steps: WorkBudget): ShapeGeometry {
  const scanner = new Scanner(source, steps);
  const tracer = new Tracer();
  const take = (): number | null => {
    scanner.skipSeparators();
    return scanner.takeNumber();
  };
  for (;;) {
    const x = take();
    const y = take();
    if (x === null || y === null) break;
    if (tracer.coordinates === 0) tracer.moveTo(x, y);
    else tracer.lineTo(x, y);
  }
  // A polygon's closing edge is at most as long as the rest.
  tracer.length *= 2;
  return tracer.outline(true);
}

function traceBox(left: number, top: number, width: number, height: number): ShapeGeometry {
  const tracer = new Tracer();
  tracer.moveTo(left, top);
  tracer.lineTo(left + width, top + height);
  tracer.length *= 2;
  return tracer.outline(Number.isFinite(tracer.length));
}

const UNREADABLE: ShapeGeometry = { bounds: null, length: 0, coordinates: 4 };

/** The geometry of a shape. Percentages refer to at most `viewBoxSide`. */
export function geometryOf(shape: CleanElement, viewBoxSide: number, steps: WorkBudget): ShapeGeometry {
  const length = (name: string): number | null => readLength(shape.attributes.get(name), viewBoxSide, steps);
  const lengths = (...names: readonly string[]): readonly number[] | null => {
    const read = names.map(length);
    return read.every((value) => value !== null) ? read : null;
  };
  switch (shape.name) {
    case "path":
      return tracePath(shape.attributes.get("d") ?? "", steps);
    case "polyline":
    case "polygon":
      return tracePoints(shape.attributes.get("points") ?? "", steps);
    case "rect": {
      const [x = 0, y = 0, width = 0, height = 0] = lengths("x", "y", "width", "height") ?? [];
      return lengths("x", "y", "width", "height") === null ? UNREADABLE : traceBox(x, y, width, height);
    }
    case "line": {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = lengths("x1", "y1", "x2", "y2") ?? [];
      return lengths("x1", "y1", "x2", "y2") === null ? UNREADABLE : traceBox(x1, y1, x2 - x1, y2 - y1);
    }
    default: {
      const radii = shape.name === "circle" ? (["r", "r"] as const) : (["rx", "ry"] as const);
      const read = lengths("cx", "cy", ...radii);
      if (read === null) return UNREADABLE;
      const [cx = 0, cy = 0, rx = 0, ry = 0] = read;
      // An ellipse with one radius uses it for both.
      const [reachX, reachY] = [rx === 0 ? ry : rx, ry === 0 ? rx : ry];
      return traceBox(cx - reachX, cy - reachY, 2 * reachX, 2 * reachY);
    }
  }
}
