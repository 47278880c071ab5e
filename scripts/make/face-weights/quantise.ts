const LARGEST = 127;

export interface QuantisedWeights {
  /** One scale per channel, by which a rounded weight is multiplied. */
  readonly scales: Float32Array<ArrayBuffer>;
  readonly rounded: Int8Array<ArrayBuffer>;
}

/** Position of the channel's weight with that index. */
export type WeightOrder = (channel: number, index: number) => number;

/** Rounds weights to 8 bits, scaled by the largest weight of each channel, and reorders them. */
export function quantiseChannels(
  values: Float64Array,
  channels: number,
  from: WeightOrder,
  to: WeightOrder,
): QuantisedWeights {
  const scales = new Float32Array(channels);
  const rounded = new Int8Array(values.length);
  const each = values.length / channels;
  for (let channel = 0; channel < channels; channel += 1) {
    let most = 0;
    for (let index = 0; index < each; index += 1)
      most = Math.max(most, Math.abs(values[from(channel, index)] ?? 0));
    const scale = Math.fround(most / LARGEST);
    scales[channel] = scale;
    if (scale === 0) continue;
    for (let index = 0; index < each; index += 1) {
      const value = values[from(channel, index)] ?? 0;
      rounded[to(channel, index)] = Math.min(LARGEST, Math.max(-LARGEST, Math.round(value / scale)));
    }
  }
  return { scales, rounded };
}
