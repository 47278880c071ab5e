import { zlibSync } from "fflate";
import { base64ToUint8Array } from "uint8array-extras";
import pictures from "../fixtures/pictures.json";
import { joined } from "./binary.ts";
import { pngChunk, pngFile } from "./png-file.ts";

/** Small real files, generated or read from test/fixtures (see make-pictures.ts there). Works in Node and workerd. */

/** 540x360. */
export const JPEG = base64ToUint8Array(pictures.jpeg);
/** Stored as 540x360 with EXIF orientation 6; upright it is 360x540. */
export const JPEG_SIDEWAYS = base64ToUint8Array(pictures.jpegSideways);
/** 540x360. */
export const WEBP = base64ToUint8Array(pictures.webp);

export const SVG = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80">' +
    '<rect width="80" height="80" rx="18" fill="#0b5d4e"/><circle cx="40" cy="40" r="18" fill="#f4b942"/></svg>',
);

/** An SVG with a script. */
export const SVG_WITH_SCRIPT = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80"><script>fetch("https://example.com")</script></svg>',
);

const PNG_END_LENGTH = 12;

/** An RGBA PNG with a gradient. Files of one size differ by `tint` (0–255); `isCutOut` makes the border transparent. */
export function png(width: number, height: number, { tint = 96, isCutOut = false } = {}): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * 4));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isBorder = x < width / 8 || x >= width - width / 8 || y < height / 8;
      const alpha = isCutOut && isBorder ? 0 : 255;
      rows.set([(255 * x) / width, (255 * y) / height, tint, alpha], y * (1 + width * 4) + 1 + x * 4);
    }
  }
  return pngFile(
    { width, height, bitDepth: 8, colourType: 6 },
    pngChunk("IDAT", zlibSync(rows, { level: 6 })),
  );
}

/** A PNG of black and white bars at one bit per pixel: megapixels in a few kilobytes. */
export function barsPng(width: number, height: number): Uint8Array {
  const rowBytes = 1 + Math.ceil(width / 8);
  const rows = new Uint8Array(height * rowBytes);
  for (let y = 0; y < height; y += 1) {
    if (y % 1_000 < 500) rows.fill(0xff, y * rowBytes + 1, y * rowBytes + rowBytes / 3);
  }
  return pngFile(
    { width, height, bitDepth: 1, colourType: 0 },
    pngChunk("IDAT", zlibSync(rows, { level: 6 })),
  );
}

/** The same image in exactly `byteLength` bytes, padded with a private chunk that decoders skip. */
export function padPng(file: Uint8Array, byteLength: number): Uint8Array {
  const filling = new Uint8Array(byteLength - file.length - 12);
  const end = file.length - PNG_END_LENGTH;
  return joined(file.subarray(0, end), pngChunk("paDd", filling), file.subarray(end));
}
