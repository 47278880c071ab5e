import type { Model, Operator, OperatorKind } from "./tflite.ts";

/** Weights of one convolution, in doubles. */
export interface Weights {
  /** Stem: nine taps, in, out. Depthwise: nine taps, channels. Pointwise: out, in. */
  readonly values: Float64Array;
  readonly bias: Float64Array;
}

/** A model's operators without those that only pass values on, and what can be asked of its tensors. */
export interface Graph {
  readonly operators: readonly Operator[];
  edgeOf(tensor: number): number;
  channelsOf(tensor: number): number;
  /** The operator that reads a tensor, if it is of that kind and no other reads it. */
  follower(tensor: number, kind: OperatorKind): Operator | null;
  /** A convolution whose result leaves the graph. */
  isHead(operator: Operator): boolean;
  /** The tensor before zeros were appended to its channels; the tensor itself when none were. */
  unpadded(tensor: number): number;
  weightsOf(operator: Operator): Weights;
}

export function readGraph({ tensors, operators }: Model): Graph {
  const passed = new Map<number, number>();
  const padded = new Map<number, number>();
  for (const { kind, inputs, output } of operators) {
    if (kind === "dequantize") passed.set(output, inputs[0] ?? -1);
    if (kind === "pad") padded.set(output, inputs[0] ?? -1);
  }
  const kept = operators.filter(({ kind }) => kind !== "dequantize" && kind !== "reshape");
  const readersOf = (tensor: number) => kept.filter(({ inputs }) => inputs.includes(tensor));
  const constant = (tensor = -1): Float64Array => {
    const values = tensors[passed.get(tensor) ?? tensor]?.values ?? null;
    if (values === null) throw new Error(`Tensor ${tensor} is no constant.`);
    return values;
  };
  return {
    operators: kept,
    edgeOf: (tensor) => tensors[tensor]?.shape[1] ?? 0,
    channelsOf: (tensor) => tensors[tensor]?.shape[3] ?? 0,
    follower: (tensor, kind) => {
      const [only, ...others] = readersOf(tensor);
      return only?.kind === kind && others.length === 0 ? only : null;
    },
    isHead: ({ kind, output }) => kind === "convolution" && readersOf(output).length === 0,
    unpadded: (tensor) => padded.get(tensor) ?? tensor,
    weightsOf: ({ inputs: [, weights, bias] }) => ({ values: constant(weights), bias: constant(bias) }),
  };
}
