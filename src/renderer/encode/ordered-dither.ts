import type { Box, Raster } from "../types.ts";
import { type Palette, paletteMatcher } from "./colour-quantiser.ts";

const SIDE = 8;

/** Bayer's 8 × 8 thresholds, centred on zero, -0.5 to 0.5. */
const THRESHOLDS = Float64Array.from({ length: SIDE * SIDE }, (_, at) => {
  let value = 0;
  for (let bit = 0; bit < 3; bit++) {
    const x = ((at % SIDE) >> bit) & 1;
    const y = (Math.floor(at / SIDE) >> bit) & 1;
    value = value * 4 + ((x ^ y) * 2 + y);
  }
  return (value + 0.5) / (SIDE * SIDE) - 0.5;
});

/**
 * Strength of the pattern. Divided by the cube root of the number of colours, because larger palettes have smaller
 * steps.
 */
const SPREAD = 70;
/** Relative strength of the pattern on heads. */
const HEAD_STRENGTH = 0.4;

/**
 * Returns a mapper from pictures to palette indices. An index depends only on the pixel's colour and position, so that
 * unchanged pixels keep their index and only moving ones are stored. Flat colours (`r << 16 | g << 8 | b`, present in
 * the palette) are not dithered. `heads` are dithered less than the rest, because a pattern shows first on skin.
 */
export function orderedDither(
  palette: Palette,
  flat: readonly number[],
  heads: readonly Box[] = [],
): (raster: Raster) => Uint8Array {
  const match = paletteMatcher(palette);
  const flatColours = new Set(flat);
  const spread = SPREAD / Math.cbrt(palette.length / 3) / 2;
  return ({ width, height, pixels }) => {
    const indices = new Uint8Array(width * height);
    const spreads = new Float64Array(width);
    for (let y = 0; y < height; y++) {
      spreads.fill(spread);
      for (const head of heads) {
        if (y >= head.y && y < head.y + head.height)
          spreads.fill(spread * HEAD_STRENGTH, head.x, head.x + head.width);
      }
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4;
        const red = pixels[at] ?? 0;
        const green = pixels[at + 1] ?? 0;
        const blue = pixels[at + 2] ?? 0;
        const isFlat = flatColours.has((red << 16) | (green << 8) | blue);
        const threshold = THRESHOLDS[(y % SIDE) * SIDE + (x % SIDE)] ?? 0;
        const shift = isFlat ? 0 : Math.round(threshold * (spreads[x] ?? spread));
        indices[y * width + x] = match(toByte(red + shift), toByte(green + shift), toByte(blue + shift));
      }
    }
    return indices;
  };
}

function toByte(value: number): number {
  return Math.max(0, Math.min(255, value));
}
