import { ascii, joined, u16, u32 } from "../../support/binary.ts";
import { coverageOf, layoutTable } from "../seeds/sfnt.ts";
import { boxGlyph, boxGlyphs, trueTypeFont } from "../seeds/true-type.ts";
import { type Bomb, bombsOf } from "./bomb.ts";

/** Fonts whose tables make a letter dear: substitutions that look far and find nothing, and variations of everything. */

const GLYPHS = 20;
const STOPPED = ["taken/FONT_UNREADABLE"];
const REJECTED = ["UNSUPPORTED/FONT_UNREADABLE"];
const ENDED = ["taken/drawn", "taken/does not fit", ...STOPPED];
const ALL_GLYPHS = coverageOf(GLYPHS);
const NO_GLYPH = u16(1, 0);
/** The shaper reads 64 items for each byte of a table: bytes that mean nothing buy a table more items. */
const PADDING = new Uint8Array(2_000_000);

const bomb = bombsOf("ttf");

/** `count` lookups under one feature that is always on, all of them the same one (OpenType 1.9, GSUB and GPOS). */
function repeatedLookup(count: number, feature: string, lookup: Uint8Array): Uint8Array {
  const list = joined(u16(count), u16(...new Array<number>(count).fill(2 + count * 2)), lookup);
  return joined(layoutTable(feature, count, list), PADDING);
}

/** A lookup of `count` subtables, all of them the same one. */
const repeatedSubtable = (type: number, count: number, subtable: Uint8Array): Uint8Array =>
  joined(u16(type, 0, count), u16(...Array.from({ length: count }, () => 6 + count * 2)), subtable);

/** In chained contexts (format 3): `input` glyphs of any kind, and after them one that no glyph is. */
function hopelessContext(input: number): Uint8Array {
  const coverageAt = 12 + input * 2 + 4;
  return joined(
    u16(3, 0, input),
    u16(...Array.from({ length: input }, () => coverageAt)),
    u16(1, coverageAt + ALL_GLYPHS.length, 1, 0, 0),
    ALL_GLYPHS,
    NO_GLYPH,
  );
}

/** In chained contexts (format 1): `rules` for each glyph, all of them the same list that ends in no glyph. */
function hopelessRules(rules: number): Uint8Array {
  const rule = u16(0, 6, 1, 2, 3, 4, 5, 1, 0xffff, 1, 0, 0);
  const ruleSet = joined(u16(rules), u16(...Array.from({ length: rules }, () => 2 + rules * 2)), rule);
  const setsAt = 6 + GLYPHS * 2;
  return joined(
    u16(1, setsAt + ruleSet.length, GLYPHS),
    u16(...Array.from({ length: GLYPHS }, () => setsAt)),
    ruleSet,
    ALL_GLYPHS,
  );
}

/** One axis of weight (OpenType 1.9, fvar). */
const AXIS = joined(
  u16(1, 0, 16, 2, 1, 20, 0, 8),
  joined(ascii("wght"), u32(100 << 16, 400 << 16, 900 << 16), u16(0, 256)),
);

/** One contour that goes up and down between the baseline and the height of a capital. */
function zigzag(points: number): Uint8Array {
  const flags = joined(
    ...Array.from({ length: Math.ceil(points / 256) }, (_, index) =>
      Uint8Array.of(0x09, Math.min(255, points - index * 256 - 1)),
    ),
  );
  const moves = new Uint8Array(points * 2);
  for (let at = 0; at < moves.length; at += 4) moves.set([2, 188, 0xfd, 68], at);
  const across = new Uint8Array(points * 2);
  for (let at = 0; at < across.length; at += 4) across.set([0, 100, 0xff, 156], at);
  return joined(u16(1, 0, 0, 1_000, 700), u16(points - 1, 0), flags, across, moves);
}

/** A shape that is varied `tuples` times over, and every glyph is that shape (OpenType 1.9, gvar). */
function varied(tuples: number, points: number): Uint8Array {
  const shape = zigzag(points);
  // All points move by nothing, 64 in a byte; each tuple has the same length.
  const runs = Math.ceil((points + 4) / 64);
  const deltaBytes = runs * 2;
  const tuple = joined(u16(deltaBytes, 0x8000), u16(0x4000));
  const headers = new Uint8Array(tuples * tuple.length);
  for (let at = 0; at < headers.length; at += tuple.length) headers.set(tuple, at);
  const data = joined(
    u16(0x8000 | tuples, 4 + headers.length),
    headers,
    Uint8Array.of(0),
    new Uint8Array(tuples * deltaBytes).fill(0xbf),
  );
  const offsets = Array.from({ length: GLYPHS + 1 }, (_, glyph) => glyph * data.length);
  const header = joined(u16(1, 0, 1, 0), u32(20 + offsets.length * 4), u16(GLYPHS, 1));
  const deltasAt = 20 + offsets.length * 4;
  const gvar = joined(header, u32(deltasAt, ...offsets), ...Array.from({ length: GLYPHS }, () => data));
  return trueTypeFont([boxGlyph(300), ...Array.from({ length: GLYPHS - 1 }, () => shape)], {
    fvar: AXIS,
    gvar,
  });
}

/** Widths that are sums over `regions` of the axis, the same for every glyph (OpenType 1.9, HVAR). */
function variedWidths(regions: number): Uint8Array {
  const numbers = Array.from({ length: regions }, (_, index) => index);
  const list = joined(u16(1, regions), u16(...numbers.flatMap(() => [0, 0x4000, 0x4000])));
  const data = joined(u16(GLYPHS, 0, regions), u16(...numbers), new Uint8Array(GLYPHS * regions));
  const listAt = 12;
  const store = joined(u16(1), u32(listAt), u16(1), u32(listAt + list.length), list, data);
  return joined(u16(1, 0), u32(20, 0, 0, 0), store);
}

export const SHAPING_BOMBS: readonly Bomb[] = [
  bomb("16,000 contexts of five glyphs that are never met", REJECTED, () =>
    trueTypeFont(boxGlyphs(GLYPHS), {
      GSUB: repeatedLookup(1, "ccmp", repeatedSubtable(6, 16_000, hopelessContext(5))),
    }),
  ),
  bomb("1,000 lookups of 8,000 rules that are never met", STOPPED, () =>
    trueTypeFont(boxGlyphs(GLYPHS), {
      GSUB: repeatedLookup(1_000, "ccmp", repeatedSubtable(6, 1, hopelessRules(8_000))),
    }),
  ),
  bomb("16,000 contexts for kerning that are never met", REJECTED, () =>
    trueTypeFont(boxGlyphs(GLYPHS), {
      GPOS: repeatedLookup(1, "kern", repeatedSubtable(8, 16_000, hopelessContext(5))),
    }),
  ),
  bomb("glyphs of 9,000 points, each from the baseline to the top", ENDED, () =>
    trueTypeFont([boxGlyph(300), ...Array.from({ length: GLYPHS - 1 }, () => zigzag(9_000))]),
  ),
  bomb("outlines of 1,000 points varied 4,000 times", ENDED, () => varied(4_000, 1_000)),
  bomb("widths varied over 30,000 regions", ENDED, () =>
    trueTypeFont(boxGlyphs(GLYPHS), { fvar: AXIS, HVAR: variedWidths(30_000) }),
  ),
];
