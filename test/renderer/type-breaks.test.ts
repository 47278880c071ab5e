import { describe, expect, it } from "vitest";
import { fitText } from "#renderer/type/index.ts";
import { isUnbreakable } from "#renderer/type/word-breaks.ts";
import type { Copy } from "#renderer/types.ts";
import { openFonts, textRequest } from "../support/type-fixtures.ts";

/** Guarantee: lines end where a reader of the language expects, and never inside a number, a price or a measure. */

const WHOLE = (
  "€ 1 299,00|−40 %|- 40 %|5 km|24/7|3 × 2|3 x 2|2 500 ₽|CHF 49.90|Nr. 5|10–15|" +
  "20 °C|1,5 l|500 ml|9 Uhr|kr 99|99 kr|1 000 000 USD|# 1|6 h|750 W|12 €|№ 7"
).split("|");

describe("no line ends inside", () => {
  const whole = (text: string) => {
    const places = Array.from({ length: text.length - 1 }, (_, i) => i + 1);
    // In these texts, Unicode's rules allow a line to end only after spaces, slashes, dashes and signs.
    return places.filter((at) => /[\s/–×x-]$/.test(text.slice(0, at)) && /^\S/.test(text.slice(at)));
  };
  it.each(WHOLE)("%s", (text) => {
    const sentence = `Jetzt ${text} sparen`;
    for (const at of whole(text)) expect(isUnbreakable(sentence, at + 6), `${text} at ${at}`).toBe(true);
    expect(isUnbreakable(sentence, 6)).toBe(false);
  });

  it.each([
    ["Modelle 2026 300", 13],
    ["Ab 2026 kaufen", 8],
    ["Top 10 Marken", 7],
    ["Sommer – 50 neue", 9],
    ["zwei m lang", 7],
    ["5 kmh", 2],
  ])("%s may end at %i", (text, at) => {
    expect(isUnbreakable(text, at)).toBe(false);
  });
});

/** The lines of a text at exactly this size in a box of this width; null if it does not fit. */
async function linesOf(
  copy: Copy & { headline: string },
  widthPx: number,
  sizePx = 40,
  wholeFromPx?: number,
) {
  const fonts = await openFonts(null);
  await fonts.load(copy);
  fonts.grantOutput(copy);
  const sizes = { fontSizePxMax: sizePx, fontSizePxMin: sizePx, wholeFromPx };
  const set = fitText(fonts, textRequest(copy.headline, { widthPx, heightPx: 2_000, linesMax: 8, ...sizes }));
  fonts.close();
  return set?.lines.map((line) => line.text) ?? null;
}

describe("words are hyphenated by the rules of the copy's language", () => {
  const german = { headline: "Geschwindigkeitsbegrenzung", language: "de-AT" };

  it("if they do not fit otherwise", async () => {
    expect(await linesOf(german, 340)).toEqual(["Geschwindig\u2010", "keitsbegrenzung"]);
    expect(await linesOf({ headline: "Lentokonesuihkuturbiini", language: "fi" }, 300)).toEqual([
      "Lentokone\u2010",
      "suihkuturbiini",
    ]);
  });

  it("not if they fit whole, even at a slightly smaller size", async () => {
    expect(await linesOf(german, 700)).toEqual(["Geschwindigkeitsbegrenzung"]);
    expect(await linesOf(german, 520, 40, 12)).toBeNull();
    expect(await linesOf(german, 520, 40, 39)).toHaveLength(2);
    expect(await linesOf(german, 340, 40, 30)).not.toBeNull();
  });

  it("not without a language, nor in one without patterns", async () => {
    expect(await linesOf({ headline: german.headline }, 340)).toBeNull();
    expect(await linesOf({ ...german, language: "sw" }, 340)).toBeNull();
  });

  it("in capitals too, and at soft hyphens in the text", async () => {
    const capitals = await linesOf({ ...german, headline: german.headline.toUpperCase() }, 420);
    expect(capitals?.join("").replaceAll("\u2010", "")).toBe("GESCHWINDIGKEITSBEGRENZUNG");
    expect(await linesOf({ headline: "Donau\u00ADdampfschiff" }, 300)).toEqual([
      "Donau\u2010",
      "dampfschiff",
    ]);
  });

  it("only at a word's own soft hyphens, if any, which are not drawn elsewhere", async () => {
    const word = { headline: "Geschwindig\u00ADkeitsbegrenzung", language: "de" };
    expect(await linesOf(word, 340)).toEqual(["Geschwindig\u2010", "keitsbegrenzung"]);
    expect(await linesOf(word, 250)).toBeNull();
    expect(await linesOf(word, 700)).toEqual(["Geschwindigkeitsbegrenzung"]);
  });

  it("with at least four letters on each line, and not after a prefix", async () => {
    expect(await linesOf({ headline: "Fahrtsgesellschaft", language: "de" }, 240)).toEqual([
      "Fahrts\u2010",
      "gesellschaft",
    ]);
    expect(await linesOf({ headline: "Umsatzsteuerbeleg", language: "de" }, 330)).not.toContain("beleg");
  });
});

describe("East Asian and Thai lines end with a phrase", () => {
  it.each([
    ["夏の大セール、いよいよ開催。", 300, ["夏の大セール、", "いよいよ開催。"]],
    ["여름 빅세일이 시작됩니다", 260, ["여름 빅세일이", "시작됩니다"]],
    ["夏季大促，全场五折起", 260, ["夏季大促，", "全场五折起"]],
    ["ลดราคาครั้งใหญ่ต้อนรับซัมเมอร์", 360, ["ลดราคาครั้งใหญ่", "ต้อนรับซัมเมอร์"]],
    ["全场新品五折起", 180, ["全场新品", "五折起"]],
    ["いちばんやさしい朝の光", 340, ["いちばんやさしい", "朝の光"]],
    ["รองเท้าวิ่งใหม่ล่าสุด", 220, ["รองเท้าวิ่ง", "ใหม่ล่าสุด"]],
  ])("%s", async (headline, width, lines) => {
    expect(await linesOf({ headline }, width)).toEqual(lines);
  });

  it("without a split phrase, if it fits at the minimum size at which words stay whole", async () => {
    for (const headline of ["いちばんやさしい朝の光", "올봄 가장 부드러운달리기", "全场新品五折起"]) {
      expect(await linesOf({ headline }, 120, 40, 14), headline).toBeNull();
    }
  });

  it("or anywhere, if no phrase fits", async () => {
    const lines = await linesOf({ headline: "スニーカーコレクション" }, 150, 40, 38);
    expect(lines?.length).toBeGreaterThan(2);
    expect(lines?.join("")).toBe("スニーカーコレクション");
    expect(await linesOf({ headline: "시작됩니다안녕하세요" }, 150, 40, 38)).not.toBeNull();
    // A Thai letter stays with its vowels and marks.
    const thai = await linesOf({ headline: "โครงการอิเล็กทรอนิกส์" }, 110, 40, 38);
    expect(thai?.join("")).toBe("โครงการอิเล็กทรอนิกส์");
    for (const line of thai ?? []) expect(line).toMatch(/^\P{M}.*[^\u0E40-\u0E44]$/u);
  });
});
