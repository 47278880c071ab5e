import { zlibSync } from "fflate";
import { crc32 } from "../../src/renderer/decode/crc32.ts";
import pictures from "../fixtures/pictures.json";

/** Small real files, made in code or read from test/fixtures (see make-pictures.ts there). Runs in Node and workerd. */

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** 540x360. */
export const JPEG = fromBase64(pictures.jpeg);
/** Stored 540x360 with EXIF orientation 6: upright it is 360x540. */
export const JPEG_SIDEWAYS = fromBase64(pictures.jpegSideways);
/** 540x360. */
export const WEBP = fromBase64(pictures.webp);

export const SVG = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80">' +
    '<rect width="80" height="80" rx="18" fill="#0b5d4e"/><circle cx="40" cy="40" r="18" fill="#f4b942"/></svg>',
);

/** An SVG that would run code. */
export const SVG_WITH_SCRIPT = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80"><script>fetch("https://example.com")</script></svg>',
);

/** A PNG chunk: length, type, body, CRC of type and body. */
function pngChunk(type: string, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + body.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(body, 8);
  view.setUint32(8 + body.length, crc32(chunk.subarray(4, 8 + body.length)));
  return chunk;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const PNG_END_LENGTH = 12;

/** An RGBA PNG of a gradient; `tint` (0–255) makes files of one size differ, `isCutOut` clears its border. */
export function png(width: number, height: number, { tint = 96, isCutOut = false } = {}): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * 4));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isBorder = x < width / 8 || x >= width - width / 8 || y < height / 8;
      const alpha = isCutOut && isBorder ? 0 : 255;
      rows.set([(255 * x) / width, (255 * y) / height, tint, alpha], y * (1 + width * 4) + 1 + x * 4);
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 6, 0, 0, 0], 8);
  return join([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    pngChunk("IHDR", header),
    pngChunk("IDAT", zlibSync(rows, { level: 6 })),
    pngChunk("IEND", new Uint8Array(0)),
  ]);
}

/** The same picture in exactly `byteLength` bytes, filled up with a private chunk that every decoder skips. */
export function padPng(file: Uint8Array, byteLength: number): Uint8Array {
  const filling = new Uint8Array(byteLength - file.length - 12);
  const end = file.length - PNG_END_LENGTH;
  return join([file.subarray(0, end), pngChunk("paDd", filling), file.subarray(end)]);
}
