/** One encoding at one quality. */
export interface Attempt {
  readonly quality: number;
  readonly bytes: Uint8Array;
}

export interface QualityRange {
  readonly min: number;
  readonly preferred: number;
}

/**
 * Finds the best quality whose file is at most `byteCap` bytes, taking size to grow with quality:
 * the preferred quality first, then halving. When even the lowest is too large, gives that one.
 * Null when the encoder fails.
 */
export function searchQuality(
  encode: (quality: number) => Uint8Array | null,
  range: QualityRange,
  byteCap: number | null,
): Attempt | null {
  const preferred = encode(range.preferred);
  if (preferred === null) return null;
  if (byteCap === null || preferred.length <= byteCap) return { quality: range.preferred, bytes: preferred };
  let best: Attempt | null = null;
  let smallest: Attempt = { quality: range.preferred, bytes: preferred };
  let low = range.min;
  let high = range.preferred - 1;
  while (low <= high) {
    const quality = (low + high) >> 1;
    const bytes = encode(quality);
    if (bytes === null) return null;
    const attempt = { quality, bytes };
    if (bytes.length < smallest.bytes.length) smallest = attempt;
    if (bytes.length <= byteCap) {
      best = attempt;
      low = quality + 1;
    } else {
      high = quality - 1;
    }
  }
  return best ?? smallest;
}
