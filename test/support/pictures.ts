import type { Raster } from "../../src/renderer/types.ts";

/** Deterministic numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Smooth shapes with some grain and hard coloured blocks: something of a photograph and something of a design. */
export function paintPicture(width: number, height: number, seed = 1): Raster {
  const random = seededRandom(seed);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const grain = random() * 12;
      const isBlock = x > width * 0.6 && x < width * 0.8 && y > height * 0.2 && y < height * 0.4;
      pixels[at] = isBlock ? 225 : (255 * x) / width - grain;
      pixels[at + 1] = isBlock ? 29 : (200 * y) / height + grain;
      pixels[at + 2] = isBlock ? 72 : 90 + 80 * Math.sin((x + 2 * y) / 40) + grain;
      pixels[at + 3] = 255;
    }
  }
  return { width, height, pixels, alpha: "opaque" };
}

/** Means of whole boxes of straight RGBA, colours weighed by alpha; partial boxes at the edges average what they have. */
export function boxMeans(rgba: Uint8Array, width: number, height: number, factor: number): Uint8Array {
  const outWidth = Math.ceil(width / factor);
  const outHeight = Math.ceil(height / factor);
  const out = new Uint8Array(outWidth * outHeight * 4);
  for (let outY = 0; outY < outHeight; outY++) {
    for (let outX = 0; outX < outWidth; outX++) {
      const sums = [0, 0, 0, 0];
      let count = 0;
      for (let y = outY * factor; y < Math.min(height, (outY + 1) * factor); y++) {
        for (let x = outX * factor; x < Math.min(width, (outX + 1) * factor); x++) {
          const at = (y * width + x) * 4;
          const alpha = rgba[at + 3] ?? 0;
          for (let channel = 0; channel < 3; channel++) {
            sums[channel] = (sums[channel] ?? 0) + (rgba[at + channel] ?? 0) * alpha;
          }
          sums[3] = (sums[3] ?? 0) + alpha;
          count += 1;
        }
      }
      const alphaSum = sums[3] ?? 0;
      const at = (outY * outWidth + outX) * 4;
      for (let channel = 0; channel < 3; channel++) {
        out[at + channel] = alphaSum === 0 ? 0 : Math.round((sums[channel] ?? 0) / alphaSum);
      }
      out[at + 3] = Math.round(alphaSum / count);
    }
  }
  return out;
}
