import type { PngStructure } from "./png-chunks.ts";

const SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** Bits that one pixel takes in a row. */
export function bitsPerPixel(png: PngStructure): number {
  return SAMPLES[png.colourType] * png.bitDepth;
}

/** Writes the first `count` pixels of an unfiltered row as RGBA. */
export type ExpandRow = (row: Uint8Array, count: number, rgba: Uint8Array) => void;

/** Chooses how rows become RGBA: 16-bit samples are rounded to 8, grey and palettes are spelled out. */
export function rowExpander(png: PngStructure): ExpandRow {
  switch (png.colourType) {
    case 0:
      return png.bitDepth <= 8 ? expandIndexed(png.bitDepth, greyTable(png)) : expandGrey16(png.transparency);
    case 3:
      return expandIndexed(png.bitDepth, paletteTable(png));
    case 2:
      return expandRgb(png.bitDepth === 16, png.transparency);
    case 4:
      return expandGreyAlpha(png.bitDepth === 16);
    case 6:
      return expandRgba(png.bitDepth === 16);
  }
}

/** 257 = 65535 / 255. */
function narrow(high: number, low: number): number {
  return Math.round((high * 256 + low) / 257);
}

/** RGBA of each grey level, with the one that tRNS names transparent. */
function greyTable(png: PngStructure): Uint8Array {
  const levels = 1 << png.bitDepth;
  const table = new Uint8Array(levels * 4);
  for (let level = 0; level < levels; level++) {
    table.fill((level * 255) / (levels - 1), level * 4, level * 4 + 3);
    table[level * 4 + 3] = 255;
  }
  const key = png.transparency;
  if (key !== null && key.length >= 2) {
    const level = ((key[0] ?? 0) << 8) | (key[1] ?? 0);
    if (level < levels) table[level * 4 + 3] = 0;
  }
  return table;
}

/** RGBA of each palette entry; an index past the palette reads as opaque black. */
function paletteTable(png: PngStructure): Uint8Array {
  const palette = png.palette ?? new Uint8Array(0);
  const table = new Uint8Array(256 * 4);
  for (let entry = 0; entry < 256; entry++) {
    for (let channel = 0; channel < 3; channel++)
      table[entry * 4 + channel] = palette[entry * 3 + channel] ?? 0;
    table[entry * 4 + 3] = entry * 3 < palette.length ? (png.transparency?.[entry] ?? 255) : 255;
  }
  return table;
}

function expandIndexed(bitDepth: number, table: Uint8Array): ExpandRow {
  const mask = (1 << bitDepth) - 1;
  return (row, count, rgba) => {
    for (let x = 0; x < count; x++) {
      const bit = x * bitDepth;
      const from = (((row[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & mask) * 4;
      rgba[x * 4] = table[from] ?? 0;
      rgba[x * 4 + 1] = table[from + 1] ?? 0;
      rgba[x * 4 + 2] = table[from + 2] ?? 0;
      rgba[x * 4 + 3] = table[from + 3] ?? 0;
    }
  };
}

function expandGrey16(key: Uint8Array | null): ExpandRow {
  const hasKey = key !== null && key.length >= 2;
  return (row, count, rgba) => {
    for (let x = 0; x < count; x++) {
      const high = row[x * 2] ?? 0;
      const low = row[x * 2 + 1] ?? 0;
      const grey = narrow(high, low);
      rgba[x * 4] = grey;
      rgba[x * 4 + 1] = grey;
      rgba[x * 4 + 2] = grey;
      rgba[x * 4 + 3] = hasKey && key[0] === high && key[1] === low ? 0 : 255;
    }
  };
}

function expandGreyAlpha(is16Bit: boolean): ExpandRow {
  return (row, count, rgba) => {
    for (let x = 0; x < count; x++) {
      const at = is16Bit ? x * 4 : x * 2;
      const grey = is16Bit ? narrow(row[at] ?? 0, row[at + 1] ?? 0) : (row[at] ?? 0);
      rgba[x * 4] = grey;
      rgba[x * 4 + 1] = grey;
      rgba[x * 4 + 2] = grey;
      rgba[x * 4 + 3] = is16Bit ? narrow(row[at + 2] ?? 0, row[at + 3] ?? 0) : (row[at + 1] ?? 0);
    }
  };
}

function expandRgb(is16Bit: boolean, key: Uint8Array | null): ExpandRow {
  const sampleBytes = is16Bit ? 2 : 1;
  const hasKey = key !== null && key.length >= 6;
  // The key is stored in 16 bits whatever the depth.
  const keyBytes = hasKey
    ? Array.from(key.subarray(0, 6)).filter((_, index) => is16Bit || index % 2 === 1)
    : [];
  return (row, count, rgba) => {
    for (let x = 0; x < count; x++) {
      const at = x * 3 * sampleBytes;
      for (let channel = 0; channel < 3; channel++) {
        const sample = at + channel * sampleBytes;
        rgba[x * 4 + channel] = is16Bit ? narrow(row[sample] ?? 0, row[sample + 1] ?? 0) : (row[sample] ?? 0);
      }
      rgba[x * 4 + 3] = hasKey && keyBytes.every((byte, index) => row[at + index] === byte) ? 0 : 255;
    }
  };
}

function expandRgba(is16Bit: boolean): ExpandRow {
  if (!is16Bit) return (row, count, rgba) => rgba.set(row.subarray(0, count * 4));
  return (row, count, rgba) => {
    for (let sample = 0; sample < count * 4; sample++) {
      rgba[sample] = narrow(row[sample * 2] ?? 0, row[sample * 2 + 1] ?? 0);
    }
  };
}
