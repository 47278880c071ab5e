import type { Model, Operator, Tensor } from "../../../scripts/make/face-weights/tflite.ts";

/**
 * Runs a model's graph operator by operator in doubles, as slowly and plainly as TensorFlow Lite's reference describes
 * it: what the kernel, which joins operators and keeps floats, is held against.
 */
export function runReference(
  model: Model,
  input: Float64Array,
  is8Bit: boolean,
): ReadonlyMap<number, Float64Array> {
  const values = new Map<number, Float64Array>([[model.input, input]]);
  const shapeOf = (tensor: number): Shape => asShape(model.tensors[tensor]);
  const read = (tensor = -1): Float64Array => {
    const known = values.get(tensor) ?? model.tensors[tensor]?.values ?? null;
    if (known === null) throw new Error(`tensor ${tensor} has no values`);
    return known;
  };
  for (const operator of model.operators) {
    const [from = -1, second] = operator.inputs;
    const to = shapeOf(operator.output);
    values.set(operator.output, relu(operator, compute(operator, from, second, to)));
  }
  return values;

  function compute(operator: Operator, from: number, second: number | undefined, to: Shape): Float64Array {
    const input = read(from);
    const shape = shapeOf(from);
    switch (operator.kind) {
      case "dequantize":
      case "reshape":
      case "relu":
        return input.slice();
      case "add":
        return input.map((value, at) => value + (read(second)[at] ?? 0));
      case "pad":
        return each(to, (y, x, channel) => (channel < shape.channels ? at(input, shape, y, x, channel) : 0));
      case "max-pool":
        return each(to, (y, x, channel) =>
          Math.max(
            ...CORNERS.map(([down, across]) => at(input, shape, y * 2 + down, x * 2 + across, channel)),
          ),
        );
      case "resize-bilinear":
        return each(to, (y, x, channel) => bilinear(input, shape, to, y, x, channel));
      default:
        return convolve(operator, input, shape, to);
    }
  }

  function convolve(
    { kind, inputs, stride }: Operator,
    input: Float64Array,
    shape: Shape,
    to: Shape,
  ): Float64Array {
    const [, weightsAt = -1, bias] = inputs;
    const window = shapeOf(weightsAt);
    const isDepthwise = kind === "depthwise";
    const weights = is8Bit ? rounded(read(weightsAt), to.channels, isDepthwise) : read(weightsAt);
    // SAME: as much padding as keeps the windows whole, the larger half behind.
    const padding = Math.floor(Math.max(0, (to.edge - 1) * stride + window.edge - shape.edge) / 2);
    return each(to, (y, x, channel) => {
      let sum = read(bias)[channel] ?? 0;
      for (let row = 0; row < window.edge; row += 1) {
        for (let column = 0; column < window.edge; column += 1) {
          const [down, across] = [y * stride + row - padding, x * stride + column - padding];
          if (down < 0 || across < 0 || down >= shape.edge || across >= shape.edge) continue;
          const tap = row * window.edge + column;
          if (isDepthwise) {
            sum += at(input, shape, down, across, channel) * (weights[tap * to.channels + channel] ?? 0);
            continue;
          }
          const start = (channel * window.edge * window.edge + tap) * shape.channels;
          const pixel = (down * shape.edge + across) * shape.channels;
          for (let from = 0; from < shape.channels; from += 1)
            sum += (input[pixel + from] ?? 0) * (weights[start + from] ?? 0);
        }
      }
      return sum;
    });
  }
}

interface Shape {
  readonly edge: number;
  readonly channels: number;
}

const CORNERS = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

const asShape = (tensor: Tensor | undefined): Shape => ({
  edge: tensor?.shape[1] ?? 0,
  channels: tensor?.shape[3] ?? 0,
});

const at = (values: Float64Array, { edge, channels }: Shape, y: number, x: number, channel: number): number =>
  values[(y * edge + x) * channels + channel] ?? 0;

function each(
  { edge, channels }: Shape,
  value: (y: number, x: number, channel: number) => number,
): Float64Array {
  const values = new Float64Array(edge * edge * channels);
  for (let y = 0, to = 0; y < edge; y += 1)
    for (let x = 0; x < edge; x += 1)
      for (let channel = 0; channel < channels; channel += 1, to += 1) values[to] = value(y, x, channel);
  return values;
}

function relu({ isRelu }: Operator, values: Float64Array): Float64Array {
  return isRelu ? values.map((value) => Math.max(0, value)) : values;
}

/** With the centres of pixels at their halves. */
function bilinear(
  input: Float64Array,
  shape: Shape,
  to: Shape,
  y: number,
  x: number,
  channel: number,
): number {
  const [down, across] = [y, x].map((position) =>
    Math.min(shape.edge - 1, Math.max(0, ((position + 0.5) * shape.edge) / to.edge - 0.5)),
  ) as [number, number];
  const [top, left] = [Math.floor(down), Math.floor(across)];
  const [bottom, right] = [Math.min(shape.edge - 1, top + 1), Math.min(shape.edge - 1, left + 1)];
  const [low, near] = [down - top, across - left];
  const row = (line: number): number =>
    at(input, shape, line, left, channel) * (1 - near) + at(input, shape, line, right, channel) * near;
  return row(top) * (1 - low) + row(bottom) * low;
}

/** The weights as the packed file has them: each channel in 127 steps of its largest weight. */
function rounded(weights: Float64Array, channels: number, isDepthwise: boolean): Float64Array {
  const each = weights.length / channels;
  const channelOf = (index: number): number => (isDepthwise ? index % channels : Math.floor(index / each));
  const largest = new Float64Array(channels);
  weights.forEach((weight, index) => {
    const channel = channelOf(index);
    largest[channel] = Math.max(largest[channel] ?? 0, Math.abs(weight));
  });
  const steps = largest.map((most) => Math.fround(most / 127));
  return weights.map((weight, index) => {
    const step = steps[channelOf(index)] ?? 0;
    return step === 0 ? 0 : Math.fround(Math.round(weight / step) * step);
  });
}
