import { describe, expect, it } from "vitest";
import { isInvisibleCharacter } from "#renderer/type/clusters.ts";
import { characterNeeds, type FontSet, fitText, openFontSet } from "#renderer/type/index.ts";
import { embeddingLevels, startsRightToLeft, visualRuns } from "#renderer/type/itemise.ts";
import { TYPE_LIMITS } from "#renderer/type/limits.ts";
import type { Copy } from "#renderer/types.ts";
import copies from "../fixtures/copy-in-scripts.json";
import { oneOfEachJapaneseFile } from "../support/japanese-files.ts";
import { fontLibrary } from "../support/node-modules.ts";
import { readSample } from "../support/renderer.ts";
import { bundled, openFonts, source, textRequest } from "../support/type-fixtures.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: text in every script of the library is drawn in its own typeface, in each weight, with any uploaded font.
 */

/** An advertisement in each script of the font library, worded as by a native speaker. */
const COPY_IN_SCRIPTS: Readonly<Record<string, Copy>> = copies;
const TEXTS = ["headline", "subheadline", "cta", "disclaimer"] as const;

/** The typefaces that draw a text, and its number of missing glyphs. */
function shaped(fonts: FontSet, text: string, weight: "regular" | "bold") {
  const chain = fonts.chain(weight, text);
  const levels = embeddingLevels(text, startsRightToLeft(text));
  const families = new Set<string | null>();
  let absent = 0;
  for (const run of visualRuns(text, levels).flatMap((each) => chain.faceRuns(text, each))) {
    families.add(run.familyId);
    for (const { glyph, cluster } of run.face.shape(text, run, false)) {
      if (glyph === 0 && !isInvisibleCharacter(String.fromCodePoint(text.codePointAt(cluster) ?? 0)))
        absent += 1;
    }
  }
  return { families, absent };
}

async function fontsFor(copy: Copy, uploaded: Uint8Array | null = null): Promise<FontSet> {
  const fonts = await openFonts(uploaded);
  await fonts.load(copy);
  fonts.grantOutput(copy);
  return fonts;
}

describe.each(Object.entries(COPY_IN_SCRIPTS))("%s", (_, copy) => {
  it.each([
    ["the bundled font", null],
    ["an uploaded Latin font", readSample("fonts/bricolage-grotesque-extrabold.ttf")],
  ])("is set without a missing glyph beside %s", async (_name, uploaded) => {
    const fonts = await fontsFor(copy, uploaded);
    for (const field of TEXTS) {
      const text = copy[field];
      if (text === undefined) continue;
      for (const weight of ["regular", "bold"] as const) {
        expect(shaped(fonts, text, weight).absent, `${weight} ${field}`).toBe(0);
        const set = fitText(fonts, textRequest(text, { weight, linesMax: 6 }));
        expect(set?.lines.length, `${weight} ${field}`).toBeGreaterThan(0);
      }
    }
    expect(fonts.failure).toBeNull();
    fonts.close();
  });
});

describe("the typeface", () => {
  const familyOf = async (copy: Copy, text: string): Promise<readonly (string | null)[]> => [
    ...shaped(await fontsFor(copy), text, "bold").families,
  ];

  it.each([
    ["ja", "noto-sans-jp"],
    ["zh-Hant-HK", "noto-sans-tc"],
    ["zh-TW", "noto-sans-tc"],
    ["yue", "noto-sans-tc"],
    ["zh", "noto-sans-sc"],
    ["ko-KR", "noto-sans-kr"],
  ])("of Han characters is that of the language %s", async (language, family) => {
    expect(await familyOf({ headline: "海直", language }, "海直")).toEqual([family]);
  });

  it.each([
    ["noto-sans-jp", "購入", "大セール"],
    ["noto-sans-kr", "大", "빅세일"],
    ["noto-sans-tc", "立即購買", "夏季大優惠"],
    ["noto-sans-sc", "立即购买", "夏季大优惠"],
    ["noto-sans-jp", "新発売", undefined],
    ["noto-sans-sc", "新品上市", undefined],
  ])("is %s for 「%s」 without a language", async (family, cta, headline) => {
    expect(await familyOf({ headline, cta }, cta)).toEqual([family]);
  });

  it("is the main font for all characters that the main font has", async () => {
    const copy = { headline: "SALE 50% セール" };
    const fonts = await fontsFor(copy);
    const chain = fonts.chain("bold", copy.headline);
    const levels = new Uint8Array(copy.headline.length);
    const runs = visualRuns(copy.headline, levels).flatMap((run) => chain.faceRuns(copy.headline, run));
    expect(runs.map(({ start, end, familyId }) => [copy.headline.slice(start, end), familyId])).toEqual([
      ["SALE 50% ", null],
      ["セール", "noto-sans-jp"],
    ]);
  });
});

