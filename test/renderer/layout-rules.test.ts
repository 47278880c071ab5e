import { describe, expect, it } from "vitest";
import { logoHeightPxMin, sizeLogo } from "#renderer/layout/design/place-elements.ts";
import { canvasOf, type PictureTraits } from "#renderer/layout/index.ts";
import { splitRegion } from "#renderer/layout/pictures/duo-pictures.ts";
import { bySentence, scoreLineBreaks } from "#renderer/layout/words/line-break-score.ts";
import { headlineEnlargementOf, sizeShareOf } from "#renderer/layout/words/short-headline-enlargement.ts";
import { LOOKS } from "#renderer/look/index.ts";
import { dimensions } from "../support/dimensions.ts";
import { catalogueSize } from "../support/renderer.ts";

/** Lines of 10 px a character. */
const lines = (...texts: readonly string[]) =>
  texts.map((text) => ({ text, widthPx: [...text].length * 10 }));

describe("the line-break score", () => {
  it("finds no flaw in one line or in equal lines", () => {
    expect(scoreLineBreaks(lines("Soft as the first warm day"))).toBe(1);
    expect(scoreLineBreaks(lines("Soft as the", "first warm day"))).toBe(1);
  });

  it("scores a break with a flaw lower than a better break of the same text", () => {
    const even = scoreLineBreaks(lines("Soft as the", "first warm day"));
    expect(scoreLineBreaks(lines("Soft as the first warm", "day"))).toBeLessThan(even);
    expect(scoreLineBreaks(lines("Soft", "morning", "light"))).toBeLessThan(
      scoreLineBreaks(lines("Soft", "morning light")),
    );
    expect(scoreLineBreaks(lines("Slow", "mornings,", "bright days"))).toBeLessThan(
      scoreLineBreaks(lines("Slow mornings,", "bright days")),
    );
  });

  it("prefers lines that end with their sentence, and numbers beside their unit", () => {
    expect(scoreLineBreaks(lines("Three nights. Forty", "bands. One island."))).toBeLessThan(
      scoreLineBreaks(lines("Three nights.", "Forty bands.", "One island.")),
    );
    expect(scoreLineBreaks(lines("Weekend", "plans? Sorted."))).toBeLessThan(
      scoreLineBreaks(lines("Weekend plans?", "Sorted.")),
    );
    expect(scoreLineBreaks(lines("A range of 612", "km on one load"))).toBeLessThan(
      scoreLineBreaks(lines("A range of", "612 km on one load")),
    );
  });

  it("finds the ends of sentences", () => {
    expect(bySentence("Weekend plans? Sorted.")).toBe("Weekend plans?\nSorted.");
    expect(bySentence("“Go.” She went.")).toBe("“Go.”\nShe went.");
    for (const one of ["Soft as the first warm day", "From 2.50 €", "Sorted.", ""])
      expect(bySentence(one)).toBeNull();
  });

  it("scores broken words and split phrases lower, and lowest if more words follow the second part", () => {
    const broken = (...texts: readonly string[]) =>
      lines(...texts).map((line, at) => ({ ...line, isBroken: at === 0 }));
    expect(scoreLineBreaks(broken("Unverwech\u2010", "selbares"))).toBeLessThan(1);
    expect(scoreLineBreaks(broken("いちばんや", "さしい朝"))).toBeLessThan(0.8);
    expect(scoreLineBreaks(broken("Unverwechsel\u2010", "bares Wildblumenöl"))).toBeLessThan(
      scoreLineBreaks(broken("Unverwech\u2010", "selbares")),
    );
  });

  it("decreases with every line beyond the third", () => {
    const wordy = lines("one two", "one two", "one two", "one two", "one two");
    const [four, five] = [scoreLineBreaks(wordy.slice(0, 4)), scoreLineBreaks(wordy)];
    expect(four).toBeLessThan(1);
    expect(five).toBeLessThan(four);
    expect(five).toBeGreaterThan(0);
  });
});

