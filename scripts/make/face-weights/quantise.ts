const LARGEST = 127;

export interface QuantisedWeights {
  /** One a channel: what a rounded weight is multiplied by. */
  readonly scales: Float32Array<ArrayBuffer>;
  /** In the order of the given values. */
  readonly rounded: Int8Array<ArrayBuffer>;
}

/**
 * Rounds weights to 8 bits, each channel by its own largest weight. `order` tells where the weight with that index of a
 * channel stands.
 */
export function quantiseChannels(
  values: Float64Array,
  channels: number,
  order: (channel: number, index: number) => number,
): QuantisedWeights {
  const scales = new Float32Array(channels);
  const rounded = new Int8Array(values.length);
  const each = values.length / channels;
  for (let channel = 0; channel < channels; channel += 1) {
    let most = 0;
    for (let index = 0; index < each; index += 1)
      most = Math.max(most, Math.abs(values[order(channel, index)] ?? 0));
    const scale = Math.fround(most / LARGEST);
    scales[channel] = scale;
    if (scale === 0) continue;
    for (let index = 0; index < each; index += 1) {
      const at = order(channel, index);
      rounded[at] = Math.min(LARGEST, Math.max(-LARGEST, Math.round((values[at] ?? 0) / scale)));
    }
  }
  return { scales, rounded };
}
