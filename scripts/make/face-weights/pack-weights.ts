import type { Layer } from "./fuse-layers.ts";
import type { Weights } from "./graph.ts";
import { planMemory } from "./plan-memory.ts";
import { quantiseChannels } from "./quantise.ts";

/*
 * The file, little endian, every part at a multiple of four bytes:
 *   header   MARK, layers, bytes of memory that the tensors take, offset of the input, offset of the output
 *   layers   RECORD_WORDS words each, see `recordOf`
 *   weights  of each layer, first the depthwise then the other convolution: scales and biases (32-bit floats, one a
 *            channel), then the weights (8-bit, to be multiplied by their channel's scale)
 * Pointwise weights come in blocks of eight output channels, the last may have four: for each input channel the weights
 * of the block's outputs.
 */

/** "CPF1". */
const MARK = 0x31465043;
const HEADER_WORDS = 5;
const RECORD_WORDS = 12;
const KINDS: readonly Layer["kind"][] = ["stem", "separable", "pointwise", "max-pool", "upsample-add"];
const BLOCK_CHANNELS = 8;

/** Packs the layers, weights rounded to 8 bits a channel, with a plan of the memory that the tensors take. */
export function packWeights(layers: readonly Layer[]): Uint8Array {
  const plan = planMemory(layers);
  const offsetOf = (tensor: number | null): number =>
    tensor === null ? -1 : (plan.offsets.get(tensor) ?? -1);
  const chunks: Uint8Array[] = [];
  let end = (HEADER_WORDS + layers.length * RECORD_WORDS) * 4;
  const add = (chunk: Uint8Array): void => {
    const padded = new Uint8Array(Math.ceil(chunk.length / 4) * 4);
    padded.set(chunk);
    chunks.push(padded);
    end += padded.length;
  };
  const addWeights = ({ values, bias }: Weights, order: (channel: number, index: number) => number): void => {
    const { scales, rounded } = quantiseChannels(values, bias.length, order);
    for (const floats of [scales, Float32Array.from(bias)]) add(new Uint8Array(floats.buffer));
    add(new Uint8Array(rounded.buffer));
  };
  const records = layers.flatMap((layer) => {
    const weightsAt = end;
    const { depthwise, convolution } = layer;
    if (depthwise !== null) addWeights(depthwise, (channel, index) => index * layer.inChannels + channel);
    if (convolution !== null && layer.kind === "stem")
      addWeights(convolution, (channel, index) => index * layer.outChannels + channel);
    else if (convolution !== null) addWeights(inBlocks(convolution, layer.inChannels), blockOrder(layer));
    return recordOf(layer, offsetOf, weightsAt);
  });
  const [first, last] = [layers[0], layers[layers.length - 1]];
  const ends = [offsetOf(first?.input ?? null), offsetOf(last?.output ?? null)];
  const words = Int32Array.from([MARK, layers.length, plan.bytes, ...ends, ...records]);
  return Buffer.concat([new Uint8Array(words.buffer), ...chunks]);
}

function recordOf(layer: Layer, offsetOf: (tensor: number | null) => number, weightsAt: number): number[] {
  return [
    KINDS.indexOf(layer.kind),
    layer.inEdge,
    layer.inChannels,
    layer.outEdge,
    layer.outChannels,
    layer.stride,
    layer.isRelu ? 1 : 0,
    offsetOf(layer.input),
    offsetOf(layer.output),
    offsetOf(layer.residual),
    layer.residualChannels,
    weightsAt,
  ];
}

/** Where the weight of an output and an input channel stands among blocks of eight outputs. */
function blockOrder({ inChannels, outChannels }: Pick<Layer, "inChannels" | "outChannels">) {
  return (channel: number, index: number): number => {
    const start = Math.floor(channel / BLOCK_CHANNELS) * BLOCK_CHANNELS;
    const width = Math.min(BLOCK_CHANNELS, outChannels - start);
    return start * inChannels + index * width + (channel - start);
  };
}

function inBlocks({ values, bias }: Weights, inChannels: number): Weights {
  const blocks = new Float64Array(values.length);
  const order = blockOrder({ inChannels, outChannels: bias.length });
  values.forEach((value, at) => {
    blocks[order(Math.floor(at / inChannels), at % inChannels)] = value;
  });
  return { values: blocks, bias };
}
