import { type Graph, readGraph, type Weights } from "./graph.ts";
import type { Model, Operator } from "./tflite.ts";

/** What the kernel does in one step. Tensors have the model's numbers; all are square. */
export interface Layer {
  readonly kind: "stem" | "separable" | "pointwise" | "max-pool" | "upsample-add";
  readonly input: number;
  readonly inEdge: number;
  readonly inChannels: number;
  readonly output: number;
  readonly outEdge: number;
  readonly outChannels: number;
  readonly stride: number;
  readonly isRelu: boolean;
  /** A tensor of the result's edge and at most as many channels that is added to the result; null for none. */
  readonly residual: number | null;
  readonly residualChannels: number;
  readonly depthwise: Weights | null;
  readonly convolution: Weights | null;
}

/** A layer, and the operators that became it. */
interface Fused {
  readonly layer: Layer;
  readonly operators: readonly Operator[];
}

/**
 * Joins a model's operators to layers: a depthwise with the pointwise convolution behind it, and additions and relus
 * with the convolution before them. The two heads become one layer: the score, the box's numbers, and as many zeros as
 * make the channels a multiple of four. Throws when the graph is not made of these.
 */
export function fuseLayers(model: Model): readonly Layer[] {
  const graph = readGraph(model);
  const joined = new Set<Operator>();
  const fused: Fused[] = [];
  for (const operator of graph.operators) {
    if (joined.has(operator) || operator.kind === "pad" || graph.isHead(operator)) continue;
    const one = fuse(graph, operator);
    for (const each of one.operators) joined.add(each);
    fused.push(one);
  }
  // A layer runs where its last operator ran: the tensor that is added may be made after the first.
  const position = ({ operators }: Fused): number =>
    Math.max(...operators.map((operator) => graph.operators.indexOf(operator)));
  const layers = fused.sort((a, b) => position(a) - position(b)).map(({ layer }) => layer);
  return [...layers, headLayer(graph)];
}

function fuse(graph: Graph, operator: Operator): Fused {
  if (operator.kind === "max-pool")
    return {
      operators: [operator],
      layer: { ...layerOf(graph, operator, operator.output), kind: "max-pool" },
    };
  if (operator.kind === "resize-bilinear") return fuseUpsampling(graph, operator);
  if (operator.kind !== "depthwise") return fuseConvolution(graph, operator, null);
  const pointwise = graph.follower(operator.output, "convolution");
  if (pointwise === null) throw new Error("A depthwise convolution has no pointwise one behind it.");
  return fuseConvolution(graph, pointwise, operator);
}

function fuseUpsampling(graph: Graph, resize: Operator): Fused {
  const sum = graph.follower(resize.output, "add");
  if (sum === null || sum.isRelu) throw new Error("An enlarged tensor is not merely added to another.");
  const layer = layerOf(graph, resize, sum.output);
  return {
    operators: [resize, sum],
    layer: { ...layer, ...residualOf(graph, sum, resize.output), kind: "upsample-add" },
  };
}

function fuseConvolution(graph: Graph, convolution: Operator, depthwise: Operator | null): Fused {
  const first = depthwise ?? convolution;
  const sum = depthwise === null ? null : graph.follower(convolution.output, "add");
  const last = sum ?? convolution;
  const relu = graph.follower(last.output, "relu");
  const layer = layerOf(graph, first, relu?.output ?? last.output);
  const isStem = layer.inChannels === 3;
  const weights = graph.weightsOf(convolution);
  return {
    operators: [first, convolution, last, ...(relu === null ? [] : [relu])],
    layer: {
      ...layer,
      ...(sum === null ? {} : residualOf(graph, sum, convolution.output)),
      kind: isStem ? "stem" : depthwise === null ? "pointwise" : "separable",
      isRelu: relu !== null || last.isRelu,
      depthwise: depthwise === null ? null : graph.weightsOf(depthwise),
      convolution: isStem ? outputsLast(weights, layer.outChannels) : weights,
    },
  };
}

function layerOf(graph: Graph, { inputs, stride }: Operator, output: number): Omit<Layer, "kind"> {
  const [input = -1] = inputs;
  return {
    input,
    inEdge: graph.edgeOf(input),
    inChannels: graph.channelsOf(input),
    output,
    outEdge: graph.edgeOf(output),
    outChannels: graph.channelsOf(output),
    stride,
    isRelu: false,
    residual: null,
    residualChannels: 0,
    depthwise: null,
    convolution: null,
  };
}

/** The other tensor of a sum, without the channels of zeros that may be appended to it. */
function residualOf(graph: Graph, sum: Operator, own: number): Pick<Layer, "residual" | "residualChannels"> {
  const other = sum.inputs.find((tensor) => tensor !== own) ?? -1;
  const residual = graph.unpadded(other);
  return { residual, residualChannels: graph.channelsOf(residual) };
}

function headLayer(graph: Graph): Layer {
  const [scores, boxes, ...others] = graph.operators
    .filter((operator) => graph.isHead(operator))
    .sort((a, b) => graph.channelsOf(a.output) - graph.channelsOf(b.output));
  if (
    scores === undefined ||
    boxes === undefined ||
    others.length > 0 ||
    scores.inputs[0] !== boxes.inputs[0]
  )
    throw new Error("The graph does not end in scores and boxes.");
  const parts = [graph.weightsOf(scores), graph.weightsOf(boxes)];
  const bias = parts.flatMap((part) => [...part.bias]);
  const base = layerOf(graph, scores, scores.output);
  const outChannels = Math.ceil(bias.length / 4) * 4;
  const filled = (values: readonly number[], length: number): Float64Array => {
    const array = new Float64Array(length);
    array.set(values);
    return array;
  };
  const values = parts.flatMap((part) => [...part.values]);
  return {
    ...base,
    kind: "pointwise",
    outChannels,
    convolution: { values: filled(values, outChannels * base.inChannels), bias: filled(bias, outChannels) },
  };
}

/** From out, taps, in to taps, in, out: the stem computes four outputs at a time. */
function outputsLast({ values, bias }: Weights, outs: number): Weights {
  const each = values.length / outs;
  return { values: values.map((_, at) => values[(at % outs) * each + Math.floor(at / outs)] ?? 0), bias };
}
