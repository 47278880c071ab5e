import type { Box, Raster } from "../types.ts";
import { resample } from "./resample.ts";

/** Shrinking by more than this first goes to a smaller level: the kernel then stays short. */
const RATIO_MIN_PER_LEVEL = 3;
const EDGE_PX_MIN = 8;

/** A picture and its halvings, each made when first asked for, so that many sizes share the work. */
export class Pyramid {
  readonly #levels: Raster[];

  constructor(base: Raster) {
    this.#levels = [base];
  }

  get base(): Raster {
    const base = this.#levels[0];
    if (base === undefined) throw new Error("a pyramid has a base");
    return base;
  }

  /** Draws `part` (pixels of the base) at `width` x `height`. */
  draw(part: Box, width: number, height: number): Raster {
    let level = 0;
    let ratio = Math.min(part.width / width, part.height / height);
    while (ratio >= RATIO_MIN_PER_LEVEL && this.#level(level + 1) !== null) {
      level += 1;
      ratio /= 2;
    }
    const raster = this.#level(level) ?? this.base;
    const scaleX = raster.width / this.base.width;
    const scaleY = raster.height / this.base.height;
    const scaled: Box = {
      x: part.x * scaleX,
      y: part.y * scaleY,
      width: part.width * scaleX,
      height: part.height * scaleY,
    };
    return resample(raster, level === 0 ? part : scaled, width, height);
  }

  #level(index: number): Raster | null {
    const known = this.#levels[index];
    if (known !== undefined) return known;
    const parent = this.#levels[index - 1];
    if (parent === undefined || parent.width < EDGE_PX_MIN * 2 || parent.height < EDGE_PX_MIN * 2)
      return null;
    const half = halved(parent);
    this.#levels.push(half);
    return half;
  }
}

/** Averages 2 x 2 pixels; an odd last row or column averages with itself. */
export function halved(source: Raster): Raster {
  const width = Math.ceil(source.width / 2);
  const height = Math.ceil(source.height / 2);
  const pixels = new Uint8ClampedArray(width * height * 4);
  const from = source.pixels;
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    const top = y * 2 * source.width;
    const below = Math.min(source.height - 1, y * 2 + 1) * source.width;
    for (let x = 0; x < width; x += 1) {
      const left = x * 2;
      const right = Math.min(source.width - 1, left + 1);
      const a = (top + left) * 4;
      const b = (top + right) * 4;
      const c = (below + left) * 4;
      const d = (below + right) * 4;
      for (let channel = 0; channel < 4; channel += 1) {
        const sum =
          (from[a + channel] ?? 0) +
          (from[b + channel] ?? 0) +
          (from[c + channel] ?? 0) +
          (from[d + channel] ?? 0);
        pixels[to] = (sum + 2) >> 2;
        to += 1;
      }
    }
  }
  return { width, height, pixels, alpha: source.alpha };
}
