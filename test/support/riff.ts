import { ascii, joined, u8, u32le } from "./binary.ts";

/** The body of a WebP's first chunk of a type, or null. */
export function webpChunk(webp: Uint8Array, type: string): Uint8Array | null {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength);
  for (let at = 12; at + 8 <= webp.length; ) {
    const length = view.getUint32(at + 4, true);
    const name = String.fromCharCode(...webp.subarray(at, at + 4));
    if (name === type) return webp.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length & 1);
  }
  return null;
}

/** A chunk, padded to an even length. */
export const riffChunk = (type: string, body: Uint8Array): Uint8Array =>
  joined(ascii(type), u32le(body.length), body, new Uint8Array(body.length & 1));

/** A WebP of these chunks. */
export const webpFile = (...chunks: readonly Uint8Array[]): Uint8Array =>
  riffChunk("RIFF", joined(ascii("WEBP"), ...chunks));

/** A WebP of a single VP8 frame. */
export const lossyWebp = (frame: Uint8Array): Uint8Array => webpFile(riffChunk("VP8 ", frame));

/** A VP8X chunk with these flags. */
function webpCanvas(flags: number, width: number, height: number): Uint8Array {
  const size = [width, height].map((edge) => u32le(edge - 1).subarray(0, 3));
  return riffChunk("VP8X", joined(u8(flags, 0, 0, 0), ...size));
}

/** An extended WebP with an alpha plane and a lossy image. */
export const webpWithAlpha = (
  width: number,
  height: number,
  alpha: Uint8Array,
  lossy: Uint8Array,
): Uint8Array =>
  webpFile(webpCanvas(0x10, width, height), riffChunk("ALPH", alpha), riffChunk("VP8 ", lossy));
