/**
 * One row of a depthwise convolution of 3 × 3 pixels, four channels at once. Pixels left and right of the row count as
 * 0; above and below, the caller passes rows of zeros.
 */
export function depthwiseRow(
  above: usize,
  middle: usize,
  below: usize,
  to: usize,
  outEdge: i32,
  channels: i32,
  stride: i32,
  taps: usize,
  biases: usize,
): void {
  const pixel = (<usize>channels) << 2;
  const step = pixel * <usize>stride;
  const isPaddedLeft = stride === 1;
  for (let at: usize = 0; at < pixel; at += 16) {
    const bias = v128.load(biases + at);
    const a = v128.load(taps + at);
    const b = v128.load(taps + at + pixel);
    const c = v128.load(taps + at + pixel * 2);
    const d = v128.load(taps + at + pixel * 3);
    const e = v128.load(taps + at + pixel * 4);
    const f = v128.load(taps + at + pixel * 5);
    const g = v128.load(taps + at + pixel * 6);
    const h = v128.load(taps + at + pixel * 7);
    const i = v128.load(taps + at + pixel * 8);
    let out = to + at;
    let first = above + at;
    let second = middle + at;
    let third = below + at;
    let inside = outEdge - 1;
    if (isPaddedLeft) {
      const left = column(bias, b, e, h, first, second, third);
      v128.store(out, column(left, c, f, i, first + pixel, second + pixel, third + pixel));
      out += pixel;
      inside -= 1;
    }
    for (let x: i32 = 0; x < inside; x++, out += pixel, first += step, second += step, third += step) {
      let sum = column(bias, a, d, g, first, second, third);
      sum = column(sum, b, e, h, first + pixel, second + pixel, third + pixel);
      sum = column(sum, c, f, i, first + pixel * 2, second + pixel * 2, third + pixel * 2);
      v128.store(out, sum);
    }
    const left = column(bias, a, d, g, first, second, third);
    v128.store(out, column(left, b, e, h, first + pixel, second + pixel, third + pixel));
  }
}

// `@inline` is not TypeScript; the optimiser inlines functions this small.
function column(sum: v128, a: v128, b: v128, c: v128, first: usize, second: usize, third: usize): v128 {
  const upper = f32x4.add(sum, f32x4.mul(v128.load(first), a));
  const centre = f32x4.add(upper, f32x4.mul(v128.load(second), b));
  return f32x4.add(centre, f32x4.mul(v128.load(third), c));
}