describe("the largest headline", () => {
  const { scale } = canvasOf(catalogueSize("meta-feed-1080x1080"), LOOKS.classic);
  const times = (headline: string | undefined) => headlineEnlargementOf(headline, scale);

  it("is larger for fewer characters, and has its usual size above forty characters", () => {
    expect(times(undefined)).toBe(1);
    expect(times("Fourteen quiet houses by the sea, open all year")).toBe(1);
    expect(times("Figs, finally ripe")).toBeGreaterThan(1);
    expect(times("Unbound")).toBeGreaterThan(times("Figs, finally ripe"));
    expect(times("Go.")).toBeGreaterThan(times("Unbound"));
  });

  it("counts a double-width character as two, and soft hyphens and marks not at all", () => {
    expect(times("清流のほとりで")).toBe(times("fourteenletter"));
    expect(times("four\u00ADteen")).toBe(times("fourteen"));
  });

  it("has a score that rises linearly up to the usual size, then more slowly", () => {
    expect(sizeShareOf(50, 100, 1)).toBe(0.5);
    expect(sizeShareOf(200, 100, 2)).toBe(1);
    expect(sizeShareOf(100, 100, 2)).toBeCloseTo(1 / 1.3);
  });
});

describe("the minimum type sizes of a canvas", () => {
  it("are at least 64, 44 and 30 px for headline, subheadline and disclaimer in a story 1080 px wide", () => {
    for (const sizeId of ["meta-story-1080x1920", "meta-reel-1080x1920"]) {
      const { scale } = canvasOf(catalogueSize(sizeId), LOOKS.classic);
      expect(scale.headlinePxMin).toBeGreaterThanOrEqual(64);
      expect(scale.headlinePxMax).toBeGreaterThanOrEqual(110);
      expect(scale.subheadlinePxMin).toBeGreaterThanOrEqual(44);
      expect(scale.disclaimerPx).toBeGreaterThanOrEqual(30);
    }
  });

  it("are 15 px for the headline at 728x90 and 10 px at 320x50", () => {
    expect(canvasOf(catalogueSize("iab-728x90"), LOOKS.classic).scale.headlinePxMin).toBe(15);
    expect(canvasOf(catalogueSize("iab-320x50"), LOOKS.classic).scale.headlinePxMin).toBe(10);
  });
});

describe("the minimum height of a logo", () => {
  it("is 16 px for a mark, and the height of small text for a one-line wordmark", () => {
    for (const aspect of [0.5, 1, 3, 6]) expect(logoHeightPxMin(aspect), String(aspect)).toBe(16);
    expect(logoHeightPxMin(8)).toBe(13);
    for (const aspect of [10, 14, 40]) expect(logoHeightPxMin(aspect), String(aspect)).toBe(10);
    expect(logoHeightPxMin(3, true), "a quarter smaller").toBe(12);
  });

  it("lets a wordmark fit a skyscraper, and keeps a mark recognisable", () => {
    expect(sizeLogo(12, 2_000, 132, 100)).toEqual({ width: 132, height: 11 });
    expect(sizeLogo(12, 900, 100, 100)).toBeNull();
    expect(sizeLogo(1, 900, 12, 100)).toBeNull();
  });
});

describe("two pictures in one region", () => {
  const meadow: PictureTraits = {
    aspect: 16 / 9,
    isCutOut: false,
    subjectBox: null,
    protectedAreas: [],
    textBackground: null,
  };
  const bottle: PictureTraits = {
    aspect: 1,
    isCutOut: false,
    subjectBox: { x: 0.33, y: 0.1, width: 0.34, height: 0.8 },
    protectedAreas: [],
    textBackground: null,
  };
  const cutOut: PictureTraits = {
    aspect: 0.4,
    isCutOut: true,
    subjectBox: null,
    protectedAreas: [],
    textBackground: null,
  };

  it("show the product of each picture whole", () => {
    for (const [width, height] of dimensions("600x300 500x500 400x600 640x200")) {
      const [, second] = splitRegion(meadow, bottle, { x: 0, y: 0, width, height }, 4);
      const aspect = second.width / second.height;
      expect(Math.min(1, aspect), `${width}x${height}`).toBeGreaterThanOrEqual(0.34);
      expect(Math.min(1, 1 / aspect), `${width}x${height}`).toBeGreaterThanOrEqual(0.8);
    }
  });

  it("are equal tiles if that cuts neither subject", () => {
    const square: PictureTraits = { ...meadow, aspect: 1 };
    const [first, second] = splitRegion(meadow, square, { x: 0, y: 0, width: 1006, height: 360 }, 6);
    expect([first.width, second.width]).toEqual([500, 500]);
  });

  it("fill the region except for the gap between them", () => {
    const region = { x: 10, y: 20, width: 301, height: 203 };
    const [first, second] = splitRegion(meadow, cutOut, region, 6);
    const isAcross = first.height === region.height;
    expect(isAcross ? first.width + second.width + 6 : first.height + second.height + 6).toBe(
      isAcross ? region.width : region.height,
    );
    expect(isAcross ? second.x - first.x - first.width : second.y - first.y - first.height).toBe(6);
  });
});
