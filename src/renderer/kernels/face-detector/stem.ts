/** Bytes of an input pixel: red, green, blue; the fourth is ignored. */
const PIXEL_BYTES: usize = 4;

/**
 * The first convolution, with a relu: 3 × 3 windows with a stride of two over bytes scaled to −1 to 1. Pixels past the
 * last row and column count as 0.
 */
export function stem(
  pixels: usize,
  result: usize,
  edge: i32,
  channels: i32,
  taps: usize,
  biases: usize,
): void {
  const inEdge = edge << 1;
  const rowBytes = <usize>inEdge * PIXEL_BYTES;
  const channelBytes = (<usize>channels) << 2;
  for (let y: i32 = 0; y < edge; y++) {
    const rows = (y << 1) + 2 < inEdge ? 3 : 2;
    for (let x: i32 = 0; x < edge; x++, result += channelBytes) {
      const columns = (x << 1) + 2 < inEdge ? 3 : 2;
      memory.copy(result, biases, channelBytes);
      for (let row: i32 = 0; row < rows; row++) {
        let from = pixels + <usize>((y << 1) + row) * rowBytes + ((<usize>x) << 1) * PIXEL_BYTES;
        let tap = taps + <usize>(row * 9) * channelBytes;
        for (let column: i32 = 0; column < columns; column++, from += PIXEL_BYTES, tap += channelBytes * 3) {
          addPixel(from, tap, result, channelBytes);
        }
      }
      const zero = f32x4.splat(0);
      for (let at: usize = 0; at < channelBytes; at += 16) {
        v128.store(result + at, f32x4.max(v128.load(result + at), zero));
      }
    }
  }
}

/** Adds a pixel's three colours times their weights, for all channels. */
function addPixel(from: usize, tap: usize, result: usize, channelBytes: usize): void {
  const red = f32x4.splat(unit(load<u8>(from)));
  const green = f32x4.splat(unit(load<u8>(from, 1)));
  const blue = f32x4.splat(unit(load<u8>(from, 2)));
  for (let at: usize = 0; at < channelBytes; at += 16) {
    const sum = f32x4.add(
      f32x4.add(v128.load(result + at), f32x4.mul(red, v128.load(tap + at))),
      f32x4.add(
        f32x4.mul(green, v128.load(tap + channelBytes + at)),
        f32x4.mul(blue, v128.load(tap + (channelBytes << 1) + at)),
      ),
    );
    v128.store(result + at, sum);
  }
}

function unit(value: u8): f32 {
  return <f32>value / <f32>127.5 - <f32>1;
}
