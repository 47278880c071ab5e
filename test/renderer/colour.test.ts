import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOK_IDS } from "#catalogue/looks.ts";
import { inkOn, inkOnButton, OUTLINE_CONTRAST_MIN, TEXT_CONTRAST_MIN } from "#renderer/colour/contrast.ts";
import { dominantColours, vividest } from "#renderer/colour/dominant-colours.ts";
import { fromOklab, toOklab } from "#renderer/colour/oklab.ts";
import { contrast, parseHex } from "#renderer/colour/srgb.ts";
import { chooseTheme } from "#renderer/colour/theme.ts";
import { LOOKS } from "#renderer/look/index.ts";
import { fillBox } from "#renderer/raster/blend.ts";
import { filledCanvas } from "#renderer/raster/canvas.ts";
import type { Brand } from "#renderer/types.ts";

const SEED = 20_261_121;
const byte = fc.integer({ min: 0, max: 255 });
const colour = fc.record({ r: byte, g: byte, b: byte });
const hex = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`);
const maybe = fc.option(hex, { nil: undefined });
const brands: fc.Arbitrary<Brand> = fc.record({
  primaryColor: maybe,
  backgroundColor: maybe,
  textColor: maybe,
  accentColor: maybe,
  buttonColor: maybe,
  buttonTextColor: maybe,
});

describe("colour", () => {
  it("matches published contrast ratios", () => {
    expect(contrast(parseHex("#000000"), parseHex("#ffffff"))).toBeCloseTo(21, 5);
    expect(contrast(parseHex("#777777"), parseHex("#ffffff"))).toBeCloseTo(4.48, 2);
    expect(contrast(parseHex("#0000ff"), parseHex("#ffffff"))).toBeCloseTo(8.59, 2);
  });

  it(`survives the round trip through OKLab (seed ${SEED})`, () => {
    fc.assert(
      fc.property(colour, (rgb) => {
        expect(fromOklab(toOklab(rgb))).toEqual(rgb);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it(`finds ink with a contrast of at least 4.5:1 on any surface and any button (seed ${SEED})`, () => {
    fc.assert(
      fc.property(colour, (surface) => {
        expect(contrast(inkOn(surface), surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        expect(contrast(inkOnButton(surface), surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it(`of a look is legible, and is the brand's own unless the change is reported (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.constantFrom(...LOOK_IDS), brands, (look, brand) => {
        const sources = { family: "campaign", look: LOOKS[look], brand, hero: [], logo: [] } as const;
        const theme = chooseTheme({ ...sources, logoVisibility: () => 1 });
        const { surface, button, buttonInk, accent, accentFill, accentInk } = theme;
        for (const type of [theme.ink, theme.quietInk, accent]) {
          expect(contrast(type, surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        }
        const behind = theme.isButtonFilled ? button : surface;
        expect(contrast(buttonInk, behind)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        expect(contrast(button, surface)).toBeGreaterThanOrEqual(OUTLINE_CONTRAST_MIN);
        expect(contrast(accentInk, accentFill)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        const isReported = (element: string) =>
          theme.adjustments.some((note) => note.code === "colour_changed" && note.element === element);
        const isUsed = (colour: string | undefined, used: object, element: string) => {
          if (colour !== undefined && !isReported(element)) expect(used).toEqual(parseHex(colour));
        };
        isUsed(brand.backgroundColor, surface, "background");
        isUsed(brand.textColor, theme.ink, "headline");
        isUsed(brand.buttonColor, button, "cta");
        if (look === "classic" && brand.backgroundColor !== undefined && brand.buttonColor === undefined) {
          isUsed(brand.primaryColor, button, "cta");
        }
        isUsed(brand.buttonTextColor, buttonInk, "cta");
        const isSurface =
          brand.accentColor !== undefined && contrast(parseHex(brand.accentColor), surface) === 1;
        if (!isSurface) isUsed(brand.accentColor, accent, "price");
      }),
      { seed: SEED, numRuns: 600 },
    );
  });

  it("palettes of pictures have each colour's fraction, and the most vivid colour is the accent", () => {
    const picture = filledCanvas(100, 100, { r: 236, g: 232, b: 224 });
    fillBox(picture, { x: 0, y: 0, width: 100, height: 20 }, { r: 214, g: 40, b: 57 });
    fillBox(picture, { x: 0, y: 20, width: 100, height: 10 }, { r: 30, g: 32, b: 40 });
    const palette = dominantColours(picture);
    expect(palette.map(({ share }) => Math.round(share * 100))).toEqual([70, 20, 10]);
    expect(vividest(palette, 0.02)?.colour).toEqual({ r: 214, g: 40, b: 57 });
  });
});
