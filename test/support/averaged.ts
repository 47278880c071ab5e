export interface Averaged {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray;
  readonly isOpaque: boolean;
}

/**
 * Box average of `factor` × `factor` pixels of straight RGBA: a bit-exact reference for decoders. Colours are weighted
 * by alpha, each product is rounded to nearest, each mean to nearest even. Boxes at the right and bottom edge average
 * the pixels inside the image.
 */
export function averaged(rgba: Uint8Array, width: number, height: number, factor: number): Averaged {
  const outWidth = Math.ceil(width / factor);
  const outHeight = Math.ceil(height / factor);
  const isOpaque = rgba.every((value, at) => at % 4 !== 3 || value === 255);
  if (factor === 1) return { width, height, pixels: new Uint8ClampedArray(rgba), isOpaque };
  const pixels = new Uint8ClampedArray(outWidth * outHeight * 4);
  for (let y = 0; y < outHeight; y++) {
    for (let x = 0; x < outWidth; x++) {
      pixels.set(boxMean(rgba, width, height, factor, x, y), (y * outWidth + x) * 4);
    }
  }
  return { width: outWidth, height: outHeight, pixels, isOpaque };
}

function boxMean(
  rgba: Uint8Array,
  width: number,
  height: number,
  factor: number,
  boxX: number,
  boxY: number,
): readonly number[] {
  const sums = [0, 0, 0, 0];
  let count = 0;
  for (let y = boxY * factor; y < Math.min(height, (boxY + 1) * factor); y++) {
    for (let x = boxX * factor; x < Math.min(width, (boxX + 1) * factor); x++) {
      const at = (y * width + x) * 4;
      const alpha = rgba[at + 3] ?? 0;
      for (let channel = 0; channel < 4; channel++) {
        const weight = channel === 3 ? 255 : alpha;
        sums[channel] = (sums[channel] ?? 0) + Math.round(((rgba[at + channel] ?? 0) * weight) / 255);
      }
      count += 1;
    }
  }
  const alphaSum = sums[3] ?? 0;
  if (alphaSum === 0) return sums;
  const scale = alphaSum === count * 255 ? 1 / count : 255 / alphaSum;
  // A clamped array rounds to nearest even.
  return sums.map((sum, channel) => (channel === 3 ? sum / count : sum * scale));
}
