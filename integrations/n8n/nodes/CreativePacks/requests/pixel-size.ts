interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const ascii = (bytes: Buffer, start: number, length: number): string =>
  bytes.toString("latin1", start, start + length);

/** SOF markers of a JPEG (ITU-T T.81 B.2.2): SOF0 to SOF15 except DHT, JPG and DAC. */
function readJpeg(bytes: Buffer): PixelSize | null {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
  }
  return null;
}

/** The first chunk of a WebP (RFC 9649): extended, lossless or lossy. */
function readWebp(bytes: Buffer): PixelSize | null {
  const chunk = ascii(bytes, 12, 4);
  if (chunk === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return chunk === "VP8 "
    ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    : null;
}

/**
 * Media type and pixels by the file's header. Pixels are null for SVG and fonts; the result is null for other files.
 */
export function readHeader(bytes: Buffer): { mimeType: string; pixels: PixelSize | null } | null {
  if (bytes.length < 32) return null;
  if (ascii(bytes, 1, 3) === "PNG") {
    return {
      mimeType: "image/png",
      pixels: { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
    };
  }
  if (bytes.readUInt16BE(0) === 0xffd8) return { mimeType: "image/jpeg", pixels: readJpeg(bytes) };
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WEBP") {
    return { mimeType: "image/webp", pixels: readWebp(bytes) };
  }
  if (ascii(bytes, 0, 4) === "OTTO") return { mimeType: "font/otf", pixels: null };
  if (bytes.readUInt32BE(0) === 0x00010000) return { mimeType: "font/ttf", pixels: null };
  return /<svg[\s>]/.test(ascii(bytes, 0, 4_096)) ? { mimeType: "image/svg+xml", pixels: null } : null;
}
