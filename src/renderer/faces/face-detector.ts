import type { Codec } from "../codec.ts";

/** Edge of the square picture that the network looks at, in pixels. */
export const SCAN_EDGE_PX = 192;
/** The network answers for each cell of a grid with this edge. */
export const GRID_EDGE = 48;
/** Numbers of a cell: a score, a box (centre and size), six key points, and three that mean nothing. */
export const CELL_NUMBERS = 20;

/** `kernels/face-detector` in an instance of its own, with its weights. */
export interface FaceDetector extends Codec {
  /**
   * Scans 192 × 192 pixels of RGBA; alpha is not read. The answer has `CELL_NUMBERS` for each cell, row by row: the
   * score before the logistic function, then lengths in pixels of the scan, relative to the cell's centre. It is a view
   * of the kernel's memory, valid until the next scan.
   */
  scan(pixels: Uint8ClampedArray): Float32Array;
}

/** The exports of `kernels/face-detector`. */
interface FaceDetectorExports {
  readonly memory: WebAssembly.Memory;
  layOutFile(bytes: number): number;
  fileAt(): number;
  start(): number;
  inputAt(): number;
  outputAt(): number;
  run(): void;
}

/** Throws when the weights are not those of this kernel: the two are made together. */
export async function createFaceDetector(
  module: WebAssembly.Module,
  weights: Uint8Array,
): Promise<FaceDetector> {
  const instance = await WebAssembly.instantiate(module);
  const wasm = instance.exports as unknown as FaceDetectorExports;
  if (wasm.layOutFile(weights.byteLength) !== 0)
    throw new RangeError("the face detector's weights are too large");
  new Uint8Array(wasm.memory.buffer).set(weights, wasm.fileAt());
  if (wasm.start() !== 0) throw new RangeError("the face detector's weights are not sound");
  return {
    memoryBytes: () => wasm.memory.buffer.byteLength,
    scan(pixels) {
      const { buffer } = wasm.memory;
      new Uint8ClampedArray(buffer, wasm.inputAt(), SCAN_EDGE_PX * SCAN_EDGE_PX * 4).set(pixels);
      wasm.run();
      return new Float32Array(buffer, wasm.outputAt(), GRID_EDGE * GRID_EDGE * CELL_NUMBERS);
    },
  };
}
