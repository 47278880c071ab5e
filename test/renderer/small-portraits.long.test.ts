import { beforeAll, describe, expect, it } from "vitest";
import type { LookId } from "#catalogue/looks.ts";
import type { Size } from "#catalogue/types.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import type { Copy, LayoutReport } from "#renderer/index.ts";
import { assetOf, pictureNamed } from "../faces/marked-pictures.ts";
import { dimensions } from "../support/dimensions.ts";
import { catalogueSize, sampleAsset } from "../support/renderer.ts";
import { boxIn, elementOf, prepared, reportAt, sizeOf } from "./pack-fixtures.ts";

/**
 * Guarantee: a portrait leaves no gap on a small or slim canvas. Beside a text column it has the column's height or is
 * centred in it; otherwise it is above the text. In a slim column it is tall enough to show the head.
 */

const COPY: Copy = {
  headline: "Made for the long way home",
  subheadline: "Layers that keep their shape, season after season.",
  cta: "Shop now",
};
const LOOKS: readonly LookId[] = ["classic", "bold", "editorial", "retail", "premium"];

const packs = new Map<LookId, PreparedPack>();
beforeAll(async () => {
  const media = assetOf(pictureNamed("faces/christian.jpg"));
  for (const look of LOOKS)
    packs.set(
      look,
      await prepared({
        assets: { media, logo: sampleAsset("logo.svg") },
        brand: { primaryColor: "#1f6b4a" },
        look,
      }),
    );
}, 60_000);

function layoutOf(look: LookId, size: Size): LayoutReport {
  const pack = packs.get(look);
  if (pack === undefined) throw new Error("no such pack was prepared");
  return reportAt(pack, size, COPY);
}

describe.each(LOOKS)("a portrait in the look %s", (look) => {
  it("has the height of its text column, is centred in it, or is above the text", () => {
    for (const [width, height] of dimensions("300x250 336x280 250x250")) {
      const layout = layoutOf(look, sizeOf(width, height));
      const [photo, headline] = [boxIn(layout, "hero"), boxIn(layout, "headline")];
      const what = `${width}x${height} ${JSON.stringify({ photo, headline })}`;
      // Looks that frame their photos keep margins above and below the photo.
      const isBeside = photo.height > height * 0.82;
      const isInMiddle =
        photo.height > height * 0.5 && Math.abs(photo.y + photo.height / 2 - height / 2) <= 1;
      const isOver = headline.y >= photo.y + photo.height && photo.height > height * 0.28;
      expect(isBeside || isInMiddle || isOver, what).toBe(true);
    }
  });

  it("leaves no large gap in a slim column", () => {
    // The gaps between texts are even. In a slimmer column the head is smaller, so more height is left over.
    for (const [width, height, gapMax] of [
      [160, 600, 0.2],
      [120, 600, 0.23],
    ] as const) {
      const layout = layoutOf(look, sizeOf(width, height));
      const roles = ["hero", "headline", "subheadline", "cta", "logo"] as const;
      const places = roles.map((role) => boxIn(layout, role)).sort((one, other) => one.y - other.y);
      let end = 0;
      for (const place of places) {
        expect(place.y - end, `${width}x${height} ${JSON.stringify(places)}`).toBeLessThan(height * gapMax);
        end = Math.max(end, place.y + place.height);
      }
      expect(height - end, `${width}x${height}`).toBeLessThan(height * 0.055);
    }
  });

  it("leaves room for a large headline on a page's cover", () => {
    const size = catalogueSize("youtube-banner-2560x1440");
    const safe = size.height - (size.safeArea?.top ?? 0) - (size.safeArea?.bottom ?? 0);
    expect(elementOf(layoutOf(look, size), "headline")?.fontSizePx).toBeGreaterThanOrEqual(safe * 0.16);
  });
});
