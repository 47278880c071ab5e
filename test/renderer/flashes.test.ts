import sharp from "sharp";
import { expect, it } from "vitest";
import { LOOK_IDS } from "#catalogue/looks.ts";
import type { Sources } from "#renderer/index.ts";
import { mostFlashes } from "../support/count-flashes.ts";
import { catalogueSize, renderer, sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/** Guarantee: no look flashes more than three times in any second (WCAG 2.2, 2.3.1), also across plays. */

const SIZE_IDS = ["gads-200x200", "iab-320x50", "gads-120x600"];
/**
 * Edge of a sample in pixels of the ad: 0.1 degrees of the visual field, where 341 pixels are 10 degrees. The guideline
 * exempts flashes of finer patterns.
 */
const SAMPLE_PX = 3.4;
/** A photo of black, white and red bars, the largest change when moved. */
async function barredSources(): Promise<Sources> {
  const bars = new Uint8Array(600 * 600 * 3);
  bars.forEach((_, at) => {
    const bar = Math.floor(((at / 3) % 600) / 20) % 3;
    bars[at] = bar === 1 || (bar === 2 && at % 3 === 0) ? 255 : 0;
  });
  const png = await sharp(bars, { raw: { width: 600, height: 600, channels: 3 } })
    .png()
    .toBuffer();
  const media = { bytes: new Uint8Array(png), mimeType: "image/png" } as const;
  return unwrap(await renderer.load({ media, logo: sampleAsset("logo-light.svg") }, null));
}
const barred = barredSources();

const COPY = {
  headline: "Soft as the first warm day",
  subheadline: "Cold.",
  cta: "Find yours",
  badge: "New",
};

it.each(LOOK_IDS)("the look %s flashes at most three times a second", async (look) => {
  const pack = unwrap(await renderer.dress(await barred, { font: null, copy: COPY, brand: {}, look }));
  for (const size of SIZE_IDS.map(catalogueSize)) {
    const screen = { widthPx: size.width / SAMPLE_PX, protection: "none", markSeed: 0 } as const;
    const request = { size, motion: "animated", format: "html5", ...screen } as const;
    const { delaysMs, draw, close } = unwrap(await renderer.frames(pack, request));
    const frames = delaysMs.map((_, frame) => draw(frame).pixels.slice());
    close();
    const [stepMs = 0] = delaysMs;
    const durationMs = delaysMs.reduce((sum, delayMs) => sum + delayMs, 0);
    const play = frames.map((pixels, frame) => ({ pixels, ms: frame * stepMs }));
    const again = play.map(({ pixels, ms }) => ({ pixels, ms: durationMs + ms })).slice(0, 25);
    expect(mostFlashes([...play, ...again]), size.sizeId).toBeLessThanOrEqual(3);
  }
  pack.close();
});

const BLACK = [0, 0, 0, 255];
const WHITE = [255, 255, 255, 255];
const [LIGHT, RED, GREEN] = [
  [240, 240, 240, 255],
  [255, 0, 0, 255],
  [0, 127, 0, 255],
];

it.each([
  [
    "from black to white and back four times",
    [BLACK, WHITE, BLACK, WHITE, BLACK, WHITE, BLACK, WHITE, BLACK],
    4,
  ],
  ["from saturated red to a green as light", [RED, GREEN, RED, GREEN, RED], 2],
  ["from white to light grey", [WHITE, LIGHT, WHITE, LIGHT, WHITE], 0],
  ["one way in steps", [0, 60, 120, 180, 240].map((value) => [value, value, value, 255]), 0],
  [
    "in a fifth of the picture",
    [BLACK, WHITE, BLACK].map((one) => [one, BLACK, BLACK, BLACK, BLACK].flat()),
    0,
  ],
])("flashes are counted in a change %s", (_, frames, flashes) => {
  expect(mostFlashes(frames.map((pixels, at) => ({ pixels, ms: at * 100 })))).toBe(flashes);
});
