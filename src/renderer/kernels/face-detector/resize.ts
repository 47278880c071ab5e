/** Max pooling of 2 × 2 pixels. */
export function maxPool(from: usize, to: usize, edge: i32, channels: i32): void {
  const pixel = (<usize>channels) << 2;
  const row = pixel * ((<usize>edge) << 1);
  for (let y: i32 = 0; y < edge; y++, from += row) {
    for (let x: i32 = 0; x < edge; x++, from += pixel) {
      for (const end = from + pixel; from < end; from += 16, to += 16) {
        const upper = f32x4.max(v128.load(from), v128.load(from + pixel));
        const lower = f32x4.max(v128.load(from + row), v128.load(from + row + pixel));
        v128.store(to, f32x4.max(upper, lower));
      }
    }
  }
}

/**
 * Doubles width and height with bilinear interpolation between pixel centres, and adds a tensor of the new size. `to`
 * may be the added tensor.
 */
export function upsampleAdd(from: usize, added: usize, to: usize, edge: i32, channels: i32): void {
  const pixel = (<usize>channels) << 2;
  const row = pixel * <usize>edge;
  const outEdge = edge << 1;
  for (let y: i32 = 0; y < outEdge; y++) {
    const near = from + <usize>(y >> 1) * row;
    const far = from + <usize>neighbour(y, edge) * row;
    for (let x: i32 = 0; x < outEdge; x++) {
      const here = <usize>(x >> 1) * pixel;
      const beside = <usize>neighbour(x, edge) * pixel;
      for (let at: usize = 0; at < pixel; at += 16, added += 16, to += 16) {
        const first = blend(v128.load(near + here + at), v128.load(near + beside + at));
        const second = blend(v128.load(far + here + at), v128.load(far + beside + at));
        v128.store(to, f32x4.add(v128.load(added), blend(first, second)));
      }
    }
  }
}

/** Three quarters of the nearer pixel, one quarter of the other. */
function blend(near: v128, far: v128): v128 {
  return f32x4.add(f32x4.mul(near, f32x4.splat(0.75)), f32x4.mul(far, f32x4.splat(0.25)));
}

/** The source pixel second nearest to an output pixel; at the border, the nearest one. */
function neighbour(position: i32, edge: i32): i32 {
  const other = (position >> 1) + ((position & 1) === 0 ? -1 : 1);
  return min(max(other, 0), edge - 1);
}
