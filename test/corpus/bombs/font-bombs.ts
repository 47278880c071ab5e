import { ascii, joined, u16, u32 } from "../../support/binary.ts";
import { OPERATOR, operand, postScriptFont, SUBROUTINE_BIAS } from "../seeds/post-script.ts";
import { coverageOf, layoutTable, letterMap } from "../seeds/sfnt.ts";
import { boxGlyph, boxGlyphs, compositeGlyph, trueTypeFont } from "../seeds/true-type.ts";
import type { Bomb } from "./bomb.ts";

const GLYPHS = 20;
const MAXP_OF_65535_GLYPHS = joined(u32(0x00010000), u16(0xffff), new Uint8Array(26));
const ENDED = ["taken/drawn", "taken/FONT_UNREADABLE", "taken/does not fit"];

const ttf = (name: string, make: () => Uint8Array, outcomes: readonly string[] = ENDED): Bomb => ({
  name,
  kind: "ttf",
  make,
  outcomes,
});
const otf = (name: string, make: () => Uint8Array, outcomes: readonly string[] = ENDED): Bomb => ({
  ...ttf(name, make, outcomes),
  kind: "otf",
});

/** A font of boxes with some tables in the place of its own. */
const boxes = (tables: Readonly<Record<string, Uint8Array>>): Uint8Array =>
  trueTypeFont(boxGlyphs(GLYPHS), tables);

/** Every glyph a composite, by its number. */
const composites = (count: number, partsOf: (glyph: number) => readonly number[]): Uint8Array =>
  trueTypeFont(
    Array.from({ length: count }, (_, glyph) =>
      glyph === 0
        ? boxGlyph(300)
        : compositeGlyph(partsOf(glyph).map((part, index) => ({ glyph: part, dx: index * 7 }))),
    ),
  );

const call = (subroutine: number, operator: Uint8Array): Uint8Array =>
  joined(operand(subroutine - SUBROUTINE_BIAS), operator);

/** All glyphs start with the local subroutine 0. */
const postScript = (local: readonly Uint8Array[], global: readonly Uint8Array[] = []): Uint8Array =>
  postScriptFont({
    charStrings: Array.from({ length: GLYPHS }, () =>
      joined(operand(10), operand(10), OPERATOR.rmoveto, call(0, OPERATOR.callsubr), OPERATOR.endchar),
    ),
    localSubroutines: local,
    globalSubroutines: global,
  });

/** Character map of one table in format 12. */
const groupsMap = (groups: Uint8Array, count: number): Uint8Array =>
  joined(u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(16 + groups.length, 0, count), groups);

function repeated(record: Uint8Array, times: number): Uint8Array {
  const whole = new Uint8Array(record.length * times);
  for (let at = 0; at < whole.length; at += record.length) whole.set(record, at);
  return whole;
}

/** Substitution tables under one feature that is always on (OpenType 1.9, GSUB). */
function substitutions(lookups: readonly Uint8Array[]): Uint8Array {
  const offsets: number[] = [];
  let at = 2 + lookups.length * 2;
  for (const lookup of lookups) {
    offsets.push(at);
    at += lookup.length;
  }
  return layoutTable("ccmp", lookups.length, joined(u16(lookups.length, ...offsets), ...lookups));
}

const lookup = (type: number, subtable: Uint8Array): Uint8Array => joined(u16(type, 0, 1, 8), subtable);
const COVERAGE = coverageOf(GLYPHS);

/** Each glyph becomes `times` of itself. */
function multiplied(times: number): Uint8Array {
  const sequenceBytes = 2 + times * 2;
  const coverageAt = 6 + GLYPHS * 2 + GLYPHS * sequenceBytes;
  const offsets = Array.from({ length: GLYPHS }, (_, glyph) => 6 + GLYPHS * 2 + glyph * sequenceBytes);
  const sequences = Array.from({ length: GLYPHS }, (_, glyph) =>
    u16(times, ...new Array<number>(times).fill(glyph)),
  );
  return lookup(2, joined(u16(1, coverageAt, GLYPHS), u16(...offsets), ...sequences, COVERAGE));
}

/** In the context of one glyph, applies lookups to it. */
const inContext = (lookups: readonly number[]): Uint8Array => {
  const coverageAt = 8 + lookups.length * 4;
  return lookup(
    5,
    joined(u16(3, 1, lookups.length, coverageAt), ...lookups.map((index) => u16(0, index)), COVERAGE),
  );
};

/** Subroutines of which each calls the next ten times; the last draws a box. */
function tenCallsEach(levels: number): Uint8Array {
  const box = joined(operand(9), operand(9), OPERATOR.rlineto, OPERATOR.return);
  return postScript(
    Array.from({ length: levels }, (_, level) =>
      level + 1 === levels ? box : joined(repeated(call(level + 1, OPERATOR.callsubr), 10), OPERATOR.return),
    ),
  );
}

