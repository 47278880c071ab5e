/// <reference path="../../scripts/make/wawoff2.d.ts" />
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import wawoff2 from "wawoff2";
import { openFontFile } from "#renderer/type/font-file.ts";
import {
  fitText,
  indexCharacters,
  missingCharacters,
  openFontSet,
  paintText,
  readCharacterIndex,
} from "#renderer/type/index.ts";
import { fixtureFile } from "../support/fixture-file.ts";
import { readSample } from "../support/renderer.ts";
import { bundled, openFonts, source, textRequest } from "../support/type-fixtures.ts";
import { unwrap } from "../support/unwrap.ts";

const sample = readSample("fonts/bricolage-grotesque-extrabold.ttf");

describe("fine print", () => {
  it("is set in the bundled regular instead of an uploaded bold, if it has the letters", async () => {
    const fonts = await openFonts(readSample("fonts/tajawal-bold.ttf"));
    const [latin, arabic] = ["While stocks last.", "حتى نفاد الكمية"];
    expect(fonts.face("fine_print", latin)).not.toBe(fonts.face("regular", latin));
    expect(fonts.face("fine_print", arabic)).toBe(fonts.face("regular", arabic));
    expect(fonts.face("regular", latin)).toBe(fonts.face("bold", latin));
    fonts.close();
  });
});

/** Tables of a font by tag, with the positions of their directory entry, offset and length. */
function tablesOf(font: Uint8Array): Map<string, { entry: number; offset: number; length: number }> {
  const view = new DataView(font.buffer, font.byteOffset, font.length);
  const tables = new Map<string, { entry: number; offset: number; length: number }>();
  for (let i = 0; i < view.getUint16(4); i += 1) {
    const entry = 12 + i * 16;
    const tag = String.fromCharCode(...font.slice(entry, entry + 4));
    tables.set(tag, { entry, offset: view.getUint32(entry + 8), length: view.getUint32(entry + 12) });
  }
  return tables;
}

/** The font with a table declared empty. */
function withoutTable(font: Uint8Array, tag: string): Uint8Array {
  const copy = font.slice();
  copy.set([0, 0, 0, 0], (tablesOf(font).get(tag)?.entry ?? 0) + 12);
  return copy;
}

describe("the bundled fonts cover common scripts", () => {
  it("Latin with Vietnamese, Greek, Cyrillic, signs and currencies, in both weights", async () => {
    const fonts = await openFonts(null);
    const copy = [
      "The quick brown fox 0123456789 !?&@#%*()[]{}«»‹›„“”‘’…–—·•†‡§¶",
      "Žluťoučký kůň, Ærøskøbing, Łódź, Şişli, Ñandú, Ţară țară, ẞ, Ħal, ŵ, ʻokina",
      "Tiếng Việt: Ứng dụng đẹp ẵ ỗ ỹ",
      "Καλημέρα κόσμε ΐ ΰ Ώ",
      "Съешь ещё этих мягких французских булок, Їжак, ҐЄ, Ўзбек, Қазақ, Җ",
      "€ £ ¥ $ ¢ ₽ ₴ ₺ ₹ ₩ ₪ ₫ ₸ ₿ © ® ™ ℠ № ½ ¼ ² ³ ° ± × ÷ − ≤ ≥ ≈ → ← ↑ ↓ ↗ ✓ ★",
    ].join("\n");
    expect(missingCharacters(fonts, copy)).toEqual([]);
  });
});

describe("missing characters are named before drawing", () => {
  it("names each once, in order, without blanks and invisible marks", async () => {
    const fonts = await openFonts(null);
    expect(missingCharacters(fonts, "Tokyo 東京 東 🎉\u200D\uFE0F \u00AD\n")).toEqual(["東", "京", "🎉"]);
  });

  it("counts a composed letter as present if its parts are, and vice versa", async () => {
    const fonts = await openFonts(null);
    expect(missingCharacters(fonts, "é".normalize("NFD") + "ǖ".normalize("NFC"))).toEqual([]);
    const tajawal = await openFonts(readSample("fonts/tajawal-bold.ttf"));
    expect(missingCharacters(tajawal, "مرحبا é Б")).toEqual(["Б"]);
  });
});

