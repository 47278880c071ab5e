import { describe, expect, it } from "vitest";
import { isOverlapping } from "#renderer/layout/design/boxes.ts";
import type { Copy } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { sampleAsset } from "../support/renderer.ts";
import { boxesAt, prepared, sizeOf } from "./pack-fixtures.ts";

const OFFER: Copy = {
  headline: "Everything you need for the first warm days of a long northern spring",
  subheadline: "Layers that keep their shape, season after season.",
  cta: "Shop now",
  disclaimer: "While stocks last. Delivery free from € 39. See shop for terms.",
  price: "€ 49",
  oldPrice: "€ 82",
  badge: "Only this week",
};

describe("a badge", () => {
  it("is on a product's photo, or above the headline if the product leaves no room", async () => {
    const pack = await prepared({
      assets: { product: sampleAsset("bottle-photo.jpg"), logo: sampleAsset("logo.svg") },
    });
    for (const [width, height] of dimensions("970x250 930x180 300x250 1080x1350")) {
      const place = boxesAt(pack, OFFER, sizeOf(width, height));
      const [badge, headline] = [place("badge"), place("headline")];
      const isOver = badge.y + badge.height <= headline.y;
      expect(isOverlapping(badge, place("hero")) || isOver, `${width}x${height}`).toBe(true);
    }
  });

  it("is not directly under the button, where it would look like a line of text", async () => {
    const pack = await prepared({
      assets: { device: sampleAsset("phone.png"), logo: sampleAsset("logo.svg") },
      look: "premium",
    });
    const { subheadline, cta } = OFFER;
    const copy = { headline: "Made for the long way home", subheadline, cta, badge: "New in" };
    for (const [width, height] of dimensions("336x280 640x640 300x250")) {
      const place = boxesAt(pack, copy, sizeOf(width, height));
      const [badge, button] = [place("badge"), place("cta")];
      const isUnder = badge.y >= button.y + button.height;
      const isBeside = badge.x >= button.x + button.width || button.x >= badge.x + badge.width;
      expect(isUnder && !isBeside, `${width}x${height}`).toBe(false);
    }
  });

  it("shrinks a strip's headline by less than a third", async () => {
    const pack = await prepared({ assets: { logo: sampleAsset("logo.svg") } });
    const { subheadline, cta } = OFFER;
    const plain = { headline: "Made for the long way home", subheadline, cta };
    for (const [width, height] of dimensions("980x55 970x90 728x90")) {
      const alone = boxesAt(pack, plain, sizeOf(width, height))("headline");
      const badged = boxesAt(pack, { ...plain, badge: "New in" }, sizeOf(width, height))("headline");
      expect(badged.height, `${width}x${height}`).toBeGreaterThan(alone.height * 0.7);
    }
  });
});
