import type { Raster } from "../types.ts";
import { type Palette, paletteMatcher } from "./colour-quantiser.ts";

/** Part of the error taken over inside a band of one colour. All of it makes worms in flat areas. */
const STRENGTH = 0.85;

/** Sum of the squares of an error, in levels, that does not show and is not worth the noise. */
const UNSEEN = 6;

/**
 * Maps a picture to palette indices with Floyd and Steinberg's error diffusion, each row against the one before. A
 * pixel takes over as much of the error as it has neighbours of its own nearest colour: they would form a band, while
 * texture hides errors and dithering would only add noise and bytes. A pixel of a flat colour takes that colour and
 * passes nothing on, so that fills, text and logos stay clean. `flat` are colours that the palette holds,
 * `r << 16 | g << 8 | b`.
 */
export function diffuseErrors(
  { width, height, pixels }: Raster,
  palette: Palette,
  flat: readonly number[],
): Uint8Array {
  const match = paletteMatcher(palette);
  const nearest = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < nearest.length; pixel++, at += 4) {
    nearest[pixel] = match(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
  }
  const indices = nearest.slice();
  const flatColours = new Set(flat);
  let errors = new Float64Array((width + 2) * 3);
  let below = new Float64Array((width + 2) * 3);
  for (let y = 0; y < height; y++) {
    const isForward = y % 2 === 0;
    const step = isForward ? 1 : -1;
    for (let count = 0, x = isForward ? 0 : width - 1; count < width; count++, x += step) {
      const pixel = y * width + x;
      let red = pixels[pixel * 4] ?? 0;
      let green = pixels[pixel * 4 + 1] ?? 0;
      let blue = pixels[pixel * 4 + 2] ?? 0;
      if (flatColours.has((red << 16) | (green << 8) | blue)) continue;
      const strength = STRENGTH * bandShare(nearest, pixel, width);
      const at = (x + 1) * 3;
      const ofRed = (errors[at] ?? 0) * strength;
      const ofGreen = (errors[at + 1] ?? 0) * strength;
      const ofBlue = (errors[at + 2] ?? 0) * strength;
      if (ofRed * ofRed + ofGreen * ofGreen + ofBlue * ofBlue > UNSEEN) {
        red = clampByte(red + ofRed);
        green = clampByte(green + ofGreen);
        blue = clampByte(blue + ofBlue);
        indices[pixel] = match(Math.round(red), Math.round(green), Math.round(blue));
      }
      const taken = (indices[pixel] ?? 0) * 3;
      pass(errors, below, at, step * 3, red - (palette[taken] ?? 0));
      pass(errors, below, at + 1, step * 3, green - (palette[taken + 1] ?? 0));
      pass(errors, below, at + 2, step * 3, blue - (palette[taken + 2] ?? 0));
    }
    [errors, below] = [below, errors];
    below.fill(0);
  }
  return indices;
}

/** Share of a pixel's four neighbours whose nearest colour is its own. */
function bandShare(nearest: Uint8Array, pixel: number, width: number): number {
  const own = nearest[pixel];
  let same = 0;
  if (nearest[pixel - 1] === own) same++;
  if (nearest[pixel + 1] === own) same++;
  if (nearest[pixel - width] === own) same++;
  if (nearest[pixel + width] === own) same++;
  return same / 4;
}

function pass(errors: Float64Array, below: Float64Array, at: number, ahead: number, error: number): void {
  const part = error / 16;
  errors[at + ahead] = (errors[at + ahead] ?? 0) + part * 7;
  below[at - ahead] = (below[at - ahead] ?? 0) + part * 3;
  below[at] = (below[at] ?? 0) + part * 5;
  below[at + ahead] = (below[at + ahead] ?? 0) + part;
}

function clampByte(value: number): number {
  return Math.max(0, Math.min(255, value));
}
