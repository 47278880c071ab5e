/** Reads the layer records of the weights file (scripts/make/face-weights/pack-weights.ts) and runs the layers. */
import { depthwiseRow } from "./depthwise";
import { dequantise, dequantiseBlocks, paramBytes } from "./dequantise";
import { pointwise } from "./pointwise";
import { maxPool, upsampleAdd } from "./resize";
import { stem } from "./stem";

const MAGIC: u32 = 0x31465043;
export const HEADER_BYTES: usize = 20;
const RECORD_BYTES: usize = 48;
const LAYERS_MAX: u32 = 256;
const EDGE_MAX: i32 = 192;
const CHANNELS_MAX: i32 = 512;

const STEM: i32 = 0;
const SEPARABLE: i32 = 1;
const POINTWISE: i32 = 2;
const MAX_POOL: i32 = 3;
const UPSAMPLE_ADD: i32 = 4;

/** Number of taps of the stem (3 × 3 pixels with three channels), and of a depthwise convolution. */
const STEM_TAPS: i32 = 27;
const DEPTHWISE_TAPS: i32 = 9;

export let layers: i32 = 0;
/** Bytes of the tensors' memory, and the offsets of the network's input and output in it. */
export let tensorBytes: usize = 0;
export let firstInput: usize = 0;
export let lastOutput: usize = 0;
let weightsMax: usize = 0;
let rowsMax: usize = 0;

/** The current layer's record. */
let kind: i32 = 0;
let inEdge: i32 = 0;
let inChannels: i32 = 0;
let outEdge: i32 = 0;
let outChannels: i32 = 0;
let stride: i32 = 0;
let isRelu: bool = false;
let inputAt: i32 = 0;
let resultAt: i32 = 0;
/** Offset of the added tensor; negative if there is none. */
let residualAt: i32 = 0;
let residualChannels: i32 = 0;
let weightsAt: i32 = 0;

/** Whether the file starts with the magic number and has room for its records. */
export function readHeader(file: usize, bytes: usize): bool {
  const count = load<u32>(file, 4);
  if (load<u32>(file) !== MAGIC || count === 0 || count > LAYERS_MAX) return false;
  layers = <i32>count;
  tensorBytes = <usize>load<u32>(file, 8);
  firstInput = <usize>load<u32>(file, 12);
  lastOutput = <usize>load<u32>(file, 16);
  return HEADER_BYTES + <usize>count * RECORD_BYTES <= bytes;
}

export function readLayer(file: usize, index: i32): void {
  const at = file + HEADER_BYTES + <usize>index * RECORD_BYTES;
  kind = load<i32>(at);
  inEdge = load<i32>(at, 4);
  inChannels = load<i32>(at, 8);
  outEdge = load<i32>(at, 12);
  outChannels = load<i32>(at, 16);
  stride = load<i32>(at, 20);
  isRelu = load<i32>(at, 24) !== 0;
  inputAt = load<i32>(at, 28);
  resultAt = load<i32>(at, 32);
  residualAt = load<i32>(at, 36);
  residualChannels = load<i32>(at, 40);
  weightsAt = load<i32>(at, 44);
}

/**
 * Whether every layer stays inside the file and the tensors' memory. Also computes the scratch memory of the largest
 * layer.
 */
export function areLayersSound(file: usize, bytes: usize): bool {
  weightsMax = 0;
  rowsMax = 0;
  for (let index: i32 = 0; index < layers; index++) {
    readLayer(file, index);
    if (!isShapeValid() || !areTensorsInside() || <usize>weightsAt + weightBytes() > bytes) return false;
    weightsMax = max(weightsMax, (<usize>max(pointwiseWeights(), STEM_TAPS * outChannels)) << 2);
    rowsMax = max(rowsMax, (<usize>(inEdge * inChannels)) << 2);
    rowsMax = max(rowsMax, (<usize>(rowsInStrip() * outEdge * inChannels)) << 2);
  }
  return true;
}

