import fc from "fast-check";
import { expect, it } from "vitest";
import { LOOK_IDS } from "#catalogue/looks.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { renderer, sampleAsset, withPack } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: the check of a text before any picture is opened agrees with the render. A headline that passes is drawn
 * in every look and size, with any other text. If a headline fails, its longest fitting beginning passes.
 */

const SEED = Number(process.env.LAYOUT_SEED ?? 20_261_122);
/** A twentieth of the layout cases, because each of these cases also decodes pictures and draws. */
const CASES = Math.ceil(Number(process.env.LAYOUT_CASES ?? 240) / 20);

const WORDS = "Light enough Donaudampfschifffahrtsgesellschaftskapitän to всегда 夏の海辺 صيف W".split(" ");
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((chosen) => chosen.join(" ").slice(0, 90).trim());
const maybe = (text: fc.Arbitrary<string>) => fc.option(text, { nil: undefined });

const copies = fc.record({
  headline: maybe(words),
  subheadline: maybe(words),
  cta: maybe(fc.constantFrom("Shop now", "Jetzt bestellen")),
  price: maybe(fc.constantFrom("899 €", "from 1.299,00 € a month")),
  badge: maybe(fc.constantFrom("−25 %", "New")),
  language: maybe(fc.constantFrom("de", "ja", "ar")),
});

const ASSETS = [{ logo: sampleAsset("logo.svg") }, { product: sampleAsset("bottle.png") }] as const;

it(`a text that passes is drawn, and a text that fails is not (seed ${SEED})`, {
  timeout: 60_000 + CASES * 3_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      copies,
      fc.constantFrom(...SIZES.filter(({ width, height }) => width * height < 400_000)),
      fc.constantFrom(...LOOK_IDS),
      fc.constantFrom(...ASSETS),
      async (copy, size, look, assets) => {
        const fit = unwrap(await renderer.fitWords({ font: null, look, outputs: [{ size, copy }] }));
        const rendered = await withPack({ assets, font: null, copy, brand: {}, look }, (pack) =>
          renderer.render(pack, { size, motion: "static", format: "png" }),
        );
        const outcome = rendered.ok ? "drawn" : rendered.code;
        const expected = fit.length === 0 ? ["drawn", "BYTE_CAP_UNREACHABLE"] : ["HEADLINE_DOES_NOT_FIT"];
        expect(expected, JSON.stringify({ copy, size: size.sizeId, look })).toContain(outcome);
        const [misfit] = fit;
        if (misfit === undefined) return;
        expect(copy.headline?.startsWith(misfit.longest)).toBe(true);
        const shortened = { size, copy: { ...copy, headline: misfit.longest } };
        expect(await renderer.fitWords({ font: null, look, outputs: [shortened] })).toEqual({
          ok: true,
          value: [],
        });
      },
    ),
    { seed: SEED, numRuns: CASES },
  );
});

it("answers for each output separately and in order, whatever else is requested", async () => {
  const outputs = SIZES.flatMap((size) => [
    { size, copy: { headline: "Light enough to carry" } },
    { size, copy: { headline: "W".repeat(90) } },
    { size, copy: { cta: "Shop now" } },
  ]);
  const together = await renderer.fitWords({ font: null, look: "retail", outputs });
  if (!together.ok) throw new Error(together.message);
  const ofLong = await renderer.fitWords({
    font: null,
    look: "retail",
    outputs: outputs.filter(({ copy: { headline = "" } }) => headline.startsWith("W")),
  });
  expect(ofLong).toEqual(together);
  expect(together.value.length).toBeGreaterThan(0);
});
