import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { SIZES } from "#catalogue/sizes.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import { composeScene, releaseScene } from "#renderer/compose/scene.ts";
import { canvasOf, headlineFits, Typesetter } from "#renderer/layout/index.ts";
import { FAMILY_ASSETS, prepared, sizeOf } from "./pack-fixtures.ts";

const SEED = Number(process.env.LAYOUT_SEED ?? 20_261_122);
const CASES = Number(process.env.LAYOUT_CASES ?? 40);
const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmütze";

/** Headlines from too short to too long for most canvases. */
const headlines = fc
  .array(fc.constantFrom("light", "enough", LONG, "to", "carry", "the", "whole", "Überraschung", "всегда"), {
    minLength: 1,
    maxLength: 40,
  })
  .map((words) => words.join(" ").slice(0, 200).trim());
const edge = fc.oneof(fc.integer({ min: 16, max: 120 }), fc.integer({ min: 60, max: 500 }));

describe("whether a headline fits is known without a picture", () => {
  const packs: PreparedPack[] = [];
  beforeAll(async () => {
    for (const assets of Object.values(FAMILY_ASSETS)) packs.push(await prepared({ assets }));
  });
  const fontsOf = (pack: PreparedPack) => {
    pack.fonts.grantOutput();
    return new Typesetter(pack.fonts, pack.look, undefined);
  };

  it(`a headline that passes is drawn in any pack; a headline that fails is not (seed ${SEED})`, () => {
    const rest = fc.record({
      subheadline: fc.option(headlines, { nil: undefined }),
      cta: fc.option(fc.constantFrom("Shop now", LONG), { nil: undefined }),
      disclaimer: fc.option(headlines, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.nat(), edge, edge, headlines, rest, (which, width, height, headline, others) => {
        const pack = packs[which % packs.length];
        if (pack === undefined) return;
        const size = sizeOf(width, height);
        const fit = headlineFits(canvasOf(size, pack.look), fontsOf(pack), headline);
        const scene = composeScene({ ...pack, copy: { headline, ...others } }, { size });
        expect(scene.ok, JSON.stringify({ family: pack.family, width, height, headline, others })).toBe(
          fit.fits,
        );
        if (scene.ok) releaseScene(scene.value);
      }),
      { seed: SEED, numRuns: CASES },
    );
  });

  it("names the longest beginning that fits, cut between words", () => {
    const [pack] = packs;
    if (pack === undefined) throw new Error("no pack was prepared");
    const size = sizeOf(90, 60);
    const headline =
      "Light enough to carry the whole summer and all of the autumn up the hill and down again";
    const fit = headlineFits(canvasOf(size, pack.look), fontsOf(pack), headline);
    if (fit.fits) throw new Error("it should be too long");
    expect(headline.startsWith(`${fit.longest} `)).toBe(true);
    expect(headlineFits(canvasOf(size, pack.look), fontsOf(pack), fit.longest)).toEqual({ fits: true });
    const next = headline.slice(
      0,
      fit.longest.length + 1 + headline.slice(fit.longest.length + 1).indexOf(" "),
    );
    expect(headlineFits(canvasOf(size, pack.look), fontsOf(pack), next).fits).toBe(false);
    const word = headlineFits(canvasOf(sizeOf(160, 600), pack.look), fontsOf(pack), LONG);
    if (word.fits) throw new Error("the word should be too long");
    expect(LONG.startsWith(word.longest)).toBe(true);
    expect(word.longest.length).toBeGreaterThan(6);
  });

  it("accepts a headline of ninety characters in every size of the catalogue", () => {
    const [pack] = packs;
    if (pack === undefined) throw new Error("no pack was prepared");
    const headline =
      "Everything you need for a long, slow and sunny weekend by the sea, now in one small bag";
    for (const size of SIZES) {
      expect(headlineFits(canvasOf(size, pack.look), fontsOf(pack), headline), size.sizeId).toEqual({
        fits: true,
      });
    }
  });
});
