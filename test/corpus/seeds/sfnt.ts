import { ascii, joined, u8, u16, u32 } from "../../support/binary.ts";

/** Wrapper and common tables of fonts made by hand (OpenType 1.9). */

const UNITS_PER_EM = 1000;

/** Tables by tag, in any order. */
export type Tables = Readonly<Record<string, Uint8Array>>;

/** `OTTO` for PostScript outlines, 0x00010000 for TrueType ones. Checksums stay 0: no reader here looks at them. */
export function sfnt(version: Uint8Array, tables: Tables): Uint8Array {
  const entries = Object.entries(tables).sort(([left], [right]) => (left < right ? -1 : 1));
  let offset = 12 + entries.length * 16;
  const records: Uint8Array[] = [];
  const bodies: Uint8Array[] = [];
  for (const [tag, body] of entries) {
    records.push(joined(ascii(tag), u32(0, offset, body.length)));
    const padded = new Uint8Array(Math.ceil(body.length / 4) * 4);
    padded.set(body);
    bodies.push(padded);
    offset += padded.length;
  }
  return joined(version, u16(entries.length, 0, 0, 0), ...records, ...bodies);
}

export const OPEN_TYPE = ascii("OTTO");
export const TRUE_TYPE = u8(0, 1, 0, 0);

export interface CommonTables {
  readonly glyphs: number;
  /** Character map; `letterMap` when left out. */
  readonly cmap?: Uint8Array;
  /** loca in 32 bits. */
  readonly hasLongOffsets?: boolean;
}

/** head, hhea, hmtx, cmap, OS/2, name and post; every glyph is 600 units wide. */
export function commonTables({ glyphs, cmap, hasLongOffsets }: CommonTables): Tables {
  const head = joined(
    u16(1, 0, 1, 0),
    u32(0, 0x5f0f3cf5),
    u16(0, UNITS_PER_EM),
    new Uint8Array(16),
    u16(0, 0xff38, 1000, 800, 0, 8, 2, hasLongOffsets ? 1 : 0, 0),
  );
  const hhea = joined(u16(1, 0, 800, 0xff38, 0, 600), new Uint8Array(22), u16(1));
  const hmtx = joined(u16(600, 0), new Uint8Array(Math.max(0, glyphs - 1) * 2));
  return {
    head,
    hhea,
    hmtx,
    cmap: cmap ?? letterMap(glyphs),
    "OS/2": joined(u16(4, 600, 400, 5), new Uint8Array(88)),
    name: u16(0, 0, 6),
    post: joined(u32(0x00030000), new Uint8Array(28)),
  };
}

/** A–Z, a–z, 0–9 and space on the glyphs from 1 on, in formats 4 and 12. */
export function letterMap(glyphs: number): Uint8Array {
  const ranges = [
    [0x20, 0x20],
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
  ] as const;
  const glyphOf = (code: number): number => 1 + (code % Math.max(1, glyphs - 1));
  const groups = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  const format12 = joined(
    u16(12, 0),
    u32(16 + groups.length * 12, 0, groups.length),
    ...groups.map((code) => u32(code, code, glyphOf(code))),
  );
  const segments = [...groups.map((code) => [code, glyphOf(code) - code] as const), [0xffff, 1] as const];
  const format4 = joined(
    u16(4, 16 + segments.length * 8, 0, segments.length * 2, 0, 0, 0),
    u16(...segments.map(([code]) => code)),
    u16(0),
    u16(...segments.map(([code]) => code)),
    u16(...segments.map(([, delta]) => delta & 0xffff)),
    u16(...segments.map(() => 0)),
  );
  const first = 4 + 2 * 8;
  return joined(u16(0, 2, 3, 1), u32(first), u16(3, 10), u32(first + format4.length), format4, format12);
}

/** A GSUB or GPOS table of a list of lookups, all of them under one feature of the default script. */
export function layoutTable(feature: string, lookups: number, list: Uint8Array): Uint8Array {
  const scripts = joined(u16(1), ascii("DFLT"), u16(8), u16(4, 0), u16(0, 0xffff, 1, 0));
  const numbers = Array.from({ length: lookups }, (_, index) => index);
  const features = joined(u16(1), ascii(feature), u16(8), u16(0, lookups, ...numbers));
  const scriptsAt = 10;
  const featuresAt = scriptsAt + scripts.length;
  return joined(u16(1, 0, scriptsAt, featuresAt, featuresAt + features.length), scripts, features, list);
}

/** The coverage of the first so many glyphs. */
export const coverageOf = (glyphs: number): Uint8Array => u16(2, 1, 0, glyphs - 1, 0);

/** maxp of a font with TrueType outlines. */
export const trueTypeProfile = (glyphs: number): Uint8Array =>
  joined(u32(0x00010000), u16(glyphs, 64, 4, 64, 4, 1, 0, 0, 0, 0, 0, 0, 8, 4));

/** maxp of a font with PostScript outlines. */
export const postScriptProfile = (glyphs: number): Uint8Array => joined(u32(0x00005000), u16(glyphs));
