/** Channels of a device, or of the connection space, 0–1 each. */
export type Values = Float64Array;

/** A step over values of as many channels as it takes and gives; `out` has room for four and is not `values`. */
export type Stage = (values: Values, out: Values) => void;

/** A colour lookup table (CLUT), the last channel varying fastest. */
export interface Clut {
  /** Grid points of each channel, at least two. */
  readonly points: readonly number[];
  readonly outputs: number;
  /** A number of 0–1. */
  sample(index: number): number;
}

/**
 * Interpolates in a CLUT: tetrahedral in the last three channels, which keeps greys grey, linear in the one before them. At
 * most four channels.
 */
export function interpolateClut({ points, outputs, sample }: Clut): Stage {
  const channels = points.length;
  const strides = points.map((_, at) =>
    points.slice(at + 1).reduce((product, count) => product * count, outputs),
  );
  const parts = new Float64Array(channels);
  return (values, out) => {
    let base = 0;
    for (let channel = 0; channel < channels; channel += 1) {
      const count = points[channel] ?? 2;
      const position = Math.max(0, Math.min(1, values[channel] ?? 0)) * (count - 1);
      const below = Math.min(count - 2, Math.floor(position));
      parts[channel] = position - below;
      base += below * (strides[channel] ?? 0);
    }
    out.fill(0, 0, outputs);
    const first = channels === 4 ? 1 : 0;
    for (let side = 0; side <= first; side += 1) {
      const share = first === 0 ? 1 : side === 1 ? (parts[0] ?? 0) : 1 - (parts[0] ?? 0);
      if (share === 0) continue;
      let node = base + side * (strides[0] ?? 0);
      let left = 1;
      // From corner to corner of the tetrahedron: the channel with the largest fraction first.
      for (let done = 0; ; ) {
        let next = -1;
        let most = 0;
        for (let channel = first; channel < channels; channel += 1) {
          const part = parts[channel] ?? 0;
          if ((done >> channel) & 1 || part <= most) continue;
          next = channel;
          most = part;
        }
        for (let output = 0; output < outputs; output += 1) {
          out[output] = (out[output] ?? 0) + share * (left - most) * sample(node + output);
        }
        if (next < 0) break;
        done |= 1 << next;
        node += strides[next] ?? 0;
        left = most;
      }
    }
  };
}
