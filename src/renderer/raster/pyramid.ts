import { scaledBy } from "../box-geometry.ts";
import { type CanvasMemory, freeRaster } from "../buffers.ts";
import type { Box, Raster, SourceRaster } from "../types.ts";
import type { Resampler } from "./resampler.ts";

/** Shrinking by more than this factor starts from a smaller level, so that the filter has fewer taps. */
const RATIO_MIN_PER_LEVEL = 3;
const EDGE_PX_MIN = 8;

/**
 * An image pyramid: a picture and its halvings (1/2, 1/4 and so on), each made on first use and shared by many sizes.
 */
export class Pyramid {
  readonly resampler: Resampler;
  readonly #levels: SourceRaster[];

  constructor(base: SourceRaster, resampler: Resampler) {
    this.#levels = [base];
    this.resampler = resampler;
  }

  get base(): SourceRaster {
    const base = this.#levels[0];
    if (base === undefined) throw new Error("a pyramid has a base");
    return base;
  }

  /** Draws `part` (pixels of the base) at `width` x `height`, in pixels from `memory`. */
  draw(part: Box, width: number, height: number, memory?: CanvasMemory): Raster {
    let level = 0;
    let ratio = Math.min(part.width / width, part.height / height);
    while (ratio >= RATIO_MIN_PER_LEVEL && this.#level(level + 1) !== null) {
      level += 1;
      ratio /= 2;
    }
    const raster = this.#level(level) ?? this.base;
    const scaled = scaledBy(part, raster.width / this.base.width, raster.height / this.base.height);
    return this.resampler.resample(raster, level === 0 ? part : scaled, width, height, memory);
  }

  /** Frees the base and all halvings; nothing can be drawn any more. */
  free(): void {
    for (const level of this.#levels.splice(0)) freeRaster(level);
  }

  /** Frees the halvings; they are made again on demand. */
  trim(): void {
    for (const level of this.#levels.splice(1)) freeRaster(level);
  }

  #level(index: number): SourceRaster | null {
    const known = this.#levels[index];
    if (known !== undefined) return known;
    const parent = this.#levels[index - 1];
    if (parent === undefined || parent.width < EDGE_PX_MIN * 2 || parent.height < EDGE_PX_MIN * 2)
      return null;
    const half = this.resampler.halve(parent);
    this.#levels.push(half);
    return half;
  }
}
