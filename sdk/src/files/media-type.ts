import type { MimeType } from "../types.ts";
import { byteAt, letters, uint32 } from "./bytes.ts";

/** The first element of an SVG must start within this many bytes. Comments and declarations may precede it. */
const SVG_START_BYTES_MAX = 8_192;
const TRUE_TYPE = 0x00010000;

/** File extension by media type. */
export const ENDINGS: Readonly<Record<MimeType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "font/ttf": "ttf",
  "font/otf": "otf",
};

/** Names of common unsupported file types, for a helpful message. */
const KNOWN_OTHERS: readonly (readonly [name: string, isIt: (bytes: Uint8Array) => boolean])[] = [
  ["GIF", (bytes) => letters(bytes, 0, 4) === "GIF8"],
  ["PDF", (bytes) => letters(bytes, 0, 5) === "%PDF-"],
  ["BMP", (bytes) => letters(bytes, 0, 2) === "BM"],
  ["TIFF", (bytes) => /^(II\*\0|MM\0\*)$/.test(letters(bytes, 0, 4))],
  ["AVIF", (bytes) => /^ftyp(....)*?avi[fs]/s.test(letters(bytes, 4, 60))],
  ["HEIC", (bytes) => /^ftyp(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(letters(bytes, 4, 8))],
  ["Photoshop", (bytes) => letters(bytes, 0, 4) === "8BPS"],
  ["WOFF", (bytes) => letters(bytes, 0, 4) === "wOFF"],
  ["WOFF2", (bytes) => letters(bytes, 0, 4) === "wOF2"],
  ["ZIP", (bytes) => letters(bytes, 0, 4) === "PK\x03\x04"],
];

/** Media type by the first bytes of a file; null if no slot accepts it. */
export function mediaTypeOf(bytes: Uint8Array): MimeType | null {
  if (letters(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (byteAt(bytes, 0) === 0xff && byteAt(bytes, 1) === 0xd8 && byteAt(bytes, 2) === 0xff)
    return "image/jpeg";
  if (letters(bytes, 0, 4) === "RIFF" && letters(bytes, 8, 4) === "WEBP") return "image/webp";
  if (letters(bytes, 0, 4) === "OTTO") return "font/otf";
  if (uint32(bytes, 0) === TRUE_TYPE || letters(bytes, 0, 4) === "true") return "font/ttf";
  return isSvg(bytes) ? "image/svg+xml" : null;
}

/** Name of an unsupported file type; null if unknown. */
export const knownOther = (bytes: Uint8Array): string | null =>
  KNOWN_OTHERS.find(([, isIt]) => isIt(bytes))?.[0] ?? null;

/** Whether the first element of a text is `svg`, after declarations and comments. */
function isSvg(bytes: Uint8Array): boolean {
  const isUtf16 = /^(\xff\xfe|\xfe\xff)$/.test(letters(bytes, 0, 2));
  const encoding = isUtf16 ? (byteAt(bytes, 0) === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, SVG_START_BYTES_MAX));
  for (let at = 0; at >= 0; ) {
    const open = text.indexOf("<", at);
    if (open < 0 || text.slice(at, open).trim() !== "") return false;
    if (text.startsWith("<!--", open)) at = endOf(text, "-->", open);
    else if (text.startsWith("<?", open)) at = endOf(text, "?>", open);
    else if (text.startsWith("<!DOCTYPE", open))
      return /^<!DOCTYPE\s+(?:svg|[\w-]+:svg)\b/.test(text.slice(open, open + 64));
    else return /^<(?:[\w-]+:)?svg[\s/>]/.test(text.slice(open, open + 64));
  }
  return false;
}

/** Position after the next occurrence of `mark`; -1 if there is none. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}
