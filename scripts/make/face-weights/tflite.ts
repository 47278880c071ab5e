import { readFlatBuffer, type Table } from "./flatbuffer.ts";

/** A TensorFlow Lite model with weights of 16-bit floats, as far as the face detector's graph goes. */
export interface Model {
  readonly tensors: readonly Tensor[];
  /** In the order in which they run. */
  readonly operators: readonly Operator[];
  readonly input: number;
  readonly outputs: readonly number[];
}

export interface Tensor {
  /** Batch, height, width, channels; weights of a convolution: out, height, width, in. */
  readonly shape: readonly number[];
  /** Values of a constant; null for what the graph computes. */
  readonly values: Float64Array | null;
}

export interface Operator {
  readonly kind: OperatorKind;
  /** Numbers of tensors: first what is worked on, then weights and bias. */
  readonly inputs: readonly number[];
  readonly output: number;
  readonly stride: number;
  readonly isRelu: boolean;
}

/** tensorflow/lite/schema/schema.fbs, enum BuiltinOperator. */
const OPERATOR_KINDS = {
  0: "add",
  3: "convolution",
  4: "depthwise",
  6: "dequantize",
  17: "max-pool",
  19: "relu",
  22: "reshape",
  23: "resize-bilinear",
  34: "pad",
} as const;
export type OperatorKind = (typeof OPERATOR_KINDS)[keyof typeof OPERATOR_KINDS];
const isKnown = (code: number): code is keyof typeof OPERATOR_KINDS => code in OPERATOR_KINDS;

/** Fields of the schema's tables, by their position. */
const MODEL = { codes: 1, subgraphs: 2, buffers: 4 } as const;
const OPERATOR_CODE = { deprecatedCode: 0, code: 3 } as const;
const SUBGRAPH = { tensors: 0, inputs: 1, outputs: 2, operators: 3 } as const;
const TENSOR = { shape: 0, type: 1, buffer: 2 } as const;
const OPERATOR = { code: 0, inputs: 1, outputs: 2, options: 4 } as const;
const BUFFER_DATA = 0;
const OPTIONS_PADDING = 0;
/** Options of convolutions and pools. */
const OPTIONS_STRIDE = { across: 1, down: 2 } as const;
/** Where the options of an operator keep the activation that follows it. */
const OPTIONS_ACTIVATION: Partial<Record<OperatorKind, number>> = {
  convolution: 3,
  depthwise: 4,
  add: 0,
  "max-pool": 5,
};
const RESIZE = { alignCorners: 2, halfPixelCentres: 3 } as const;
const TYPE_FLOAT32 = 0;
const TYPE_FLOAT16 = 1;
const TYPE_INT32 = 2;
const ACTIVATION_RELU = 1;
const PADDING_SAME = 0;

/** Reads a model. Throws for operators, types and options that the face detector's graph does not have. */
export function readModel(file: Uint8Array): Model {
  const root = readFlatBuffer(file);
  const codes = root
    .tables(MODEL.codes)
    .map((code) => code.int32(OPERATOR_CODE.code) || code.int8(OPERATOR_CODE.deprecatedCode));
  const buffers = root.tables(MODEL.buffers).map((buffer) => buffer.bytes(BUFFER_DATA));
  const [graph, ...others] = root.tables(MODEL.subgraphs);
  if (graph === undefined || others.length > 0) throw new Error("The model has more or less than one graph.");
  const [input = -1] = graph.int32s(SUBGRAPH.inputs);
  const tensors = graph.tables(SUBGRAPH.tensors).map((tensor) => readTensor(tensor, buffers));
  return {
    tensors,
    operators: graph
      .tables(SUBGRAPH.operators)
      .map((operator) => readOperator(operator, codes[operator.int32(OPERATOR.code)] ?? -1, tensors)),
    input,
    outputs: graph.int32s(SUBGRAPH.outputs),
  };
}

function readTensor(tensor: Table, buffers: readonly Uint8Array[]): Tensor {
  const bytes = Uint8Array.from(buffers[tensor.int32(TENSOR.buffer)] ?? []);
  return {
    shape: tensor.int32s(TENSOR.shape),
    values: bytes.length === 0 ? null : valuesOf(tensor.int8(TENSOR.type), bytes),
  };
}

function valuesOf(type: number, { buffer }: Uint8Array<ArrayBuffer>): Float64Array {
  if (type === TYPE_FLOAT16) return Float64Array.from(new Uint16Array(buffer), halfToNumber);
  if (type === TYPE_INT32) return Float64Array.from(new Int32Array(buffer));
  if (type === TYPE_FLOAT32) return Float64Array.from(new Float32Array(buffer));
  throw new Error(`A tensor has the unknown type ${type}.`);
}

function readOperator(operator: Table, code: number, tensors: readonly Tensor[]): Operator {
  if (!isKnown(code)) throw new Error(`The graph has the unknown operator ${code}.`);
  const kind = OPERATOR_KINDS[code];
  const options = operator.table(OPERATOR.options);
  const [output = -1] = operator.int32s(OPERATOR.outputs);
  const option = (field: number): number => options?.int8(field) ?? 0;
  const isSliding = kind === "convolution" || kind === "depthwise" || kind === "max-pool";
  const stride = isSliding ? (options?.int32(OPTIONS_STRIDE.across) ?? 0) : 1;
  const inputs = operator.int32s(OPERATOR.inputs);
  // A window of one pixel needs no padding, whatever its kind.
  const isPadded = kind === "max-pool" || tensors[inputs[1] ?? -1]?.shape[1] !== 1;
  const isSame = !isPadded || option(OPTIONS_PADDING) === PADDING_SAME;
  if (isSliding && (!isSame || options?.int32(OPTIONS_STRIDE.down) !== stride))
    throw new Error(`The padding or stride of a ${kind} is unknown.`);
  if (
    kind === "resize-bilinear" &&
    (option(RESIZE.alignCorners) !== 0 || option(RESIZE.halfPixelCentres) !== 1)
  )
    throw new Error("The graph resizes with other centres than those of half pixels.");
  const field = OPTIONS_ACTIVATION[kind];
  const activation = field === undefined ? 0 : option(field);
  if (activation !== 0 && activation !== ACTIVATION_RELU)
    throw new Error(`The activation ${activation} is unknown.`);
  const isRelu = kind === "relu" || activation === ACTIVATION_RELU;
  return { kind, inputs, output, stride, isRelu };
}

/** A 16-bit float of IEEE 754 as a number. */
function halfToNumber(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) throw new Error("A weight is no finite number.");
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
