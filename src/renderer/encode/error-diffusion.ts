import type { Raster } from "../types.ts";
import { type Palette, paletteMatcher } from "./colour-quantiser.ts";

/** Part of the error passed on. All of it makes worms in flat areas. */
const STRENGTH = 0.85;

/**
 * Maps a picture to palette indices with Floyd and Steinberg's error diffusion, each row against the one
 * before. A pixel of a flat colour takes that colour and passes nothing on, so that fills, text and logos
 * stay clean. `flat` are colours that the palette holds, `r << 16 | g << 8 | b`.
 */
export function diffuseErrors(
  { width, height, pixels }: Raster,
  palette: Palette,
  flat: readonly number[],
): Uint8Array {
  const match = paletteMatcher(palette);
  const indices = new Uint8Array(width * height);
  const flatColours = new Set(flat);
  let errors = new Float64Array((width + 2) * 3);
  let below = new Float64Array((width + 2) * 3);
  for (let y = 0; y < height; y++) {
    const isForward = y % 2 === 0;
    const step = isForward ? 1 : -1;
    for (let count = 0, x = isForward ? 0 : width - 1; count < width; count++, x += step) {
      const from = (y * width + x) * 4;
      const red = pixels[from] ?? 0;
      const green = pixels[from + 1] ?? 0;
      const blue = pixels[from + 2] ?? 0;
      const at = (x + 1) * 3;
      if (flatColours.has((red << 16) | (green << 8) | blue)) {
        indices[y * width + x] = match(red, green, blue);
        continue;
      }
      const wantedRed = clampByte(red + (errors[at] ?? 0));
      const wantedGreen = clampByte(green + (errors[at + 1] ?? 0));
      const wantedBlue = clampByte(blue + (errors[at + 2] ?? 0));
      const index = match(Math.round(wantedRed), Math.round(wantedGreen), Math.round(wantedBlue));
      indices[y * width + x] = index;
      pass(errors, below, at, step * 3, wantedRed - (palette[index * 3] ?? 0));
      pass(errors, below, at + 1, step * 3, wantedGreen - (palette[index * 3 + 1] ?? 0));
      pass(errors, below, at + 2, step * 3, wantedBlue - (palette[index * 3 + 2] ?? 0));
    }
    [errors, below] = [below, errors];
    below.fill(0);
  }
  return indices;
}

function pass(errors: Float64Array, below: Float64Array, at: number, ahead: number, error: number): void {
  const part = (error * STRENGTH) / 16;
  errors[at + ahead] = (errors[at + ahead] ?? 0) + part * 7;
  below[at - ahead] = (below[at - ahead] ?? 0) + part * 3;
  below[at] = (below[at] ?? 0) + part * 5;
  below[at + ahead] = (below[at + ahead] ?? 0) + part;
}

function clampByte(value: number): number {
  return Math.max(0, Math.min(255, value));
}
