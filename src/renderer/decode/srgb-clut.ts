import type { Conversion } from "./colour-codec.ts";

/** A CLUT from three or four device channels to sRGB, the last channel varying fastest. */
export interface SrgbClut {
  /** Grid points along each edge. */
  readonly points: number;
  /** sRGB at the grid points, three values each, in 128ths of a byte. */
  readonly nodes: Uint16Array;
  /** For each channel, where each value of its byte lies on the grid, 0 to `points` - 1. */
  readonly gridPositions: readonly Float64Array[];
}

const NODE_BYTES = 6;
const WEIGHT_ONE = 4096;

/**
 * The tables of a CLUT's conversion: tetrahedral interpolation in the last three channels, linear in the first of CMYK.
 * Nodes have 7 fraction bits, weights 12; the largest sum is 255 × 128 × 4096, which fits 31 bits. Rounding moves a result
 * by at most 1/128 level for each of the two interpolations and half a level at the end.
 */
export function clutConversion({ points, nodes, gridPositions }: SrgbClut, channels: 3 | 4): Conversion {
  const tables = new Int32Array(4 * 256 * 2);
  const first = 4 - channels;
  for (let channel = first; channel < 4; channel += 1) {
    const stride = points ** (3 - channel) * NODE_BYTES;
    for (let byte = 0; byte < 256; byte += 1) {
      const position = gridPositions[channel - first]?.[byte] ?? 0;
      const node = Math.min(points - 2, Math.floor(position));
      const weight = Math.round((position - node) * WEIGHT_ONE);
      const at = (channel * 256 + byte) * 2;
      tables[at] = node * stride;
      tables[at + 1] = channel === 0 ? weight : (weight << 16) | stride;
    }
  }
  return { kind: channels === 3 ? "clut" : "ink_clut", tables, nodes, lineBytes: points ** 3 * NODE_BYTES };
}