/** A layer's scratch memory: its weights as floats, taps and biases, a row of zeros and a strip of rows. */
export function scratchBytes(): usize {
  return strip() + rowsMax + 64;
}

/** Offsets into the scratch memory. */
function depthwiseWeights(): usize {
  return weightsMax;
}

function zeroRow(): usize {
  return depthwiseWeights() + ((<usize>(DEPTHWISE_TAPS * CHANNELS_MAX)) << 2);
}

function strip(): usize {
  return zeroRow() + rowsMax;
}

/** Number of rows in a strip. It makes the number of pixels a multiple of four, as `pointwise` requires. */
function rowsInStrip(): i32 {
  return (outEdge & 3) === 0 ? 1 : 2;
}

function isShapeValid(): bool {
  if (inEdge < 2 || inEdge > EDGE_MAX || outEdge < 2 || outEdge > EDGE_MAX || (outEdge & 1) !== 0)
    return false;
  if (inChannels < 3 || inChannels > CHANNELS_MAX || outChannels < 4 || outChannels > CHANNELS_MAX)
    return false;
  if ((outChannels & 3) !== 0 || (kind !== STEM && (inChannels & 3) !== 0)) return false;
  if (
    residualAt >= 0 &&
    (residualChannels < 4 || residualChannels > outChannels || (residualChannels & 3) !== 0)
  )
    return false;
  if (kind === STEM) return inChannels === 3 && stride === 2 && inEdge === outEdge << 1;
  if (kind === SEPARABLE) return (stride === 1 || stride === 2) && inEdge === outEdge * stride;
  if (kind === POINTWISE) return inEdge === outEdge;
  if (kind === MAX_POOL) return inChannels === outChannels && inEdge === outEdge << 1;
  if (kind !== UPSAMPLE_ADD || inChannels !== outChannels || residualChannels !== outChannels) return false;
  return residualAt >= 0 && outEdge === inEdge << 1;
}

function areTensorsInside(): bool {
  const depth = kind === STEM ? 1 : inChannels;
  if (!isInside(inputAt, inEdge * inEdge * depth) || !isInside(resultAt, outEdge * outEdge * outChannels))
    return false;
  return residualAt < 0 || isInside(residualAt, outEdge * outEdge * residualChannels);
}

function isInside(at: i32, words: i32): bool {
  return at >= 0 && (at & 3) === 0 && <usize>at + ((<usize>words) << 2) <= tensorBytes;
}

function pointwiseWeights(): i32 {
  return kind === SEPARABLE || kind === POINTWISE ? inChannels * outChannels : 0;
}

/** Bytes of the layer's scales, biases and weights in the file. */
function weightBytes(): usize {
  if (weightsAt < 0 || (weightsAt & 3) !== 0) return <usize>0xffff_ffff >> 1;
  let bytes = 0;
  if (kind === STEM) bytes = (outChannels << 3) + STEM_TAPS * outChannels;
  if (kind === SEPARABLE) bytes = (inChannels << 3) + DEPTHWISE_TAPS * inChannels;
  if (kind === SEPARABLE || kind === POINTWISE) bytes += (outChannels << 3) + pointwiseWeights();
  return <usize>bytes;
}

let scratch: usize = 0;

/** Sets the layers' scratch memory, `scratchBytes` long. */
export function startLayers(at: usize): void {
  scratch = at;
}

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

/** A depthwise convolution followed by its pointwise one, strip by strip. */
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
      // TensorFlow's SAME padding. With a stride of two, it adds zeros only after the last row and column.
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

/** Runs the layer's pointwise convolution over `pixels`. Its weights are floats at the start of the scratch memory. */
function runPointwise(from: usize, to: usize, pixels: i32, params: usize, residual: usize): void {
  const biases = params + ((<usize>outChannels) << 2);
  pointwise(from, to, pixels, inChannels, outChannels, scratch, biases, residual, residualChannels, isRelu);
}
