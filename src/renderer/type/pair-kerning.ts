import { TYPE_LIMITS } from "./limits.ts";

/** Adjustments of a glyph's advance before another glyph, in font units, by `left × 65536 + right`. */
export type PairKerning = ReadonlyMap<number, number>;

const APPLE_VERSION = 0x0001_0000;
/** Four 16-bit fields: number of pairs, search range, entry selector, range shift. */
const PAIRS_HEADER_BYTES = 8;
const PAIR_BYTES = 6;

/**
 * Reads the pairs of a `kern` table (OpenType 1.9, "kern", format 0; Apple's version too). The shaper is compiled
 * without support for this table, on which older fonts rely. `spend` counts the work.
 */
export function readPairKerning(kern: DataView, spend: (instructions: number) => void): PairKerning {
  const pairs = new Map<number, number>();
  if (kern.byteLength < 8) return pairs;
  const isApple = kern.getUint32(0) === APPLE_VERSION;
  const tables = isApple ? kern.getUint32(4) : kern.getUint16(2);
  const headerBytes = isApple ? 8 : 6;
  let at = isApple ? 8 : 4;
  for (let table = 0; table < tables; table += 1) {
    const first = at + headerBytes + PAIRS_HEADER_BYTES;
    if (first > kern.byteLength) break;
    const length = isApple ? kern.getUint32(at) : kern.getUint16(at + 2);
    const coverage = kern.getUint16(at + 4);
    // Only horizontal kerning of format 0, without minimums and cross-stream offsets.
    const isRead = isApple ? (coverage & 0xe0ff) === 0 : (coverage & 0xff07) === 1;
    const count = isRead ? kern.getUint16(at + headerBytes) : 0;
    spend((1 + count) * TYPE_LIMITS.instructionsPerPair);
    for (let pair = 0; pair < count && pairs.size < TYPE_LIMITS.kernedPairsMax; pair += 1) {
      const start = first + pair * PAIR_BYTES;
      if (start + PAIR_BYTES > kern.byteLength) break;
      const key = kern.getUint32(start);
      pairs.set(key, (pairs.get(key) ?? 0) + kern.getInt16(start + 4));
    }
    // Compute the length from the pairs: the 16-bit field overflows at more than 10,920 pairs.
    at = isRead ? first + count * PAIR_BYTES : at + Math.max(headerBytes, length);
  }
  return pairs;
}

/**
 * Glyphs with each pair's kerning added to the advance of the left glyph. Marks, which have no advance, are skipped.
 */
export function withKerning<Glyph extends { readonly glyph: number; readonly advance: number }>(
  glyphs: readonly Glyph[],
  pairs: PairKerning,
): Glyph[] {
  const kerned = [...glyphs];
  let last = -1;
  glyphs.forEach(({ glyph, advance }, index) => {
    if (advance === 0) return;
    const left = kerned[last];
    const kerning = left && pairs.get(left.glyph * 0x1_0000 + glyph);
    if (left && kerning !== undefined) kerned[last] = { ...left, advance: left.advance + kerning };
    last = index;
  });
  return kerned;
}
