import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOK_IDS } from "#catalogue/looks.ts";
import { OUTLINE_CONTRAST_MIN, TEXT_CONTRAST_MIN } from "#renderer/colour/contrast.ts";
import { contrast, parseHex } from "#renderer/colour/srgb.ts";
import { chooseTheme } from "#renderer/colour/theme.ts";
import { LOGO_CONTRAST_MIN } from "#renderer/compose/logo-treatment.ts";
import { LOOKS } from "#renderer/look/index.ts";
import type { Brand } from "#renderer/types.ts";
import { seededRandom } from "../support/pictures.ts";
import { prepared } from "./pack-fixtures.ts";

/**
 * Guarantee: in every look all words can be read and the button is seen, and a colour that the brand names is used exactly
 * or its change is reported. A logo stands out from its pack's background, or has a plate.
 */

const SEED = 20_261_122;
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

describe("the colours of a look", () => {
  it(`can be read, and are the brand's or reported (seed ${SEED})`, () => {
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
        const isReported = (element: string) => theme.adjustments.some((note) => note.element === element);
        const isUsed = (colour: string | undefined, used: object, element: string) => {
          if (colour !== undefined && !isReported(element)) expect(used).toEqual(parseHex(colour));
        };
        isUsed(brand.backgroundColor, surface, "background");
        isUsed(brand.textColor, theme.ink, "headline");
        isUsed(brand.buttonColor, button, "cta");
        isUsed(brand.buttonTextColor, buttonInk, "cta");
        const isSurface =
          brand.accentColor !== undefined && contrast(parseHex(brand.accentColor), surface) === 1;
        if (!isSurface) isUsed(brand.accentColor, accent, "price");
      }),
      { seed: SEED, numRuns: 1_500 },
    );
  });

  it(`let a logo be seen: in its colours, in white or in black (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    const randomHex = () =>
      `#${Math.floor(random() * 0x1000000)
        .toString(16)
        .padStart(6, "0")}`;
    for (let at = 0; at < 40; at += 1) {
      const [ink, backgroundColor] = [randomHex(), randomHex()];
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 40"><path fill="${ink}" d="M2 2h20v36H2zM30 2h20v36H30zM58 2h30v36H58z"/></svg>`;
      const logo = { bytes: new TextEncoder().encode(svg), mimeType: "image/svg+xml" } as const;
      const pack = await prepared({ assets: { logo }, brand: { backgroundColor } });
      const surface = parseHex(backgroundColor);
      const seen =
        pack.logo?.outline.filter((one) => contrast(one, surface) >= LOGO_CONTRAST_MIN).length ?? 0;
      expect(seen / (pack.logo?.outline.length ?? 1), `${ink} on ${backgroundColor}`).toBeGreaterThanOrEqual(
        0.8,
      );
      const isRecoloured = pack.adjustments.some(({ code }) => code === "logo_recoloured");
      expect(isRecoloured, `${ink} on ${backgroundColor}`).toBe(pack.logo?.knockout !== null);
      pack.close();
    }
  });
});
