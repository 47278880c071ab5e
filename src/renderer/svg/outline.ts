import type { CleanElement } from "./clean.ts";
import type { Bounds } from "./transform.ts";

/** What a shape's own attributes say of it, in its user units. */
export interface Outline {
  /** A box around it, without its stroke; null when it may lie anywhere. */
  readonly bounds: Bounds | null;
  /** Not less than its length. */
  readonly length: number;
  /** Coordinates it is made of. */
  readonly coordinates: number;
}

/** CSS pixels of a unit at most (CSS Values 4, 6.2); `em` and `ex` by the renderer's font size. */
const UNIT_PX: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  ex: 8,
};

const LENGTH =
  /^\s{0,9}([-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:e[-+]?\d{1,4})?)\s{0,9}([a-z%]{0,2})\s{0,9}$/i;

/** A length in user units; shares of the view are of `viewSide`. Null for what cannot be read. */
export function readLength(text: string | undefined, viewSide: number): number | null {
  const found = LENGTH.exec(text ?? "0");
  if (found === null) return null;
  const unit = (found[2] ?? "").toLowerCase();
  const scale = unit === "%" ? viewSide / 100 : UNIT_PX[unit];
  return scale === undefined ? null : Number(found[1]) * scale;
}

const NUMBER = /[\s,]*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)/iy;
const FLAG = /[\s,]*([01])/y;
const COMMAND = /[\s,]*([MmLlHhVvCcSsQqTtAaZz])/y;

function take(
  pattern: RegExp,
  source: string,
  at: number,
): { readonly text: string; readonly end: number } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(source);
  return found === null ? null : { text: found[1] ?? "", end: pattern.lastIndex };
}

/** Operands a command takes at a time; an arc's fourth and fifth are flags. */
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

/** Gathers points into a box and a length. */
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

  /** A curve is not longer than its control polygon, and does not leave its box. */
  lineTo(x: number, y: number): void {
    this.length += Math.abs(x - this.x) + Math.abs(y - this.y);
    this.moveTo(x, y);
  }

  outline(isReadable: boolean): Outline {
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

/** Follows a path's commands (SVG 1.1, 8.3), as far as they can be read, as a renderer does. */
function tracePath(source: string): Outline {
  const tracer = new Tracer();
  let start: readonly [number, number] = [0, 0];
  let command = "";
  /** The control point that a smooth curve mirrors may lie as far out as the last one. */
  let lastControl: readonly [number, number] | null = null;
  for (let at = 0; at < source.length; ) {
    const letter = take(COMMAND, source, at);
    if (letter !== null) {
      command = letter.text;
      at = letter.end;
    } else if (command === "" || command.toUpperCase() === "Z") break;
    const verb = command.toUpperCase();
    const operands: number[] = [];
    while (operands.length < (OPERANDS[verb] ?? 0)) {
      const isFlag = verb === "A" && (operands.length === 3 || operands.length === 4);
      const number = take(isFlag ? FLAG : NUMBER, source, at);
      if (number === null) return tracer.outline(true);
      operands.push(Number(number.text));
      at = number.end;
    }
    const isRelative = command !== verb;
    const originX = isRelative ? tracer.x : 0;
    const originY = isRelative ? tracer.y : 0;
    const [first = 0, second = 0] = operands;
    let control: readonly [number, number] | null = null;
    switch (verb) {
      case "Z":
        tracer.lineTo(start[0], start[1]);
        // Nothing but a command may follow; without one the path ends.
        break;
      case "H":
        tracer.lineTo(originX + first, tracer.y);
        break;
      case "V":
        tracer.lineTo(tracer.x, originY + first);
        break;
      case "A": {
        const [x = 0, y = 0] = operands.slice(5);
        // Radii that are too small are scaled up until they reach the end (SVG 1.1, F.6.6).
        const chord = Math.abs(originX + x - tracer.x) + Math.abs(originY + y - tracer.y);
        const reach = 2 * Math.max(Math.abs(first), Math.abs(second), chord);
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

function tracePoints(source: string): Outline {
  const tracer = new Tracer();
  for (let at = 0; at < source.length; ) {
    const x = take(NUMBER, source, at);
    const y = x === null ? null : take(NUMBER, source, x.end);
    if (x === null || y === null) break;
    if (tracer.coordinates === 0) tracer.moveTo(Number(x.text), Number(y.text));
    else tracer.lineTo(Number(x.text), Number(y.text));
    at = y.end;
  }
  // A polygon closes itself: at most as far as it came.
  tracer.length *= 2;
  return tracer.outline(true);
}

function traceBox(left: number, top: number, width: number, height: number): Outline {
  const tracer = new Tracer();
  tracer.moveTo(left, top);
  tracer.lineTo(left + width, top + height);
  tracer.length *= 2;
  return tracer.outline(Number.isFinite(tracer.length));
}

const UNREADABLE: Outline = { bounds: null, length: 0, coordinates: 4 };

/** The outline of a shape. `viewSide` is what percentages are of, at most. */
export function outlineOf(shape: CleanElement, viewSide: number): Outline {
  const length = (name: string): number | null => readLength(shape.attributes.get(name), viewSide);
  const lengths = (...names: readonly string[]): readonly number[] | null => {
    const read = names.map(length);
    return read.every((value) => value !== null) ? read : null;
  };
  switch (shape.name) {
    case "path":
      return tracePath(shape.attributes.get("d") ?? "");
    case "polyline":
    case "polygon":
      return tracePoints(shape.attributes.get("points") ?? "");
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
      // An ellipse with one radius takes it for both.
      const [reachX, reachY] = [rx === 0 ? ry : rx, ry === 0 ? rx : ry];
      return traceBox(cx - reachX, cy - reachY, 2 * reachX, 2 * reachY);
    }
  }
}

/** Dashes along an outline: each turn of the array has as many as it has members, and the last may be cut. */
export function dashesOf(dashArray: string, length: number, viewSide: number): number {
  if (dashArray === "none") return 0;
  const members = dashArray.split(/[\s,]+/).filter((member) => member !== "");
  const period = members.reduce((sum, member) => sum + Math.abs(readLength(member, viewSide) ?? 0), 0);
  return period === 0 ? 0 : (length / period + 1) * members.length;
}
