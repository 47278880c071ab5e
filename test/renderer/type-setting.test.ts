import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FontSet, fitText, paintText, type TextBlock } from "#renderer/type/index.ts";
import { readSample } from "../support/renderer.ts";
import { openFonts, textRequest } from "../support/type-fixtures.ts";

const SEED = 20261104;
const AT_24_PX = { fontSizePxMin: 24, fontSizePxMax: 24 };
const inter = await openFonts(null);
const bricolage = await openFonts(readSample("fonts/bricolage-grotesque-extrabold.ttf"));
const tajawal = await openFonts(readSample("fonts/tajawal-bold.ttf"));

function set(fonts: FontSet, text: string, narrowed: Parameters<typeof textRequest>[1] = {}): TextBlock {
  const result = fitText(fonts, textRequest(text, narrowed));
  if (result === null)
    throw new Error(`"${text}" was not set: ${fonts.failure?.message ?? "it does not fit"}`);
  return result;
}

const linesOf = (text: TextBlock): string[] => text.lines.map((line) => line.text);
const widthOf = (text: string): number => set(inter, text, { linesMax: 1, widthPx: 5000 }).widthPx;

describe("text is shaped, not set letter by letter", () => {
  it("kerns pairs", () => {
    expect(widthOf("AVAVAV")).toBeLessThan(widthOf("AAAVVV") - 10);
  });

  it("joins Arabic letters: a word is narrower than its separate letters", () => {
    const joined = set(tajawal, "بخير", { linesMax: 1 });
    const apart = set(tajawal, "ب خ ي ر", { linesMax: 1 });
    expect(joined.isRightToLeft).toBe(true);
    expect(joined.widthPx).toBeLessThan(apart.widthPx * 0.8);
  });

  it("uses a ligature, but not with letter spacing", () => {
    const ligated = set(tajawal, "لا", { linesMax: 1 }).lines[0]?.glyphs.length;
    expect(ligated).toBe(1);
    const fonts = bricolage;
    const tight = set(fonts, "ffi", { linesMax: 1 }).lines[0]?.glyphs.length ?? 0;
    const loose = set(fonts, "ffi", { linesMax: 1, letterSpacing: 0.1 }).lines[0]?.glyphs.length ?? 0;
    expect(loose).toBe(3);
    expect(tight).toBeLessThanOrEqual(loose);
  });

  it("sets combining marks on their letters as if composed", () => {
    const composed = set(inter, "Ấ é ñ");
    const apart = set(inter, "Ấ é ñ".normalize("NFD"));
    expect(apart.widthPx).toBeCloseTo(composed.widthPx, 6);
    expect(apart.inkBox.height).toBeCloseTo(composed.inkBox.height, 0);
  });

  it("puts letter spacing between letters only", () => {
    const size = { linesMax: 1, fontSizePxMax: 20 } as const;
    const plain = set(inter, "HHHH", size).widthPx;
    expect(set(inter, "HHHH", { ...size, letterSpacing: 0.1 }).widthPx).toBeCloseTo(plain + 3 * 2, 1);
  });
});

describe("right-to-left text starts at the right", () => {
  it("aligns to the right edge of the block, and keeps numbers and Latin in their own direction", () => {
    const text = set(tajawal, "خصم كبير جدا\nعلى iPhone 15");
    for (const line of text.lines) expect(line.leftPx + line.widthPx).toBeCloseTo(text.widthPx, 6);
    expect(linesOf(text)).toEqual(["خصم كبير جدا", "على iPhone 15"]);
    const [first, last] = [text.lines[1]?.glyphs[0], text.lines[1]?.glyphs.at(-1)];
    expect(first?.script).toBe("Latn");
    expect(last?.script).toBe("Arab");
  });
});

