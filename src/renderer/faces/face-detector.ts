import type { Codec } from "../codec.ts";

/** Edge of the square input of the network, in pixels. */
export const SCAN_EDGE_PX = 192;
/** The network outputs one cell for each square of a grid with this edge. */
export const GRID_EDGE = 48;
/** Numbers of a cell: a score, a box (centre and size), six key points, and three unused ones. */
export const CELL_NUMBERS = 20;

/** An instance of `kernels/face-detector` with its weights. */
export interface FaceDetector extends Codec {
  /**
   * Scans 192 × 192 pixels of RGBA; alpha is ignored. Returns `CELL_NUMBERS` for each cell, row by row: the logit, then
   * lengths in pixels of the scan, relative to the cell's centre. The result is a view of the kernel's memory, valid
   * until the next scan.
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

/** Throws if the weights do not match this kernel: the two are built together. */
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
