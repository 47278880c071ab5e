import type { PixelBox } from "./candidate-boxes.ts";
import type { Plane } from "./planes.ts";

/** Sums over boxes of a plane, each from four values of its summed-area table. */
export class SummedArea {
  readonly total: number;
  readonly #stride: number;
  readonly #sums: Float64Array;

  constructor({ width, height, values }: Plane) {
    this.#stride = width + 1;
    this.#sums = new Float64Array((width + 1) * (height + 1));
    for (let y = 0; y < height; y += 1) {
      let row = 0;
      for (let x = 0; x < width; x += 1) {
        row += values[y * width + x] ?? 0;
        this.#sums[(y + 1) * this.#stride + x + 1] = (this.#sums[y * this.#stride + x + 1] ?? 0) + row;
      }
    }
    this.total = this.#at(width, height);
  }

  sumIn({ left, top, right, bottom }: PixelBox): number {
    return this.#at(right, bottom) - this.#at(right, top) - this.#at(left, bottom) + this.#at(left, top);
  }

  #at(x: number, y: number): number {
    return this.#sums[y * this.#stride + x] ?? 0;
  }
}
