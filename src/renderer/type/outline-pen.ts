import { type Path, PathBuilder } from "../vector/index.ts";
import { type Pen, ShaperFault } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";

/** Collects an outline with y pointing down; throws for outlines larger than a legitimate glyph needs. */
export class OutlinePen implements Pen {
  readonly #reach: number;
  readonly #builder = new PathBuilder();
  #points = 0;

  constructor(reach: number) {
    this.#reach = reach;
  }

  moveTo(x: number, y: number): void {
    this.#check(x, y);
    this.#builder.moveTo(x, -y);
  }

  lineTo(x: number, y: number): void {
    this.#check(x, y);
    this.#builder.lineTo(x, -y);
  }

  quadTo(cx: number, cy: number, x: number, y: number): void {
    this.#check(cx, cy, x, y);
    this.#builder.quadTo(cx, -cy, x, -y);
  }

  cubicTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.#check(ax, ay, bx, by, x, y);
    this.#builder.cubicTo(ax, -ay, bx, -by, x, -y);
  }

  close(): void {
    this.#check();
    this.#builder.close();
  }

  finish(): Path {
    return this.#builder.build();
  }

  /** The error passes through the shaper, which ends the drawing and makes the instance unusable. */
  #check(...coordinates: number[]): void {
    this.#points += 1 + coordinates.length / 2;
    const isWithin = coordinates.every((coordinate) => Math.abs(coordinate) <= this.#reach);
    if (!isWithin || this.#points > TYPE_LIMITS.outlinePointsMax) {
      throw new ShaperFault("a glyph is too large or has too many points");
    }
  }
}
