import { type CanvasMemory, onHeap } from "../buffers.ts";
import type { Box, Raster, SourceRaster } from "../types.ts";
import { assertDrawable, copyOf } from "./canvas.ts";
import { areaTaps, lanczosTaps, type Taps } from "./filter-taps.ts";
import { createResampleKernel, type ResampleKernel } from "./resample-kernel.ts";
import { toRgba } from "./rgb-pixels.ts";

/** Draws pictures at other sizes. Sources are opaque or premultiplied; each call returns its own raster. */
export interface Resampler {
  /**
   * Draws `part` of `source` at `width` x `height` with a separable Lanczos-3 filter in integer arithmetic. `part` is
   * in source pixels, fractions allowed. The new raster's pixels come from `memory`.
   */
  resample(source: SourceRaster, part: Box, width: number, height: number, memory?: CanvasMemory): Raster;
  /** Shrinks the whole of `source`: each pixel is the mean of the source area that it covers. */
  shrinkByArea(source: SourceRaster, width: number, height: number): Raster;
  /** Averages 2 x 2 pixels; an odd last row or column averages with itself. */
  halve(source: SourceRaster): Raster;
  /** Bytes of its kernel's linear memory. */
  memoryBytes(): number;
}

/** Creates a resampler for the compiled `kernels/resample`, which is instantiated on first use. */
export function createResampler(module: WebAssembly.Module): Resampler {
  let resident: ResampleKernel | null = null;
  const kernel = (): ResampleKernel => {
    resident ??= createResampleKernel(module);
    return resident;
  };
  const draw = (source: SourceRaster, across: Taps, down: Taps, memory: CanvasMemory): Raster => {
    const { alpha } = source;
    return { ...kernel().filter(source, across, down, alpha === "premultiplied", memory), alpha };
  };
  return {
    resample(source, part, width, height, memory = onHeap) {
      assertResamples(source, width, height);
      const isWhole =
        part.x === 0 && part.y === 0 && part.width === source.width && part.height === source.height;
      if (isWhole && isOfSize(source, width, height)) return wholeCopyOf(source);
      return draw(
        source,
        lanczosTaps(source.width, part.x, part.width, width),
        lanczosTaps(source.height, part.y, part.height, height),
        memory,
      );
    },
    shrinkByArea(source, width, height) {
      assertResamples(source, width, height);
      if (width > source.width || height > source.height) {
        throw new RangeError(`cannot shrink ${source.width} x ${source.height} to ${width} x ${height}`);
      }
      if (isOfSize(source, width, height)) return wholeCopyOf(source);
      return draw(source, areaTaps(source.width, width), areaTaps(source.height, height), onHeap);
    },
    halve(source) {
      assertResamples(source, Math.ceil(source.width / 2), Math.ceil(source.height / 2));
      return { ...kernel().halve(source), alpha: source.alpha };
    },
    memoryBytes: () => resident?.memoryBytes() ?? 0,
  };
}

function assertResamples(source: SourceRaster, width: number, height: number): void {
  assertDrawable(width, height);
  if (source.alpha === "straight") throw new RangeError("resampling needs premultiplied pixels");
}

const wholeCopyOf = (source: SourceRaster): Raster => ("rgb" in source ? toRgba(source) : copyOf(source));

const isOfSize = (source: SourceRaster, width: number, height: number): boolean =>
  width === source.width && height === source.height;
