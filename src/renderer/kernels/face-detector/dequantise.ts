/** Converts 8-bit weights to floats when their layer runs: all layers at once would take four times the memory. */

/** Bytes of a convolution's scales, biases and weights in the file; each part starts at a multiple of four. */
export function paramBytes(channels: i32, taps: i32): usize {
  return ((<usize>channels) << 3) + <usize>((channels * taps + 3) & ~3);
}

/** Orders weights by tap, then channel. */
export function dequantise(params: usize, channels: i32, taps: i32, to: usize): void {
  let from = params + ((<usize>channels) << 3);
  const scaleBytes = (<usize>channels) << 2;
  for (let tap: i32 = 0; tap < taps; tap++) {
    for (let at: usize = 0; at < scaleBytes; at += 16, from += 4, to += 16) {
      v128.store(to, f32x4.mul(fourWeights(from), v128.load(params + at)));
    }
  }
}

/** Pointwise weights, in blocks of eight output channels; the last block may have four. */
export function dequantiseBlocks(params: usize, inChannels: i32, outChannels: i32, to: usize): void {
  let from = params + ((<usize>outChannels) << 3);
  for (let block: i32 = 0; block < outChannels; block += 8) {
    const scales = v128.load(params + ((<usize>block) << 2));
    if (outChannels - block < 8) {
      for (let channel: i32 = 0; channel < inChannels; channel++, from += 4, to += 16) {
        v128.store(to, f32x4.mul(fourWeights(from), scales));
      }
    } else {
      const others = v128.load(params + ((<usize>block) << 2), 16);
      for (let channel: i32 = 0; channel < inChannels; channel++, from += 8, to += 32) {
        v128.store(to, f32x4.mul(fourWeights(from), scales));
        v128.store(to, f32x4.mul(fourWeights(from + 4), others), 16);
      }
    }
  }
}

function fourWeights(from: usize): v128 {
  const words = i16x8.extend_low_i8x16_s(v128.load32_zero(from));
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(words));
}
