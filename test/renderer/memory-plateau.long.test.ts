import { afterAll, expect, it } from "vitest";
import { createRenderer, type OutputRequest, type PackInputs } from "#renderer/index.ts";
import { watchLivingMemory } from "../support/living-memory.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";
import { catalogueSize, inputsOf, readSample, sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: an isolate that has made every kind of pack uses no more memory after further packs. Counts reachable
 * buffers and WASM memories.
 */

const modules = await loadCodecModules();
const fonts = await loadBundledFonts();
const living = watchLivingMemory();
afterAll(living.end);

const COPY = { headline: "Two wheels, no excuses", cta: "Ride one today" };
const size = catalogueSize("iab-320x50");
const STILLS: readonly OutputRequest[] = [
  { size, motion: "static", format: "jpg" },
  { size, motion: "static", format: "png" },
  { size, motion: "static", format: "webp" },
];
const ANIMATION: OutputRequest = { size, motion: "animated", format: "gif" };

async function mixOf(): Promise<readonly PackInputs[]> {
  const logo = sampleAsset("logo.svg");
  const font = readSample("fonts/tajawal-bold.ttf");
  return [
    inputsOf({ assets: { media: sampleAsset("dandelion-turned.jpg"), logo }, copy: COPY }),
    inputsOf({ assets: { person: sampleAsset("figure.png") }, copy: COPY, font }),
    inputsOf({ assets: { product: sampleAsset("bottle.png"), logo }, copy: COPY }),
    inputsOf({ assets: { logo }, copy: { headline: COPY.headline }, font }),
    // `font` is not a font: the pack fails, and must not retain memory either.
    inputsOf({ assets: { logo }, copy: COPY, font: logo.bytes }),
  ];
}

it("twice as many packs retain no more memory", { timeout: 60_000 }, async () => {
  const renderer = createRenderer(modules, fonts, fontLibrary);
  const mix = await mixOf();
  const makeEach = async (): Promise<void> => {
    for (const inputs of mix) {
      const pack = await renderer.prepare(inputs);
      if (!pack.ok) continue;
      // Animations take most of the time, so only one kind of pack is animated.
      for (const output of inputs.copy === COPY ? STILLS : [ANIMATION]) {
        unwrap(await renderer.render(pack.value, output));
      }
      await renderer.preview(pack.value, {
        size,
        format: "png",
        motion: "static",
        protection: "watermarked-lowres",
        markSeed: 1,
      });
      pack.value.close();
    }
  };
  await makeEach();
  const after = await living.count();
  await makeEach();
  expect(await living.count()).toEqual(after);
  expect(after.memories).toBeGreaterThan(0);
});
