import { joined, u8, u16, u32 } from "../../support/binary.ts";
import { commonTables, sfnt, type Tables, TRUE_TYPE, trueTypeProfile } from "./sfnt.ts";

/** A four-cornered glyph, 100–`right` by 0–700. */
export const boxGlyph = (right: number): Uint8Array =>
  joined(
    u16(1, 100, 0, right, 700),
    u16(3, 0),
    u8(1, 1, 1, 1),
    u16(100, right - 100, 0, 0x10000 - (right - 100)),
    u16(0, 0, 700, 0),
  );

/** Boxes of one height, each a unit wider than the one before. */
export const boxGlyphs = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => boxGlyph(300 + index));

/** A glyph put together from others, each moved by an amount. */
export function compositeGlyph(
  parts: readonly { readonly glyph: number; readonly dx: number }[],
): Uint8Array {
  const isLast = (index: number): boolean => index + 1 === parts.length;
  // ARG_1_AND_2_ARE_WORDS, ARGS_ARE_XY_VALUES, and MORE_COMPONENTS on all but the last.
  return joined(
    u16(0xffff, 0, 0, 1000, 700),
    ...parts.map(({ glyph, dx }, index) => u16(isLast(index) ? 0x0003 : 0x0023, glyph, dx & 0xffff, 0)),
  );
}

/** A TrueType font of the given glyphs; the first is .notdef. */
export function trueTypeFont(glyphs: readonly Uint8Array[], more: Tables = {}): Uint8Array {
  const padded = glyphs.map((glyph) => joined(glyph, new Uint8Array((4 - (glyph.length % 4)) % 4)));
  const offsets: number[] = [0];
  for (const glyph of padded) offsets.push((offsets.at(-1) ?? 0) + glyph.length);
  return sfnt(TRUE_TYPE, {
    ...commonTables({ glyphs: glyphs.length, hasLongOffsets: true }),
    maxp: trueTypeProfile(glyphs.length),
    glyf: joined(...padded),
    loca: u32(...offsets),
    ...more,
  });
}

/** Twenty boxes, some of them composites of others. */
export const boxesFont = (): Uint8Array =>
  trueTypeFont(
    Array.from({ length: 20 }, (_, index) =>
      index % 5 === 4
        ? compositeGlyph([
            { glyph: index - 1, dx: 0 },
            { glyph: index - 2, dx: 120 },
          ])
        : boxGlyph(300 + index * 10),
    ),
  );
