import type { Raster } from "#renderer/types.ts";

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

/** Smooth shapes with grain and hard coloured blocks: partly a photo, partly a design. */
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
