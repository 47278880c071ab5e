import { failure, type Result } from "../types.ts";
import { openFontFile, unreadable } from "./font-file.ts";
import { ShaperFault, type ShaperModules } from "./harfbuzz.ts";

/** Whether a font has a glyph for a code point. */
export interface Coverage {
  has(codePoint: number): boolean;
}

/**
 * The bytes of a coverage index: one byte, READABLE or UNREADABLE, then
 * - readable: for each block of 256 code points of which the font has any, the block's number (2 bytes) and a bit for
 *   each code point (32 bytes);
 * - unreadable: the reason as text.
 *
 * At most 148 KB, for a font that has all of Unicode.
 */
const READABLE = 1;
const UNREADABLE = 0;
const BLOCK_BITS = 256;
const ENTRY_BYTES = 2 + BLOCK_BITS / 8;

/**
 * Every code point below this is looked up, because a font may have characters (symbols) that its map does not list.
 */
const ALL_ASKED_BELOW = 0x1_0000;

/**
 * Lists a font's characters as bytes, to be stored instead of reading the font again; see {@link readCharacterIndex}.
 */
export function indexCharacters(modules: ShaperModules, font: Uint8Array): Uint8Array {
  const opened = openFontFile(modules, font);
  if (!opened.ok) return refusal(opened.message);
  try {
    return packed(opened.value.regular.codePoints(ALL_ASKED_BELOW));
  } catch (error) {
    if (!(error instanceof ShaperFault)) throw error;
    return refusal(unreadable(`its character map cannot be read: ${error.message}`).message);
  }
}

/** Reads a character index. Fails with FONT_UNREADABLE if the font could not be opened. */
export function readCharacterIndex(index: Uint8Array): Result<Coverage> {
  if (index[0] !== READABLE) {
    return failure("FONT_UNREADABLE", new TextDecoder().decode(index.subarray(1)));
  }
  const blocks = new Map<number, Uint8Array>();
  for (let at = 1; at + ENTRY_BYTES <= index.length; at += ENTRY_BYTES) {
    const number = ((index[at] ?? 0) << 8) | (index[at + 1] ?? 0);
    blocks.set(number, index.subarray(at + 2, at + ENTRY_BYTES));
  }
  const has = (codePoint: number): boolean => {
    const bits = blocks.get(Math.floor(codePoint / BLOCK_BITS));
    const bit = codePoint % BLOCK_BITS;
    return (((bits?.[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
  };
  return { ok: true, value: { has } };
}

function refusal(message: string): Uint8Array {
  const words = new TextEncoder().encode(message);
  const bytes = new Uint8Array(1 + words.length);
  bytes[0] = UNREADABLE;
  bytes.set(words, 1);
  return bytes;
}

function packed(codePoints: Iterable<number>): Uint8Array {
  const blocks = new Map<number, Uint8Array>();
  for (const codePoint of codePoints) {
    const number = Math.floor(codePoint / BLOCK_BITS);
    let bits = blocks.get(number);
    if (bits === undefined) {
      bits = new Uint8Array(BLOCK_BITS / 8);
      blocks.set(number, bits);
    }
    const bit = codePoint % BLOCK_BITS;
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  const bytes = new Uint8Array(1 + blocks.size * ENTRY_BYTES);
  bytes[0] = READABLE;
  let at = 1;
  for (const [number, bits] of blocks) {
    bytes.set([number >> 8, number & 255], at);
    bytes.set(bits, at + 2);
    at += ENTRY_BYTES;
  }
  return bytes;
}