describe("lines break where a typesetter would", () => {
  it("uses the fewest lines and balances them", () => {
    const text = set(inter, "Discover your next favourite place for a stay in Barcelona", {
      widthPx: 560,
      fontSizePxMax: 30,
      fontSizePxMin: 30,
    });
    expect(text.lines.length).toBe(2);
    const [first, second] = text.lines.map((line) => line.widthPx);
    expect(Math.abs((first ?? 0) - (second ?? 0))).toBeLessThan(60);
  });

  it("leaves no single word on the last of several lines if words can move there from other lines", () => {
    const text = set(inter, "The one jacket that goes everywhere with you", {
      widthPx: 330,
      fontSizePxMin: 40,
    });
    expect(linesOf(text).at(-1)).toMatch(/ /);
  });

  it("keeps a number with its unit and a sentence on its line", () => {
    expect(linesOf(set(inter, "Electric. 612 km of range.", { ...AT_24_PX, widthPx: 200 }))).toEqual([
      "Electric.",
      "612 km of range.",
    ]);
    expect(linesOf(set(inter, "12–14 July, Utklippan", { ...AT_24_PX, widthPx: 190 }))).toEqual([
      "12–14 July,",
      "Utklippan",
    ]);
  });

  it("leaves no short word alone on the first line", () => {
    const text = set(inter, "Slow mornings, delivered", { ...AT_24_PX, widthPx: 260 });
    expect(linesOf(text)).toEqual(["Slow mornings,", "delivered"]);
  });

  it("breaks no word: null if a word is wider than the box at the minimum size", () => {
    expect(fitText(inter, textRequest("Geschwindigkeitsbegrenzung", { widthPx: 60 }))).toBeNull();
  });

  it("breaks at a soft hyphen if nothing else fits, and shows it only there", () => {
    const soft = "Geschwindig\u00ADkeits\u00ADbegrenzung";
    expect(linesOf(set(inter, soft, { widthPx: 100, fontSizePxMin: 12 })).join("|")).toMatch(/‐\|/);
    expect(linesOf(set(inter, soft, { widthPx: 800 }))).toEqual(["Geschwindigkeitsbegrenzung"]);
  });

  it("keeps hyphenated words whole while the text stays about as large", () => {
    const text = set(inter, "Introducing the all-new state-of-the-art headphones", { widthPx: 330 });
    expect(linesOf(text).join("|")).toContain("state-of-the-art");
    expect(
      linesOf(set(inter, "state-of-the-art", { widthPx: 60, fontSizePxMin: 12 })).length,
    ).toBeGreaterThan(1);
  });

  it("keeps explicit lines and no-break spaces, and drops trailing blanks", () => {
    expect(linesOf(set(inter, "  One  two \r\nthree\n\n"))).toEqual(["One two", "three"]);
    const held = set(inter, "from 10\u00A0000\u00A0km of road", { ...AT_24_PX, widthPx: 150 });
    expect(linesOf(held)).toContain("10\u00A0000\u00A0km");
  });

  it("sets nothing for text that draws nothing", () => {
    expect(fitText(inter, textRequest(" \n\u200B "))).toBeNull();
    expect(fitText(inter, textRequest("x".repeat(3000)))).toBeNull();
  });
});

describe("the size is the largest that fits", () => {
  it("grows with the box, within the requested range", () => {
    let before = 0;
    for (let widthPx = 120; widthPx <= 900; widthPx += 60) {
      const text = set(inter, "Sale ends this Sunday", {
        widthPx,
        heightPx: 200,
        fontSizePxMax: 90,
        fontSizePxMin: 8,
      });
      expect(text.fontSizePx).toBeGreaterThanOrEqual(before);
      before = text.fontSizePx;
    }
    expect(before).toBe(90);
  });

  it("respects lines, width and height", () => {
    expect(fitText(inter, textRequest("one two three four", { widthPx: 60, linesMax: 1 }))).toBeNull();
    expect(fitText(inter, textRequest("one", { heightPx: 9 }))).toBeNull();
    expect(set(inter, "one", { fontSizePxMin: 13.3, fontSizePxMax: 13.3 }).fontSizePx).toBe(13.3);
  });
});

