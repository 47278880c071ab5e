import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Box, Copy } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { catalogueSize, sampleAsset } from "../support/renderer.ts";
import { boxesAt, prepared, sizeOf } from "./pack-fixtures.ts";

/**
 * Guarantee: upright canvases are filled. There is no small product in empty space, and no lone text block in the
 * middle.
 */

const COPY: Copy = {
  headline: "Made for the long way home",
  subheadline: "Layers that keep their shape, season after season.",
  cta: "Shop now",
};
const OFFER: Copy = { ...COPY, price: "€ 49", oldPrice: "€ 82" };
const logo = sampleAsset("logo.svg");

const middleOf = ({ x, width }: Box): number => x + width / 2;

describe("a slim product with a price", () => {
  it("is below its offer, and at least as wide as a fifth of the canvas", async () => {
    const pack = await prepared({ assets: { product: sampleAsset("bottle.png"), logo } });
    for (const [width, height] of dimensions("240x400 1000x1500 1080x1920")) {
      const place = boxesAt(pack, OFFER, sizeOf(width, height));
      const hero = place("hero");
      expect(hero.width / width, `${width}x${height}`).toBeGreaterThan(0.2);
      for (const role of ["price", "cta"] as const)
        expect(place(role).y, `${width}x${height}`).toBeLessThan(hero.y);
    }
  });
});

describe("a wide product in a slim column", () => {
  it("is close to its text and its button", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="700" height="300"><ellipse cx="350" cy="150" rx="340" ry="140" fill="#c8452c"/></svg>';
    const bytes = Uint8Array.from(await sharp(Buffer.from(svg)).png().toBuffer());
    const pack = await prepared({ assets: { product: { bytes, mimeType: "image/png" } } });
    const place = boxesAt(pack, { headline: COPY.headline, cta: COPY.cta }, sizeOf(160, 600));
    const [headline, hero, cta] = [place("headline"), place("hero"), place("cta")];
    expect((hero.y - headline.y - headline.height) / 600, "over it").toBeLessThan(0.18);
    expect((cta.y - hero.y - hero.height) / 600, "under it").toBeLessThan(0.18);
  });
});

describe("a brand without a picture", () => {
  it("has its button at the bottom of a slim column", async () => {
    const pack = await prepared({ assets: { logo } });
    for (const [width, height] of dimensions("120x600 160x600 300x1050")) {
      const place = boxesAt(pack, COPY, sizeOf(width, height));
      expect(place("cta").y, `${width}x${height}`).toBeGreaterThan(height * 0.8);
    }
  });
});

describe("a safe area that is wider on one side", () => {
  it("keeps centred elements in the middle of the canvas", async () => {
    const size = catalogueSize("tiktok-720x1280");
    const brand = boxesAt(await prepared({ assets: { logo }, look: "premium" }), COPY, size);
    const person = boxesAt(await prepared({ assets: { person: sampleAsset("figure.png") } }), COPY, size);
    expect(Math.abs(middleOf(brand("headline")) - size.width / 2)).toBeLessThanOrEqual(2);
    expect(Math.abs(middleOf(person("hero")) - size.width / 2)).toBeLessThanOrEqual(2);
  });
});
