/**
 * Runs the face detector's network over a picture of 192 × 192 pixels. The caller writes the file of weights, which
 * lists the layers, to `fileAt` and the pixels to `inputAt`. `run` leaves scores and boxes at `outputAt`.
 */
import { allocate, resetAllocator } from "../allocator";
import {
  areLayersSound,
  firstInput,
  HEADER_BYTES,
  lastOutput,
  layers,
  readHeader,
  readLayer,
  runLayer,
  scratchBytes,
  startLayers,
  tensorBytes,
} from "./layer";

/** Upper bound of the kernel's memory: weights of 0.6 MB, tensors of 1.8 MB and one layer's scratch memory. */
const MEMORY_BYTES_MAX: usize = 4 << 20;

const READY: i32 = 0;
const INVALID: i32 = 1;

let file: usize = 0;
let fileBytes: usize = 0;
let arena: usize = 0;

/**
 * Allocates memory for the file of weights. Returns 1 when out of memory or when the file is shorter than its header,
 * else 0.
 */
export function layOutFile(bytes: i32): i32 {
  resetAllocator(MEMORY_BYTES_MAX);
  arena = 0;
  fileBytes = <usize>bytes;
  file = bytes < <i32>HEADER_BYTES ? 0 : allocate(fileBytes);
  return file === 0 ? INVALID : READY;
}

export function fileAt(): usize {
  return file;
}

/** Reads the file and allocates its tensors. Returns 1 when the file is invalid, else 0. */
export function start(): i32 {
  if (file === 0 || !readHeader(file, fileBytes) || !areLayersSound(file, fileBytes)) return INVALID;
  const scratch = allocate(scratchBytes());
  arena = scratch === 0 ? 0 : allocate(tensorBytes);
  if (arena === 0) return INVALID;
  startLayers(scratch);
  return READY;
}

/** Address of the pixels for the next `run`: rows of red, green, blue and an ignored byte. */
export function inputAt(): usize {
  return arena + firstInput;
}

/** Address of the last layer's result, row by row, all channels of a cell together. */
export function outputAt(): usize {
  return arena + lastOutput;
}

export function run(): void {
  for (let index: i32 = 0; index < layers; index++) {
    readLayer(file, index);
    runLayer(file, arena);
  }
}
