import { type Taps, WEIGHT_BITS } from "#renderer/raster/filter-taps.ts";
import type { Raster } from "#renderer/types.ts";

/** Fraction bits kept between the two filters. */
const SPARE_BITS = 6;

const byte = (value: number): number => Math.max(0, Math.min(255, value));

/** Reference for `Resampler`'s kernel: filters an image horizontally, then vertically, sample by sample. */
export function plainlyFiltered(source: Raster, across: Taps, down: Taps): Raster {
  const width = across.first.length;
  const height = down.first.length;
  const rounded = (sum: number, bits: number): number => Math.floor((sum + 2 ** (bits - 1)) / 2 ** bits);
  const narrow = new Float64Array(width * source.height * 4);
  for (let at = 0; at < narrow.length; at += 1) {
    const [row, x, channel] = [Math.floor(at / 4 / width), (at >> 2) % width, at & 3];
    let sum = 0;
    for (let tap = 0; tap < across.tapCount; tap += 1) {
      const pixel = row * source.width + (across.first[x] ?? 0) + tap;
      sum += (source.pixels[pixel * 4 + channel] ?? 0) * (across.weights[x * across.tapCount + tap] ?? 0);
    }
    narrow[at] = rounded(sum, WEIGHT_BITS - SPARE_BITS);
  }
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < pixels.length; at += 1) {
    const y = Math.floor(at / 4 / width);
    let sum = 0;
    for (let tap = 0; tap < down.tapCount; tap += 1) {
      const sample = ((down.first[y] ?? 0) + tap) * width * 4 + (at % (width * 4));
      sum += (narrow[sample] ?? 0) * (down.weights[y * down.tapCount + tap] ?? 0);
    }
    pixels[at] = byte(rounded(sum, WEIGHT_BITS + SPARE_BITS));
  }
  if (source.alpha === "premultiplied") {
    for (let at = 0; at < pixels.length; at += 1) {
      pixels[at] = Math.min(pixels[at] ?? 0, pixels[at | 3] ?? 0);
    }
  }
  return { width, height, pixels, alpha: source.alpha };
}

/** Averages 2 x 2 pixels; an odd last row or column averages with itself. */
export function plainlyHalved(source: Raster): Raster {
  const width = Math.ceil(source.width / 2);
  const height = Math.ceil(source.height / 2);
  const sample = (x: number, y: number, channel: number): number =>
    source.pixels[
      (Math.min(y, source.height - 1) * source.width + Math.min(x, source.width - 1)) * 4 + channel
    ] ?? 0;
  const pixels = new Uint8ClampedArray(width * height * 4).map((_, at) => {
    const [x, y, channel] = [((at >> 2) % width) * 2, Math.floor(at / 4 / width) * 2, at & 3];
    const sum =
      sample(x, y, channel) +
      sample(x + 1, y, channel) +
      sample(x, y + 1, channel) +
      sample(x + 1, y + 1, channel);
    return (sum + 2) >> 2;
  });
  return { width, height, pixels, alpha: source.alpha };
}
