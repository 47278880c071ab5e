import type { PngStructure } from "./png-chunks.ts";

const SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

export function samplesPerPixel(png: PngStructure): number {
  return SAMPLES[png.colourType];
}

/** RGBA of each value of a sample, for pixels that are looked up: palettes, and grey of less than 8 bits or 8 bits with tRNS. */
export function coloursOf(png: PngStructure): Uint8Array | null {
  if (png.colourType === 3) return paletteColours(png);
  const isFew = png.bitDepth < 8 || (png.bitDepth === 8 && png.transparency !== null);
  return png.colourType === 0 && isFew ? greyColours(png) : null;
}

/** The stored bytes of the pixel that tRNS makes transparent; null without tRNS, or where pixels are looked up. */
export function transparentPixelOf(png: PngStructure): Uint8Array | null {
  const key = png.transparency;
  const samples = samplesPerPixel(png);
  if (key === null || key.length < samples * 2) return null;
  if (png.colourType !== 2 && !(png.colourType === 0 && png.bitDepth === 16)) return null;
  // tRNS has 16 bits a sample whatever the bit depth.
  return key.subarray(0, samples * 2).filter((_, index) => png.bitDepth === 16 || index % 2 === 1);
}

function greyColours(png: PngStructure): Uint8Array {
  const levels = 1 << png.bitDepth;
  const table = new Uint8Array(256 * 4);
  for (let level = 0; level < levels; level++) {
    table.fill((level * 255) / (levels - 1), level * 4, level * 4 + 3);
    table[level * 4 + 3] = 255;
  }
  const key = png.transparency;
  if (key !== null && key.length >= 2) {
    // tRNS has 16 bits whatever the bit depth; those above it are ignored (PNG, third edition, 11.3.1.1).
    const level = (key[1] ?? 0) & (levels - 1);
    table[level * 4 + 3] = 0;
  }
  return table;
}

/** RGBA of PLTE and tRNS. An index past the palette is opaque black. */
function paletteColours(png: PngStructure): Uint8Array {
  const palette = png.palette ?? new Uint8Array(0);
  const table = new Uint8Array(256 * 4);
  for (let entry = 0; entry < 256; entry++) {
    for (let channel = 0; channel < 3; channel++)
      table[entry * 4 + channel] = palette[entry * 3 + channel] ?? 0;
    table[entry * 4 + 3] = entry * 3 < palette.length ? (png.transparency?.[entry] ?? 255) : 255;
  }
  return table;
}
