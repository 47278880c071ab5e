import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inkOn, inkOnButton, TEXT_CONTRAST_MIN } from "#renderer/colour/contrast.ts";
import { dominantColours, vividest } from "#renderer/colour/dominant-colours.ts";
import { fromOklab, toOklab } from "#renderer/colour/oklab.ts";
import { contrast, parseHex } from "#renderer/colour/srgb.ts";
import { chooseTheme } from "#renderer/colour/theme.ts";
import { LOOKS } from "#renderer/look/index.ts";
import { fillBox } from "#renderer/raster/blend.ts";
import { filledCanvas } from "#renderer/raster/canvas.ts";

const SEED = 20_261_121;
const byte = fc.integer({ min: 0, max: 255 });
const colour = fc.record({ r: byte, g: byte, b: byte });
const hex = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

describe("colour", () => {
  it("agrees with published contrast ratios", () => {
    expect(contrast(parseHex("#000000"), parseHex("#ffffff"))).toBeCloseTo(21, 5);
    expect(contrast(parseHex("#777777"), parseHex("#ffffff"))).toBeCloseTo(4.48, 2);
    expect(contrast(parseHex("#0000ff"), parseHex("#ffffff"))).toBeCloseTo(8.59, 2);
  });

  it(`comes back from OKLab as it went in (seed ${SEED})`, () => {
    fc.assert(
      fc.property(colour, (rgb) => {
        expect(fromOklab(toOklab(rgb))).toEqual(rgb);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it(`finds ink of at least 4.5:1 for any surface and any button (seed ${SEED})`, () => {
    fc.assert(
      fc.property(colour, (surface) => {
        expect(contrast(inkOn(surface), surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        expect(contrast(inkOnButton(surface), surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it(`keeps a brand's colours where they read and reports where they cannot (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.tuple(maybe(hex), maybe(hex), maybe(hex), maybe(hex)), (colours) => {
        const [primaryColor, backgroundColor, textColor, accentColor] = colours;
        const theme = chooseTheme({
          family: "campaign",
          brand: { primaryColor, backgroundColor, textColor, accentColor },
          look: LOOKS.classic,
          hero: [],
          logo: [],
          logoVisibility: () => 1,
        });
        expect(contrast(theme.ink, theme.surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        expect(contrast(theme.quietInk, theme.surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        expect(contrast(theme.buttonInk, theme.button)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        expect(contrast(theme.accent, theme.surface)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        expect(contrast(theme.accentInk, theme.accentFill)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
        if (backgroundColor !== undefined) expect(theme.surface).toEqual(parseHex(backgroundColor));
        const isChanged = (element: string) => theme.adjustments.some((note) => note.element === element);
        if (textColor !== undefined && !isChanged("headline")) expect(theme.ink).toEqual(parseHex(textColor));
        if (primaryColor !== undefined && backgroundColor !== undefined && !isChanged("cta")) {
          expect(theme.button).toEqual(parseHex(primaryColor));
        }
      }),
      { seed: SEED, numRuns: 400 },
    );
  });

  it("reads a picture's colours and their shares, and picks the vivid one as accent", () => {
    const picture = filledCanvas(100, 100, { r: 236, g: 232, b: 224 });
    fillBox(picture, { x: 0, y: 0, width: 100, height: 20 }, { r: 214, g: 40, b: 57 });
    fillBox(picture, { x: 0, y: 20, width: 100, height: 10 }, { r: 30, g: 32, b: 40 });
    const palette = dominantColours(picture);
    expect(palette.map(({ share }) => Math.round(share * 100))).toEqual([70, 20, 10]);
    expect(vividest(palette, 0.02)?.colour).toEqual({ r: 214, g: 40, b: 57 });
  });
});
