/** Encoding records looked at. Fonts have about four. */
const TABLES_MAX = 64;

/**
 * Characters that a `cmap` table's ranges name, each counted as often as it is named (OpenType 1.9, formats 4, 12 and
 * 13, the only ones of ranges). The shaper walks through all of them, so that overlapping ranges cost their sum.
 */
export function mappedCharacters(cmap: DataView): number {
  const seen = new Set<number>();
  let named = 0;
  const count = cmap.byteLength < 4 ? 0 : Math.min(cmap.getUint16(2), TABLES_MAX);
  for (let at = 4; at + 8 <= cmap.byteLength && at < 4 + count * 8; at += 8) {
    const start = cmap.getUint32(at + 4);
    if (seen.has(start) || start + 16 > cmap.byteLength) continue;
    seen.add(start);
    const format = cmap.getUint16(start);
    if (format === 4) named += mappedBySegments(cmap, start);
    if (format === 12 || format === 13) named += mappedByGroups(cmap, start);
  }
  return named;
}

function mappedBySegments(cmap: DataView, start: number): number {
  const bytes = cmap.getUint16(start + 6) & ~1;
  let named = 0;
  for (let at = 0; at < bytes && start + 18 + bytes + at <= cmap.byteLength; at += 2) {
    const last = cmap.getUint16(start + 14 + at);
    const first = cmap.getUint16(start + 16 + bytes + at);
    named += Math.max(0, last - first + 1);
  }
  return named;
}

function mappedByGroups(cmap: DataView, start: number): number {
  const groups = cmap.getUint32(start + 12);
  let named = 0;
  for (let group = 0, at = start + 16; group < groups && at + 12 <= cmap.byteLength; group += 1, at += 12) {
    named += Math.max(0, cmap.getUint32(at + 4) - cmap.getUint32(at) + 1);
  }
  return named;
}