describe("nothing is drawn outside", () => {
  it("all ink is within the block, and the block within the box, over fonts, scripts and sizes", () => {
    const words = fc.constantFrom(
      ..."jump Äquator ǺỖ ÉCLAIR fjord Тёплый ᾧ Ελλάδα 50% “Ah” Wm لا كُلُّ — Ygj".split(" "),
    );
    const requests = fc.record({
      fonts: fc.constantFrom(inter, bricolage, tajawal),
      text: fc.array(words, { minLength: 1, maxLength: 7 }).map((list) => list.join(" ")),
      widthPx: fc.integer({ min: 30, max: 500 }),
      heightPx: fc.integer({ min: 12, max: 260 }),
      fontSizePxMax: fc.integer({ min: 8, max: 110 }),
      lineHeight: fc.constantFrom(0.9, 1, 1.1, 1.4),
      letterSpacing: fc.constantFrom(0, -0.02, 0.06),
      align: fc.constantFrom("start" as const, "center" as const),
      weight: fc.constantFrom("regular" as const, "bold" as const),
      x: fc.integer({ min: 0, max: 40 }),
    });
    let setCount = 0;
    fc.assert(
      fc.property(requests, ({ fonts, text, x, ...narrowed }) => {
        const result = fitText(fonts, textRequest(text, { ...narrowed, fontSizePxMin: 6 }));
        if (result === null) return fonts.failure === null;
        setCount += 1;
        const { inkBox, widthPx, heightPx } = result;
        const slack = 1e-6;
        const isInBlock =
          inkBox.x >= -slack &&
          inkBox.y >= -slack &&
          inkBox.x + inkBox.width <= widthPx + slack &&
          inkBox.y + inkBox.height <= heightPx + slack;
        const mask = paintText(result, x, 7, 700, 400);
        const isPaintedInside =
          mask.x >= x + Math.floor(inkBox.x - slack) &&
          mask.y >= 7 + Math.floor(inkBox.y - slack) &&
          mask.x + mask.width <= x + Math.ceil(inkBox.x + inkBox.width + slack) &&
          mask.y + mask.height <= 7 + Math.ceil(inkBox.y + inkBox.height + slack);
        return isInBlock && isPaintedInside && widthPx <= narrowed.widthPx && heightPx <= narrowed.heightPx;
      }),
      { seed: SEED, numRuns: 250 },
    );
    expect(setCount).toBeGreaterThan(120);
  });

  it("keeps a line's accents clear of the line above", () => {
    const text = set(inter, "ggggg ÅÅÅÅÅ", { widthPx: 160, lineHeight: 0.9 });
    const [upper, lower] = text.lines;
    const bottom =
      Math.max(...(upper?.glyphs ?? []).map((glyph) => glyph.ink.bottom)) + (upper?.baselinePx ?? 0);
    const top = Math.min(...(lower?.glyphs ?? []).map((glyph) => glyph.ink.top)) + (lower?.baselinePx ?? 0);
    expect(top).toBeGreaterThanOrEqual(bottom);
  });
});

describe("painting", () => {
  it("yields the same committed bytes on every engine", () => {
    const text = set(inter, "Crisp type, Žluťoučký — 24/7", { widthPx: 300 });
    const hashes = [1, 2].map(() =>
      createHash("sha256")
        .update(paintText(text, 10.25, 12, 400, 300).coverage)
        .digest("hex"),
    );
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]?.slice(0, 16)).toBe("7db0cb364627d45b");
  });

  it("draws flat letters with full edges on the baseline and at the height of capitals", () => {
    for (const size of [10, 11, 12, 13, 14, 16]) {
      const text = set(inter, "HIH", {
        fontSizePxMax: size,
        fontSizePxMin: size,
        weight: "regular",
        linesMax: 1,
      });
      const mask = paintText(text, 4, 4, 200, 60);
      expect(mask.height).toBe(text.capHeightPx);
      const rows = [0, mask.height - 1].map((row) =>
        mask.coverage.slice(row * mask.width, (row + 1) * mask.width),
      );
      for (const row of rows) expect(Math.max(...row)).toBeGreaterThan(180);
    }
  });

  it("clips at the canvas", () => {
    const mask = paintText(set(inter, "Headline"), -20, -5, 40, 20);
    expect(mask.x).toBe(0);
    expect(mask.x + mask.width).toBeLessThanOrEqual(40);
    expect(mask.y + mask.height).toBeLessThanOrEqual(20);
  });
});
