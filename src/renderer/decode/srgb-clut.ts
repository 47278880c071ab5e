/** A CLUT from three or four device channels to sRGB, the last channel varying fastest. */
export interface SrgbClut {
  /** Grid points along each edge. */
  readonly points: number;
  /** sRGB at the grid points, three values each, in 128ths of a byte. */
  readonly nodes: Uint16Array;
  /** For each channel, where each value of its byte lies on the grid, 0 to `points` - 1. */
  readonly gridPositions: readonly Float64Array[];
}

/** Of a byte's step, in a node. */
const NODE_ONE = 128;
const PART_BITS = 12;
const PART_ONE = 1 << PART_BITS;

/**
 * Converts pixels in place: tetrahedral interpolation in the last three channels, linear in the first of CMYK. In integers:
 * nodes have 7 fraction bits, weights 12; the largest sum is 255 × 128 × 4096, which fits 31 bits. Rounding moves a result
 * by at most 1/128 level for each of the two interpolations and half a level at the end. Alpha stays; CMYK becomes opaque.
 */
export function clutConversion(
  { points, nodes, gridPositions }: SrgbClut,
  channels: 3 | 4,
): (pixels: Uint8ClampedArray) => void {
  // For each byte of each channel: the offset of the grid point below it, and the fraction beyond that.
  const below = new Int32Array(4 * 256);
  const beyond = new Int32Array(4 * 256);
  const first = 4 - channels;
  const strides = [points ** 3 * 3, points ** 2 * 3, points * 3, 3];
  for (let channel = first; channel < 4; channel += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      const position = gridPositions[channel - first]?.[byte] ?? 0;
      const node = Math.min(points - 2, Math.floor(position));
      below[channel * 256 + byte] = node * (strides[channel] ?? 0);
      beyond[channel * 256 + byte] = Math.round((position - node) * PART_ONE);
    }
  }
  const [lineStride = 0, strideX = 0, strideY = 0, strideZ = 0] = strides;
  const half = 1 << (PART_BITS - 1);
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const line = channels === 4 ? (pixels[at] ?? 0) : 0;
      const x = 256 + (pixels[at + 1 - first] ?? 0);
      const y = 512 + (pixels[at + 2 - first] ?? 0);
      const z = 768 + (pixels[at + 3 - first] ?? 0);
      const base = (below[line] ?? 0) + (below[x] ?? 0) + (below[y] ?? 0) + (below[z] ?? 0);
      let one = beyond[x] ?? 0;
      let two = beyond[y] ?? 0;
      let three = beyond[z] ?? 0;
      let strideOne = strideX;
      let strideTwo = strideY;
      let strideThree = strideZ;
      // Sorts the three fractions, the largest first.
      if (one < two) {
        [one, two] = [two, one];
        [strideOne, strideTwo] = [strideTwo, strideOne];
      }
      if (two < three) {
        [two, three] = [three, two];
        [strideTwo, strideThree] = [strideThree, strideTwo];
        if (one < two) {
          [one, two] = [two, one];
          [strideOne, strideTwo] = [strideTwo, strideOne];
        }
      }
      const weight = PART_ONE - one;
      const weightOne = one - two;
      const weightTwo = two - three;
      const nodeOne = base + strideOne;
      const nodeTwo = nodeOne + strideTwo;
      const nodeThree = nodeTwo + strideThree;
      const along = beyond[line] ?? 0;
      for (let channel = 0; channel < 3; channel += 1) {
        let value =
          (nodes[base + channel] ?? 0) * weight +
          (nodes[nodeOne + channel] ?? 0) * weightOne +
          (nodes[nodeTwo + channel] ?? 0) * weightTwo +
          (nodes[nodeThree + channel] ?? 0) * three;
        value = (value + half) >> PART_BITS;
        if (along > 0) {
          const shift = lineStride + channel;
          let other =
            (nodes[base + shift] ?? 0) * weight +
            (nodes[nodeOne + shift] ?? 0) * weightOne +
            (nodes[nodeTwo + shift] ?? 0) * weightTwo +
            (nodes[nodeThree + shift] ?? 0) * three;
          other = (other + half) >> PART_BITS;
          value += ((other - value) * along + half) >> PART_BITS;
        }
        pixels[at + channel] = (value + (NODE_ONE >> 1)) >> 7;
      }
      if (channels === 4) pixels[at + 3] = 255;
    }
  };
}