export const FONT_BOMBS: readonly Bomb[] = [
  ttf("a composite glyph of itself", () => composites(GLYPHS, (glyph) => [glyph])),
  ttf("composite glyphs of one another", () => composites(GLYPHS, (glyph) => [(glyph % (GLYPHS - 1)) + 1])),
  ttf("composite glyphs 5,000 deep", () => composites(5_000, (glyph) => [glyph - 1])),
  ttf("composite glyphs of two each, 64 deep: 2^63 boxes", () =>
    composites(64, (glyph) => [glyph - 1, glyph - 1]),
  ),
  ttf("a composite glyph of 5,000 parts", () =>
    composites(GLYPHS, () => Array.from({ length: 5_000 }, () => 0)),
  ),
  ttf("a glyph of 60,000 points", () => {
    const points = 60_000;
    const header = joined(u16(1, 0, 0, 1_000, 1_000), u16(points - 1, 0));
    // The flag of one point, on the curve, both moves in words, repeated 255 times at a time.
    const flags = repeated(Uint8Array.of(0x09, 255), Math.ceil(points / 256));
    const moves = repeated(u16(900, 0xfc7c), points);
    return trueTypeFont([boxGlyph(300), joined(header, flags, moves, moves), ...boxGlyphs(10)]);
  }),
  ttf("glyphs that lie past the end", () =>
    boxes({ loca: u32(...Array.from({ length: GLYPHS + 1 }, (_, glyph) => glyph * 0x0fffffff)) }),
  ),
  ttf("a map of every character to every glyph", () => boxes({ cmap: groupsMap(u32(0, 0xffffffff, 0), 1) })),
  ttf("a map of 500,000 overlapping groups", () =>
    boxes({ cmap: groupsMap(repeated(u32(0, 0x10ffff, 0), 500_000), 500_000) }),
  ),
  ttf("a map of 500,000 overlapping groups of 65,535 glyphs each", () =>
    boxes({ cmap: groupsMap(repeated(u32(0, 0x10ffff, 0), 500_000), 500_000), maxp: MAXP_OF_65535_GLYPHS }),
  ),
  ttf("a map that says it has 4 × 10^9 groups", () =>
    boxes({ cmap: groupsMap(u32(0x41, 0x5a, 1), 0xffffffff) }),
  ),
  // The shaper walked through 5 × 10^8 characters to list them; maps that name that many are refused now.
  ttf("a map of 8,000 segments of everything", () => {
    const count = 8_000;
    const segments = joined(
      repeated(u16(0xffff), count),
      u16(0),
      repeated(u16(0), count),
      repeated(u16(1), count),
      repeated(u16(0), count),
    );
    const table = joined(u16(4, 0xffff, 0, count * 2, 0, 0, 0), segments);
    return boxes({ cmap: joined(u16(0, 1, 3, 1), u32(12), table) });
  }),
  ttf("substitutions that make 2^60 glyphs of one", () =>
    boxes({ GSUB: substitutions(Array.from({ length: 60 }, () => multiplied(2))) }),
  ),
  ttf("substitutions that make 200 glyphs of each", () => boxes({ GSUB: substitutions([multiplied(200)]) })),
  ttf("a substitution that applies itself", () => boxes({ GSUB: substitutions([inContext([0])]) })),
  ttf("a substitution that applies itself a hundred times", () =>
    boxes({ GSUB: substitutions([inContext(new Array<number>(100).fill(0))]) }),
  ),
  ttf("substitutions that apply one another and multiply", () =>
    boxes({ GSUB: substitutions([inContext([1, 2, 1]), inContext([0, 2, 0]), multiplied(3)]) }),
  ),
  ttf("1,500 substitutions", () =>
    boxes({ GSUB: substitutions(Array.from({ length: 1_500 }, () => inContext([0]))) }),
  ),
  ttf("axes without number", () =>
    boxes({
      fvar: joined(
        u16(1, 0, 16, 2, 0xffff, 20, 0, 0),
        repeated(joined(ascii("wght"), u32(0x7fffffff, 0, 0x80000000, 0)), 400),
      ),
    }),
  ),
  ttf("units per em of 0", () => boxes({ head: new Uint8Array(54) })),
  ttf("65,535 glyphs in tables for one", () => boxes({ maxp: MAXP_OF_65535_GLYPHS })),
  ttf("a font in a PNG's clothes", () => joined(ascii("\u0089PNG"), trueTypeFont(boxGlyphs(GLYPHS))), [
    "NOT_WHAT_IT_CLAIMS/FONT_UNREADABLE",
  ]),
  otf("a subroutine of itself", () => postScript([call(0, OPERATOR.callsubr)])),
  otf("subroutines of one another, local and global", () =>
    postScript([call(0, OPERATOR.callgsubr)], [call(0, OPERATOR.callsubr)]),
  ),
  otf("subroutines that call the next ten times: 10^60 boxes", () => tenCallsEach(60)),
  otf("nine levels of subroutines, ten calls each", () => tenCallsEach(9)),
  otf("a charstring of 60,000 operators", () =>
    postScript([repeated(joined(operand(1), operand(2), OPERATOR.rlineto), 9_000)]),
  ),
  otf("a charstring that never returns", () => postScript([joined(operand(1))])),
  otf("a map for glyphs that are not there", () =>
    postScriptFont(
      { charStrings: [OPERATOR.endchar], localSubroutines: [], globalSubroutines: [] },
      { cmap: letterMap(60_000) },
    ),
  ),
];
