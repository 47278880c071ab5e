import { readFileSync } from "node:fs";
import { readFlatBuffer, type Table } from "./flatbuffer.ts";

/**
 * A step of the kernel, and a row of layers.csv. The table follows from the model's graph: src/renderer/faces/README.md
 * describes how operators are merged into layers. A tensor is stored at the lowest offset that is free from the layer
 * that writes it to the last layer that reads it. A sum overwrites the tensor that it adds, unless a later layer reads
 * that tensor. An offset of -1 means that there is no such tensor.
 */
export interface Layer {
  readonly kind: string;
  /** The columns from `in edge` to `residual channels`. */
  readonly numbers: readonly number[];
  readonly inChannels: number;
  readonly outChannels: number;
  readonly depthwise: Weights | null;
  readonly convolution: Weights | null;
}

/** Weights of one convolution. */
export interface Weights {
  /**
   * Dimensions of a depthwise convolution: nine taps, channels. Of other convolutions: output channels, taps, input
   * channels.
   */
  readonly values: Float64Array;
  readonly bias: Float64Array;
}

/** Fields of tensorflow/lite/schema/schema.fbs, by position. */
const MODEL = { subgraphs: 2, buffers: 4 } as const;
const SUBGRAPH_TENSORS = 0;
const TENSOR = { type: 1, buffer: 2 } as const;
const BUFFER_DATA = 0;
const TYPE_FLOAT16 = 1;

/**
 * Reads the layers with their weights from the model. The two heads are one layer, padded with zeros to its channels.
 */
export function readLayers(file: Uint8Array): readonly Layer[] {
  const model = readFlatBuffer(file);
  const tensors = model.tables(MODEL.subgraphs)[0]?.tables(SUBGRAPH_TENSORS) ?? [];
  const buffers = model.tables(MODEL.buffers);
  /** A cell lists pairs of tensors: weights and bias of a convolution, or of several with the same input. */
  const weights = (cell: string, outputs: number): Weights | null => {
    if (cell === "") return null;
    const constants = cell.split(" ").map((tensor) => valuesOf(tensors[Number(tensor)], buffers));
    const values = constants.filter((_, at) => at % 2 === 0).flat();
    const bias = constants.filter((_, at) => at % 2 === 1).flat();
    return { values: filled(values, (values.length / bias.length) * outputs), bias: filled(bias, outputs) };
  };
  const [, ...rows] = readFileSync(new URL("layers.csv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return rows.map((row) => {
    const cells = row.split(",");
    const [kind = "", depthwise = "", convolution = ""] = [cells.at(0), cells.at(-2), cells.at(-1)];
    const numbers = cells.slice(1, -2).map(Number);
    const [, inChannels = 0, , outChannels = 0] = numbers;
    return {
      kind,
      numbers,
      inChannels,
      outChannels,
      depthwise: weights(depthwise, inChannels),
      convolution: weights(convolution, outChannels),
    };
  });
}

function valuesOf(tensor: Table | undefined, buffers: readonly Table[]): number[] {
  if (tensor?.int8(TENSOR.type) !== TYPE_FLOAT16) throw new Error("A weight is no 16-bit float.");
  const bytes = Uint8Array.from(buffers[tensor.int32(TENSOR.buffer)]?.bytes(BUFFER_DATA) ?? []);
  return Array.from(new Uint16Array(bytes.buffer), halfToNumber);
}

function filled(values: readonly number[], length: number): Float64Array {
  const array = new Float64Array(length);
  array.set(values);
  return array;
}

/** Converts a 16-bit IEEE 754 float to a number. */
function halfToNumber(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) throw new Error("A weight is no finite number.");
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
