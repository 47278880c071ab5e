import { ascii, joined, u8, u16 } from "../../support/binary.ts";
import { commonTables, OPEN_TYPE, postScriptProfile, sfnt, type Tables } from "./sfnt.ts";

/**
 * An OpenType font with PostScript outlines, made by hand: no such font of a few hundred bytes is to be had.
 * The CFF table (Adobe Technical Note 5176) has a name, a top dictionary, charstrings of type 2 (Note 5177),
 * a private dictionary and local and global subroutines.
 */
export interface PostScriptGlyphs {
  /** Charstrings; the first is .notdef. */
  readonly charStrings: readonly Uint8Array[];
  readonly globalSubroutines: readonly Uint8Array[];
  readonly localSubroutines: readonly Uint8Array[];
}

/** Charstring operators. */
export const OPERATOR = {
  rlineto: u8(5),
  callsubr: u8(10),
  return: u8(11),
  endchar: u8(14),
  rmoveto: u8(21),
  callgsubr: u8(29),
  rrcurveto: u8(8),
} as const;

/** An integer operand, the same in dictionaries and charstrings. */
export const operand = (value: number): Uint8Array => joined(u8(28), u16(value & 0xffff));

/** Five bytes, so that offsets do not change the length of the dictionary that holds them. */
const offsetOperand = (value: number): Uint8Array => joined(u8(29), u16(value >>> 16, value & 0xffff));

/** Subroutine numbers are stored less this bias, for fewer than 1,240 of them. */
export const SUBROUTINE_BIAS = 107;

function index(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return u16(0);
  const offsets: number[] = [1];
  for (const item of items) offsets.push((offsets.at(-1) ?? 1) + item.length);
  return joined(
    u16(items.length),
    u8(4),
    ...offsets.map((offset) => u16(offset >>> 16, offset & 0xffff)),
    ...items,
  );
}

function cffTable({ charStrings, globalSubroutines, localSubroutines }: PostScriptGlyphs): Uint8Array {
  const header = u8(1, 0, 4, 4);
  const names = index([ascii("Boxes")]);
  const strings = index([]);
  const globals = index(globalSubroutines);
  const topDictionary = (charStringsAt: number, privateAt: number, privateLength: number): Uint8Array =>
    index([
      joined(
        offsetOperand(charStringsAt),
        u8(17),
        offsetOperand(privateLength),
        offsetOperand(privateAt),
        u8(18),
      ),
    ]);
  const glyphs = index(charStrings);
  const charStringsAt =
    header.length + names.length + topDictionary(0, 0, 0).length + strings.length + globals.length;
  // Widths, and where the local subroutines are: right behind the dictionary.
  const widths = joined(operand(600), u8(20), operand(600), u8(21));
  const privateLength = widths.length + 6;
  const privateDictionary = joined(widths, offsetOperand(privateLength), u8(19));
  return joined(
    header,
    names,
    topDictionary(charStringsAt, charStringsAt + glyphs.length, privateLength),
    strings,
    globals,
    glyphs,
    privateDictionary,
    index(localSubroutines),
  );
}

export const postScriptFont = (glyphs: PostScriptGlyphs, more: Tables = {}): Uint8Array =>
  sfnt(OPEN_TYPE, {
    ...commonTables({ glyphs: glyphs.charStrings.length }),
    maxp: postScriptProfile(glyphs.charStrings.length),
    "CFF ": cffTable(glyphs),
    ...more,
  });

/** A move, then a box by the local subroutine 0, which draws its sides by the global one. */
const boxString = (x: number): Uint8Array =>
  joined(
    operand(x),
    operand(0),
    OPERATOR.rmoveto,
    operand(-SUBROUTINE_BIAS),
    OPERATOR.callsubr,
    OPERATOR.endchar,
  );

const line = (dx: number, dy: number): Uint8Array => joined(operand(dx), operand(dy), OPERATOR.rlineto);

export const postScriptBoxes = (): Uint8Array =>
  postScriptFont({
    charStrings: Array.from({ length: 12 }, (_, glyph) => boxString(40 + glyph * 5)),
    localSubroutines: [
      joined(
        line(300, 0),
        operand(-SUBROUTINE_BIAS),
        OPERATOR.callgsubr,
        joined(...[-50, 0, -200, 20, -50, -20].map(operand), OPERATOR.rrcurveto),
        OPERATOR.return,
      ),
    ],
    globalSubroutines: [joined(line(0, 700), OPERATOR.return)],
  });
