import type { MimeType } from "../types.ts";
import { byteAt, letters, uint16, uint24Little, uint32 } from "./bytes.ts";

/**
 * Stored size of an image in pixels. The API accepts it with or without its EXIF orientation applied, and keeps the
 * oriented size.
 */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size from the header of a PNG, JPEG or WebP; null if the file is damaged. */
export function pixelSizeOf(bytes: Uint8Array, mimeType: MimeType): PixelSize | null {
  const size = readSize(bytes, mimeType);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

function readSize(bytes: Uint8Array, mimeType: MimeType): PixelSize | null {
  if (mimeType === "image/png") return readPng(bytes);
  if (mimeType === "image/jpeg") return readJpeg(bytes);
  return mimeType === "image/webp" ? readWebp(bytes) : null;
}

/** IHDR is the first chunk (RFC 2083 §4.1.1). */
const readPng = (bytes: Uint8Array): PixelSize | null =>
  letters(bytes, 12, 4) === "IHDR" ? { width: uint32(bytes, 16), height: uint32(bytes, 20) } : null;

/** Markers without a segment: TEM and RST0 to RST7 (T.81 B.1.1.3). */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** SOF markers: C0 to CF except DHT, JPG and DAC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Walks from segment to segment, each at least two bytes long, to the frame header (T.81 B.2.2). */
function readJpeg(bytes: Uint8Array): PixelSize | null {
  for (let at = 2; at < bytes.length; ) {
    if (byteAt(bytes, at) !== 0xff) return null;
    const marker = byteAt(bytes, at + 1);
    if (isFrame(marker)) return { width: uint16(bytes, at + 7), height: uint16(bytes, at + 5) };
    // Markers may be preceded by fill bytes.
    if (marker === 0xff) at += 1;
    else if (standsAlone(marker)) at += 2;
    else if (marker === 0xd9 || marker === 0xda) return null;
    else at += 2 + Math.max(2, uint16(bytes, at + 2));
  }
  return null;
}

/** The first chunk's type selects one of three headers (RFC 9649 §2.4 to 2.7). */
function readWebp(bytes: Uint8Array): PixelSize | null {
  const chunk = letters(bytes, 12, 4);
  if (chunk === "VP8X") return { width: uint24Little(bytes, 24) + 1, height: uint24Little(bytes, 27) + 1 };
  if (chunk === "VP8L") {
    const [a, b, c, d] = [21, 22, 23, 24].map((at) => byteAt(bytes, at));
    if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
    return { width: 1 + (a | ((b & 0x3f) << 8)), height: 1 + ((b >> 6) | (c << 2) | ((d & 0x0f) << 10)) };
  }
  const little16 = (at: number): number => (byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8)) & 0x3fff;
  return chunk === "VP8 " ? { width: little16(26), height: little16(28) } : null;
}
