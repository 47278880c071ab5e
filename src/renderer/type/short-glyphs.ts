/**
 * Glyphs of at most this size may draw nothing: even a box has some twenty bytes in `glyf`, and five in `CFF ` unless a
 * subroutine draws it.
 */
const SHORT_BYTES = { glyf: 12, CFF: 4 } as const;
const CHAR_STRINGS = 17;
const ESCAPE = 12;
const REAL = 30;

/**
 * The glyphs whose data is missing, or so short that they may draw nothing. Only these are drawn to find out whether
 * they are empty, because drawing all glyphs of a large font would take most of a second. `table` returns a table's
 * bytes, empty if there is none.
 */
export function shortGlyphs(table: (tag: string) => DataView): ReadonlySet<number> {
  const glyphs = numberAt(table("maxp"), 4, 2);
  const isLong = numberAt(table("head"), 50, 2) !== 0;
  const available = table("glyf").byteLength;
  if (available > 0) return shortIn(trueTypeEnds(table("loca"), isLong), glyphs, available, SHORT_BYTES.glyf);
  const cff = table("CFF ");
  const ends = cff.byteLength === 0 ? null : postScriptEnds(cff);
  return ends === null ? new Set() : shortIn(ends, glyphs, cff.byteLength, SHORT_BYTES.CFF);
}

/** Start of the data of glyph `i`, which is the end of the data of glyph `i - 1`; null past the last glyph. */
type Ends = (i: number) => number | null;

function shortIn(ends: Ends, glyphs: number, available: number, most: number): ReadonlySet<number> {
  const short = new Set<number>();
  for (let glyph = 0; glyph < glyphs; glyph += 1) {
    const [start, end] = [ends(glyph), ends(glyph + 1)];
    const hasData = start !== null && end !== null && end - start > most && end <= available;
    if (!hasData) short.add(glyph);
  }
  return short;
}

const trueTypeEnds =
  (loca: DataView, isLong: boolean): Ends =>
  (i) => {
    const bytes = isLong ? 4 : 2;
    if ((i + 1) * bytes > loca.byteLength) return null;
    return isLong ? loca.getUint32(i * 4) : loca.getUint16(i * 2) * 2;
  };

/** Offsets of the char strings (Adobe Technical Note 5176); null if not found. */
function postScriptEnds(cff: DataView): Ends | null {
  const names = readIndex(cff, numberAt(cff, 2, 1));
  const dicts = readIndex(cff, names.end);
  const at = charStringsAt(cff, dicts.offset(0), dicts.offset(1));
  if (at === null) return null;
  const { count, offset } = readIndex(cff, at);
  return (i) => (i <= count ? offset(i) : null);
}

function readIndex(cff: DataView, at: number) {
  const count = numberAt(cff, at, 2);
  const size = count === 0 ? 1 : numberAt(cff, at + 2, 1);
  const data = at + 2 + (count + 1) * size;
  const offset = (i: number): number => data + numberAt(cff, at + 3 + i * size, size);
  return { count, offset, end: count === 0 ? at + 2 : offset(count) };
}

/** The operand of the dictionary's `CharStrings`. */
function charStringsAt(cff: DataView, from: number, to: number): number | null {
  let operand = 0;
  for (let at = from; at < Math.min(to, cff.byteLength); ) {
    const first = numberAt(cff, at, 1);
    at += 1;
    if (first === CHAR_STRINGS) return operand;
    if (first === 28 || first === 29) {
      const bytes = first === 28 ? 2 : 4;
      operand = numberAt(cff, at, bytes);
      at += bytes;
    } else if (first === REAL) {
      while (at < to && (numberAt(cff, at, 1) & 15) !== 15) at += 1;
      at += 1;
    } else if (first === ESCAPE || first > 246) {
      operand = (first - 247) * 256 + numberAt(cff, at, 1) + 108;
      at += 1;
    } else operand = first - 139;
  }
  return null;
}

/** An unsigned number of one to four bytes; 0 if it lies outside the table. */
function numberAt(table: DataView, at: number, bytes: number): number {
  let number = 0;
  if (at < 0 || at + bytes > table.byteLength) return 0;
  for (let i = 0; i < bytes; i += 1) number = number * 256 + table.getUint8(at + i);
  return number;
}
