import type { Layer, Weights } from "./layers.ts";
import { quantiseChannels, type WeightOrder } from "./quantise.ts";

/*
 * File format, little endian, with every part aligned to four bytes:
 *   header   MARK, number of layers, bytes of memory for the tensors, offset of the input, offset of the output
 *   layers   RECORD_WORDS words each: index in KINDS, the numbers of layers.csv, and the offset of the weights
 *   weights  per layer, first of the depthwise, then of the other convolution: scales and biases (32-bit floats, one
 *            per channel), then the weights (8-bit, multiplied by their channel's scale)
 * Pointwise weights are stored in blocks of eight output channels (the last may have four): for each input channel the
 * weights of the block's outputs.
 */

/** "CPF1". */
const MARK = 0x31465043;
const HEADER_WORDS = 5;
const RECORD_WORDS = 12;
const KINDS = ["stem", "separable", "pointwise", "max-pool", "upsample-add"];
const BLOCK_CHANNELS = 8;
const FLOAT_BYTES = 4;

/** Packs the layers with weights rounded to 8 bits per channel. */
export function packWeights(layers: readonly Layer[]): Uint8Array {
  const chunks: Uint8Array[] = [];
  let end = (HEADER_WORDS + layers.length * RECORD_WORDS) * 4;
  const add = (chunk: Uint8Array): void => {
    const padded = new Uint8Array(Math.ceil(chunk.length / 4) * 4);
    padded.set(chunk);
    chunks.push(padded);
    end += padded.length;
  };
  const addWeights = ({ values, bias }: Weights, from: WeightOrder, to: WeightOrder): void => {
    const { scales, rounded } = quantiseChannels(values, bias.length, from, to);
    for (const floats of [scales, Float32Array.from(bias)]) add(new Uint8Array(floats.buffer));
    add(new Uint8Array(rounded.buffer));
  };
  const records = layers.flatMap((layer) => {
    const weightsAt = end;
    const { kind, numbers, depthwise, convolution } = layer;
    if (depthwise !== null) addWeights(depthwise, channelsLast(depthwise), channelsLast(depthwise));
    if (convolution !== null) {
      // The stem computes four outputs at a time.
      const order = kind === "stem" ? channelsLast(convolution) : inBlocks(layer);
      addWeights(convolution, channelsFirst(convolution), order);
    }
    return [KINDS.indexOf(kind), ...numbers, weightsAt];
  });
  const tensors = layers.map(({ numbers: [, , edge = 0, channels = 0, , , input = -1, output = -1] }) => ({
    input,
    output,
    end: output + edge ** 2 * channels * FLOAT_BYTES,
  }));
  const memoryBytes = Math.max(...tensors.map((tensor) => tensor.end));
  const ends = [tensors.at(0)?.input ?? -1, tensors.at(-1)?.output ?? -1];
  const words = Int32Array.from([MARK, layers.length, memoryBytes, ...ends, ...records]);
  return Buffer.concat([new Uint8Array(words.buffer), ...chunks]);
}

const channelsFirst =
  ({ values, bias }: Weights): WeightOrder =>
  (channel, index) =>
    channel * (values.length / bias.length) + index;

const channelsLast =
  ({ bias }: Weights): WeightOrder =>
  (channel, index) =>
    index * bias.length + channel;

/** Order of weights in blocks of eight output channels. */
const inBlocks =
  ({ inChannels, outChannels }: Layer): WeightOrder =>
  (channel, index) => {
    const start = Math.floor(channel / BLOCK_CHANNELS) * BLOCK_CHANNELS;
    const width = Math.min(BLOCK_CHANNELS, outChannels - start);
    return start * inChannels + index * width + (channel - start);
  };
