let relu: bool = false;
let residualBytes: usize = 0;
let isSecondAdded: bool = false;

/**
 * A 1 × 1 convolution: each output channel is a weighted sum of the pixel's input channels. Computes four pixels by
 * eight output channels at once, so that each loaded weight and value is used in at least four sums. `pixels` is a
 * multiple of four. The added tensor may have fewer channels; the other output channels get no addition.
 */
export function pointwise(
  from: usize,
  to: usize,
  pixels: i32,
  inChannels: i32,
  outChannels: i32,
  weights: usize,
  biases: usize,
  residual: usize,
  residualChannels: i32,
  isRelu: bool,
): void {
  relu = isRelu;
  residualBytes = (<usize>residualChannels) << 2;
  const inBytes = (<usize>inChannels) << 2;
  const outBytes = (<usize>outChannels) << 2;
  for (let channel: i32 = 0; channel < outChannels; channel += 8) {
    const at = (<usize>channel) << 2;
    const isHalf = outChannels - channel < 8;
    const isAdded = residual !== 0 && channel < residualChannels;
    isSecondAdded = channel + 4 < residualChannels;
    for (let pixel: i32 = 0; pixel < pixels; pixel += 4) {
      const input = from + <usize>pixel * inBytes;
      const output = to + <usize>pixel * outBytes + at;
      const added = isAdded ? residual + <usize>pixel * residualBytes + at : 0;
      if (isHalf) fourChannels(input, inBytes, weights, biases + at, output, outBytes, added);
      else eightChannels(input, inBytes, weights, biases + at, output, outBytes, added);
    }
    weights += inBytes * (isHalf ? 4 : 8);
  }
}

function eightChannels(
  input: usize,
  inBytes: usize,
  weights: usize,
  biases: usize,
  output: usize,
  outBytes: usize,
  added: usize,
): void {
  let a = v128.load(biases);
  let b = v128.load(biases, 16);
  let c = a;
  let d = b;
  let e = a;
  let f = b;
  let g = a;
  let h = b;
  const second = inBytes;
  const third = inBytes * 2;
  const fourth = inBytes * 3;
  for (const end = input + inBytes; input < end; input += 4, weights += 32) {
    const low = v128.load(weights);
    const high = v128.load(weights, 16);
    let value = v128.load32_splat(input);
    a = f32x4.add(a, f32x4.mul(value, low));
    b = f32x4.add(b, f32x4.mul(value, high));
    value = v128.load32_splat(input + second);
    c = f32x4.add(c, f32x4.mul(value, low));
    d = f32x4.add(d, f32x4.mul(value, high));
    value = v128.load32_splat(input + third);
    e = f32x4.add(e, f32x4.mul(value, low));
    f = f32x4.add(f, f32x4.mul(value, high));
    value = v128.load32_splat(input + fourth);
    g = f32x4.add(g, f32x4.mul(value, low));
    h = f32x4.add(h, f32x4.mul(value, high));
  }
  storeEight(output, a, b, added);
  storeEight(output + outBytes, c, d, added === 0 ? 0 : added + residualBytes);
  storeEight(output + outBytes * 2, e, f, added === 0 ? 0 : added + residualBytes * 2);
  storeEight(output + outBytes * 3, g, h, added === 0 ? 0 : added + residualBytes * 3);
}

function fourChannels(
  input: usize,
  inBytes: usize,
  weights: usize,
  biases: usize,
  output: usize,
  outBytes: usize,
  added: usize,
): void {
  let a = v128.load(biases);
  let b = a;
  let c = a;
  let d = a;
  for (const end = input + inBytes; input < end; input += 4, weights += 16) {
    const four = v128.load(weights);
    a = f32x4.add(a, f32x4.mul(v128.load32_splat(input), four));
    b = f32x4.add(b, f32x4.mul(v128.load32_splat(input + inBytes), four));
    c = f32x4.add(c, f32x4.mul(v128.load32_splat(input + inBytes * 2), four));
    d = f32x4.add(d, f32x4.mul(v128.load32_splat(input + inBytes * 3), four));
  }
  storeFour(output, a, added);
  storeFour(output + outBytes, b, added === 0 ? 0 : added + residualBytes);
  storeFour(output + outBytes * 2, c, added === 0 ? 0 : added + residualBytes * 2);
  storeFour(output + outBytes * 3, d, added === 0 ? 0 : added + residualBytes * 3);
}

function storeEight(output: usize, first: v128, second: v128, added: usize): void {
  storeFour(output, first, added);
  storeFour(output + 16, second, added !== 0 && isSecondAdded ? added + 16 : 0);
}

/** Adds, clamps at 0, and only then writes, because the output may overlap the added tensor. */
function storeFour(output: usize, sum: v128, added: usize): void {
  const whole = added === 0 ? sum : f32x4.add(sum, v128.load(added));
  v128.store(output, relu ? f32x4.max(whole, f32x4.splat(0)) : whole);
}