describe("an empty glyph counts as missing", () => {
  // In these fonts the letter Q is empty, and so is the space, which may be empty.
  it.each(["empty-q.ttf", "empty-q-without-contours.ttf", "empty-q.otf"])(
    "is named before drawing, and absent from the stored index: %s",
    async (name) => {
      const font = fixtureFile(`fonts/${name}`);
      expect(missingCharacters(await openFonts(font), "A Q B")).toEqual(["Q"]);
      const index = unwrap(readCharacterIndex(indexCharacters(source.modules, font)));
      expect([..."A QB"].map((letter) => index.has(letter.codePointAt(0) ?? 0))).toEqual([
        true,
        true,
        false,
        true,
      ]);
    },
  );

  it("is set in the bundled font", async () => {
    const fonts = await openFonts(fixtureFile("fonts/empty-q.ttf"));
    const copy = { headline: "AQ" };
    await fonts.load(copy);
    fonts.grantOutput(copy);
    const glyphs = fitText(fonts, textRequest("AQ"))?.lines[0]?.glyphs ?? [];
    // The uploaded font draws A as a box, the bundled font draws a round Q.
    expect(glyphs.map(({ outline }) => outline.path.points.length > 20)).toEqual([false, true]);
  });
});

describe("a `kern` table of pairs is applied in older fonts without other kerning", () => {
  const KERNED = [510, 640, 510, 600];
  const PLAIN = [600, 600, 600, 600];

  it.each([
    ["pairs", KERNED],
    ["pairs-of-apple", KERNED],
    ["vertical-pairs", PLAIN],
    ["vertical-pairs-of-apple", PLAIN],
    ["more-pairs-than-bytes", [510, 600, 510, 600]],
    ["pairs-beside-kerning-in-gpos", PLAIN],
    ["pairs-beside-marks-in-gpos", KERNED],
  ])("%s", (name, advances) => {
    const opened = unwrap(openFontFile(source.modules, fixtureFile(`fonts/kern-${name}.ttf`)));
    const run = { start: 0, end: 4, script: "Latn", isRightToLeft: false };
    expect(opened.regular.shape("AVAV", run, false).map(({ advance }) => advance)).toEqual(advances);
  });
});

describe("variable fonts", () => {
  it("take their bold from the weight axis", async () => {
    const path = join(import.meta.dirname, "../../node_modules/inter-ui/variable/InterVariable.woff2");
    const fonts = await openFonts(Uint8Array.from(await wawoff2.decompress(await readFile(path))));
    const [regular, bold] = (["regular", "bold"] as const).map((weight) => {
      const text = fitText(fonts, textRequest("Weight", { weight, linesMax: 1 }));
      const coverage = text === null ? new Uint8Array(0) : paintText(text, 0, 0, 600, 100).coverage;
      return coverage.reduce((sum, value) => sum + value, 0);
    });
    expect(bold).toBeGreaterThan((regular ?? 0) * 1.25);
  });
});

describe("an unusable font fails with a readable message", () => {
  const cases: readonly (readonly [name: string, bytes: Uint8Array, reason: RegExp])[] = [
    ["nothing", new Uint8Array(0), /not a font file/],
    ["text", new TextEncoder().encode("<html>not a font</html>".repeat(40)), /not a font file/],
    ["a truncated font", sample.slice(0, 700), /cannot be used/],
    ["no outlines", withoutTable(sample, "glyf"), /no outlines/],
    ["no character map", withoutTable(sample, "cmap"), /maps no characters/],
    ["no head", withoutTable(sample, "head"), /not a font file/],
    ["no glyph count", withoutTable(sample, "maxp"), /no glyphs/],
    ["blank glyphs", withoutTable(sample, "loca"), /cannot be used/],
  ];
  it.each(cases)("%s", async (_name, bytes, reason) => {
    const opened = await openFontSet(source, bundled, bytes);
    expect(opened).toMatchObject({
      ok: false,
      code: "FONT_UNREADABLE",
      message: expect.stringMatching(reason),
    });
  });

  it("units per em out of range", async () => {
    const font = sample.slice();
    font.set([0, 1], (tablesOf(font).get("head")?.offset ?? 0) + 18);
    expect(await openFontSet(source, bundled, font)).toMatchObject({ code: "FONT_UNREADABLE" });
  });
});

it("set text outlives its fonts", async () => {
  const fonts = await openFonts(sample);
  const text = fitText(fonts, textRequest("Kept"));
  fonts.close();
  expect(text === null ? 0 : paintText(text, 0, 0, 600, 100).coverage.length).toBeGreaterThan(100);
  expect(() => fitText(fonts, textRequest("Gone"))).toThrow("closed");
});