it("a pack that needs no fallback loads nothing from the library", async () => {
  const library = { load: () => Promise.reject(new Error("the library was asked")) };
  const fonts = unwrap(await openFontSet(source, { ...bundled, library }, null));
  await fonts.load(COPY_IN_SCRIPTS.greek ?? {});
  await fonts.load({ headline: "Schöne Grüße", cta: "OK → 5 €", language: "sw" });
  await expect(fonts.load({ headline: "東京" })).rejects.toThrow("does not give fallback-index.bin");
});

it("fonts loaded for other texts of the pack change nothing", async () => {
  const copy = { headline: "東京 Дубай دبي" };
  const alone = await fontsFor(copy);
  const after = await fontsFor(COPY_IN_SCRIPTS.mixed ?? {});
  await after.load(copy);
  after.grantOutput(copy);
  const request = textRequest(copy.headline);
  expect(fitText(after, request)).toEqual(fitText(alone, request));
});

describe("the library files of a text are limited", () => {
  const oneOfEach = () => oneOfEachJapaneseFile(fontLibrary);

  it("to 96: characters of further files count as missing", async () => {
    const characters = await oneOfEach();
    expect(characters.length).toBeGreaterThan(100);
    const noCoverage = { has: () => false };
    const copy = { headline: characters.join(""), language: "ja" };
    expect(await characterNeeds([noCoverage], fontLibrary, [copy])).toEqual({
      missing: characters.slice(TYPE_LIMITS.fallbackFilesMax),
      libraryFiles: TYPE_LIMITS.fallbackFilesMax,
    });
  });

  it("and are counted once for all texts of an order", async () => {
    const needs = async (...copies: readonly Copy[]) =>
      (await characterNeeds([{ has: () => false }], fontLibrary, copies)).libraryFiles;
    const characters = await oneOfEach();
    const [first, second] = [characters.slice(0, 60).join(""), characters.slice(40).join("")];
    const japanese = { language: "ja" };
    expect(await needs({ headline: first, ...japanese }, { headline: first, cta: first, ...japanese })).toBe(
      60,
    );
    expect(await needs({ headline: first, ...japanese }, { headline: second, ...japanese })).toBe(
      characters.length,
    );
    // Han characters count as Japanese beside kana, and as Chinese alone.
    const [alone, beside] = [await needs({ headline: "东京" }), await needs({ headline: "東京", cta: "の" })];
    expect(beside).toBeGreaterThan(alone);
  });

  it("and are dropped, even 90 of them, when another text needs other files", async () => {
    const characters = await oneOfEach();
    const copy = { headline: characters.slice(0, 90).join(""), language: "ja" };
    const fonts = await fontsFor(copy);
    expect(shaped(fonts, copy.headline, "bold").absent).toBe(0);
    const other = { headline: characters.slice(-40).join(""), language: "ja" };
    await fonts.load(other);
    fonts.grantOutput(other);
    expect(shaped(fonts, other.headline, "bold").absent).toBe(0);
    await fonts.load(copy);
    fonts.grantOutput(copy);
    expect(shaped(fonts, copy.headline, "regular").absent).toBe(0);
    expect(fonts.failure).toBeNull();
  });
});
