import type { MimeType } from "#api/slots.ts";

/** Bytes read from a file's beginning; an SVG may begin with a long comment. */
export const SNIFFED_BYTES = 4_096;

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

/** Signatures of binary files: offset, one character per byte, type. */
const SIGNATURES: readonly (readonly [number, string, MimeType])[] = [
  [0, "\x89PNG\r\n\x1a\n", "image/png"],
  [0, "\xff\xd8\xff", "image/jpeg"],
  [8, "WEBP", "image/webp"],
  [0, "OTTO", "font/otf"],
  [0, "\x00\x01\x00\x00", "font/ttf"],
  [0, "true", "font/ttf"],
];

/**
 * A file's apparent type by its first bytes, or null for a type that no slot accepts. It only chooses the parser;
 * `inspect` then decides.
 */
export function sniffType(head: Uint8Array): MimeType | null {
  for (const [offset, signature, mimeType] of SIGNATURES) {
    if (ascii(head, offset, offset + signature.length) !== signature) continue;
    if (mimeType !== "image/webp" || ascii(head, 0, 4) === "RIFF") return mimeType;
  }
  // Decoding drops a byte order mark.
  const text = new TextDecoder().decode(head.subarray(0, SNIFFED_BYTES)).trimStart().toLowerCase();
  return text.startsWith("<") && /<(?:\w+:)?svg[\s>/]/.test(text) && !/<html[\s>]/.test(text)
    ? "image/svg+xml"
    : null;
}
