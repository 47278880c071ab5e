import { depthwiseRow } from "./depthwise";
import { dequantise, dequantiseBlocks, paramBytes } from "./dequantise";
import {
  DEPTHWISE_TAPS,
  depthwiseWeights,
  inChannels,
  inEdge,
  inputAt,
  isRelu,
  kind,
  MAX_POOL,
  outChannels,
  outEdge,
  POINTWISE,
  residualAt,
  residualChannels,
  resultAt,
  rowsInStrip,
  SEPARABLE,
  STEM,
  STEM_TAPS,
  stride,
  strip,
  weightsAt,
  zeroRow,
} from "./layer";
import { pointwise } from "./pointwise";
import { maxPool, upsampleAdd } from "./resize";
import { stem } from "./stem";

let scratch: usize = 0;

/** Gives the layers their own memory, of `scratchBytes`. */
export function startLayers(at: usize): void {
  scratch = at;
}

/** Runs the layer that was read last. */
export function runLayer(file: usize, arena: usize): void {
  const input = arena + <usize>inputAt;
  const result = arena + <usize>resultAt;
  const residual = residualAt < 0 ? 0 : arena + <usize>residualAt;
  const weights = file + <usize>weightsAt;
  if (kind === STEM) {
    dequantise(weights, outChannels, STEM_TAPS, scratch);
    stem(input, result, outEdge, outChannels, scratch, weights + ((<usize>outChannels) << 2));
  } else if (kind === SEPARABLE) runSeparable(input, result, residual, weights);
  else if (kind === POINTWISE) {
    dequantiseBlocks(weights, inChannels, outChannels, scratch);
    runPointwise(input, result, outEdge * outEdge, weights, residual);
  } else if (kind === MAX_POOL) maxPool(input, result, outEdge, outChannels);
  else upsampleAdd(input, residual, result, inEdge, outChannels);
}

/** A depthwise convolution, strip by strip, and the pointwise one behind it. */
function runSeparable(input: usize, result: usize, residual: usize, weights: usize): void {
  const taps = scratch + depthwiseWeights();
  const zeros = scratch + zeroRow();
  const rows = scratch + strip();
  const pointwiseAt = weights + paramBytes(inChannels, DEPTHWISE_TAPS);
  dequantise(weights, inChannels, DEPTHWISE_TAPS, taps);
  dequantiseBlocks(pointwiseAt, inChannels, outChannels, scratch);
  const rowBytes = (<usize>(inEdge * inChannels)) << 2;
  memory.fill(zeros, 0, rowBytes);
  const depthwiseBiases = weights + ((<usize>inChannels) << 2);
  const stripRows = rowsInStrip();
  const pixels = stripRows * outEdge;
  const stripRowBytes = (<usize>(outEdge * inChannels)) << 2;
  const resultBytes = (<usize>(pixels * outChannels)) << 2;
  const residualBytes = (<usize>(pixels * residualChannels)) << 2;
  for (let y: i32 = 0; y < outEdge; y += stripRows) {
    for (let row: i32 = 0; row < stripRows; row++) {
      // Padding as TensorFlow's SAME: with a stride of two only behind the last row and column.
      const top = (y + row) * stride - (stride === 1 ? 1 : 0);
      const above = top < 0 ? zeros : input + <usize>top * rowBytes;
      const middle = input + <usize>(top + 1) * rowBytes;
      const below = top + 2 >= inEdge ? zeros : middle + rowBytes;
      const to = rows + <usize>row * stripRowBytes;
      depthwiseRow(above, middle, below, to, outEdge, inChannels, stride, taps, depthwiseBiases);
    }
    runPointwise(rows, result, pixels, pointwiseAt, residual);
    result += resultBytes;
    if (residual !== 0) residual += residualBytes;
  }
}

/** The layer's pointwise convolution of so many pixels; its weights stand as floats at the start of the scratch memory. */
function runPointwise(from: usize, to: usize, pixels: i32, params: usize, residual: usize): void {
  const biases = params + ((<usize>outChannels) << 2);
  pointwise(from, to, pixels, inChannels, outChannels, scratch, biases, residual, residualChannels, isRelu);
}
