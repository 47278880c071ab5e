import type { CanvasMemory } from "../buffers.ts";
import type { Raster, SourceRaster } from "../types.ts";
import { RASTER_LIMITS } from "./canvas.ts";
import { packTaps, planRows, type Taps } from "./filter-taps.ts";

type Pixels = Pick<Raster, "width" | "height" | "pixels">;

/** `kernels/resample` in its own instance: copies source rows in and output rows out. */
export interface ResampleKernel {
  /**
   * Filters `source` horizontally, then vertically. Between the two it keeps only the rows that the vertical filter
   * needs. `isPremultiplied` clamps each colour to its alpha, which a filter with negative lobes would overshoot.
   */
  filter(
    source: SourceRaster,
    across: Taps,
    down: Taps,
    isPremultiplied: boolean,
    memory: CanvasMemory,
  ): Pixels;
  /** Averages 2 x 2 pixels; an odd last row or column averages with itself. */
  halve(source: SourceRaster): Pixels;
  memoryBytes(): number;
}

interface ResampleExports {
  readonly memory: WebAssembly.Memory;
  layOut(span: number, columns: number, taps: number, slots: number): number;
  upperAt(): number;
  lowerAt(): number;
  offsetsAt(): number;
  weightsAt(): number;
  slotWeightsAt(): number;
  outAt(): number;
  expandRow(row: number, pixels: number): void;
  addRows(pair: number): void;
  makeRow(isClamped: number): void;
  halveRows(): void;
}

const PIXEL_BYTES = 4;
const RGB_BYTES = 3;
const SAMPLE_BYTES = 2;
/** The number of columns that the kernel makes at once is a multiple of this. */
const COLUMNS_STEP = 4;

export function createResampleKernel(module: WebAssembly.Module): ResampleKernel {
  const wasm = new WebAssembly.Instance(module).exports as unknown as ResampleExports;

  const layOut = (span: number, columns: number, taps: number, slots: number): void => {
    if (wasm.layOut(span, columns, taps, slots) !== 0) {
      throw new RangeError(
        `too much for the kernel: ${span} to ${columns} pixels, ${taps} and ${slots} weights`,
      );
    }
  };

  /**
   * Copies `span` pixels from `left` of a row into the kernel. A row past the last row has no weight and is not copied.
   */
  const rowTaker = (
    source: SourceRaster,
    left: number,
    span: number,
  ): ((row: number, at: number) => void) => {
    const memory = new Uint8ClampedArray(wasm.memory.buffer);
    const { width, height } = source;
    if ("rgb" in source) {
      const { rgb } = source;
      return (row, at) => {
        if (row >= height) return;
        const from = (row * width + left) * RGB_BYTES;
        memory.set(rgb.subarray(from, from + span * RGB_BYTES), at + span);
        wasm.expandRow(at, span);
      };
    }
    const { pixels } = source;
    return (row, at) => {
      if (row >= height) return;
      const from = (row * width + left) * PIXEL_BYTES;
      memory.set(pixels.subarray(from, from + span * PIXEL_BYTES), at);
    };
  };

  return {
    memoryBytes: () => wasm.memory.buffer.byteLength,
    filter(source, across, down, isPremultiplied, memory) {
      const width = across.first.length;
      const height = down.first.length;
      const pixels = memory(width * height * PIXEL_BYTES);
      const { top, ends, slots } = planRows(down);
      const stripColumns = columnsWithin(slots);
      for (let start = 0; start < width; start += stripColumns) {
        const columns = Math.min(stripColumns, width - start);
        const { left, span, offsets, weights, tapCount } = packTaps(across, start, start + columns);
        layOut(span, columns, tapCount, slots);
        const { buffer } = wasm.memory;
        new Int32Array(buffer).set(offsets, wasm.offsetsAt() / offsets.BYTES_PER_ELEMENT);
        new Int16Array(buffer).set(weights, wasm.weightsAt() / weights.BYTES_PER_ELEMENT);
        const slotWeights = new Int16Array(buffer, wasm.slotWeightsAt(), slots);
        const takeRow = rowTaker(source, left, span);
        const [upperAt, lowerAt] = [wasm.upperAt(), wasm.lowerAt()];
        const made = new Uint8ClampedArray(buffer, wasm.outAt(), columns * PIXEL_BYTES);
        let next = top;
        for (let y = 0; y < height; y += 1) {
          for (const end = ends[y] ?? 0; next < end; next += 2) {
            takeRow(next, upperAt);
            takeRow(next + 1, lowerAt);
            wasm.addRows(((next - top) % slots) / 2);
          }
          placeWeights(down, y, top, slotWeights);
          wasm.makeRow(isPremultiplied ? 1 : 0);
          pixels.set(made, (y * width + start) * PIXEL_BYTES);
        }
      }
      return { width, height, pixels };
    },
    halve(source) {
      const width = Math.ceil(source.width / 2);
      const height = Math.ceil(source.height / 2);
      const pixels = new Uint8ClampedArray(width * height * PIXEL_BYTES);
      layOut(width * 2, width, 0, 0);
      const { buffer } = wasm.memory;
      const takeRow = rowTaker(source, 0, source.width);
      const words = new Uint32Array(buffer);
      const made = new Uint8ClampedArray(buffer, wasm.outAt(), width * PIXEL_BYTES);
      const rows = [wasm.upperAt(), wasm.lowerAt()];
      for (let y = 0; y < height; y += 1) {
        for (const [index, at] of rows.entries()) {
          takeRow(Math.min(y * 2 + index, source.height - 1), at);
          const end = at / PIXEL_BYTES + source.width;
          words[end] = words[end - 1] ?? 0;
        }
        wasm.halveRows();
        pixels.set(made, y * width * PIXEL_BYTES);
      }
      return { width, height, pixels };
    },
  };
}

/** Number of columns that may be drawn at once with `slots` rows in the ring. */
function columnsWithin(slots: number): number {
  const columnBytes = slots * PIXEL_BYTES * SAMPLE_BYTES;
  const fitting = Math.floor(RASTER_LIMITS.filteredBytesMax / columnBytes / COLUMNS_STEP) * COLUMNS_STEP;
  return Math.max(COLUMNS_STEP, fitting);
}

/** Writes the weights of output row `y` to the ring slots of their source rows. */
function placeWeights({ first, weights, tapCount }: Taps, y: number, top: number, slots: Int16Array): void {
  slots.fill(0);
  const row = (first[y] ?? 0) - top;
  for (let tap = 0; tap < tapCount; tap += 1) {
    const weight = weights[y * tapCount + tap] ?? 0;
    if (weight !== 0) slots[(row + tap) % slots.length] = weight;
  }
}
