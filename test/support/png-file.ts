import { zlibSync } from "fflate";
import { crc32 } from "#renderer/crc32.ts";
import { ascii, joined, u8, u32 } from "./binary.ts";

export const PNG_SIGNATURE = u8(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colourType: number;
  readonly isInterlaced?: boolean;
}

/** A chunk with its correct length and CRC. */
export function pngChunk(type: string, body: Uint8Array): Uint8Array {
  const named = joined(ascii(type), body);
  return joined(u32(body.length), named, u32(crc32(named)));
}

export const pngHeaderChunk = ({
  width,
  height,
  bitDepth,
  colourType,
  isInterlaced,
}: PngHeader): Uint8Array =>
  pngChunk("IHDR", joined(u32(width, height), u8(bitDepth, colourType, 0, 0, isInterlaced ? 1 : 0)));

/** Signature, header, the given chunks and the end. */
export const pngFile = (header: PngHeader, ...chunks: readonly Uint8Array[]): Uint8Array =>
  joined(PNG_SIGNATURE, pngHeaderChunk(header), ...chunks, pngChunk("IEND", u8()));

/** A PNG with additional chunks after its header chunk, which ends at byte 33. */
export const withPngChunks = (png: Uint8Array, ...chunks: readonly Uint8Array[]): Uint8Array =>
  joined(png.subarray(0, 33), ...chunks, png.subarray(33));

/** Samples per pixel, by colour type. */
export const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Rows of a non-interlaced image with every filter in turn, compressed into one IDAT chunk. */
export function pngPixels({ width, height, bitDepth, colourType }: PngHeader): Uint8Array {
  const rowBytes = Math.ceil((width * bitDepth * (SAMPLES[colourType] ?? 1)) / 8);
  const rows = new Uint8Array(height * (rowBytes + 1));
  for (let y = 0; y < height; y += 1) {
    const at = y * (rowBytes + 1);
    rows[at] = y % 5;
    for (let x = 0; x < rowBytes; x += 1) rows[at + 1 + x] = (x * 37 + y * 11) & 255;
  }
  return pngChunk("IDAT", zlibSync(rows));
}
