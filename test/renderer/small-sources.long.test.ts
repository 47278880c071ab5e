import { describe, expect, it } from "vitest";
import type { AssetBytes } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { catalogueSize } from "../support/renderer.ts";
import { solidPng } from "../support/sharp-reference.ts";
import { composed, FAMILY_ASSETS, prepared } from "./pack-fixtures.ts";

describe("a source smaller than its area on the canvas", () => {
  it.each(dimensions("1x1 24x40 700x1"))(
    "is drawn enlarged, with a note: a secondary picture of %i x %i",
    async (width, height) => {
      const assets = { ...FAMILY_ASSETS.duo, secondaryMedia: await solidPng(width, height, "#a03020") };
      const pack = await prepared({ assets });
      for (const sizeId of ["gads-300x250", "meta-story-1080x1920", "iab-728x90", "x-800x418"]) {
        const { report } = composed(pack, catalogueSize(sizeId));
        const isShown = report.crops.some(({ slot }) => slot === "secondaryMedia");
        const notes = report.adjustments.filter(
          ({ code, element }) => code === "upscaled" && element === "secondary_hero",
        );
        expect(notes.length, sizeId).toBe(isShown ? 1 : 0);
        if (isShown) expect(notes[0]?.message).toMatch(/secondaryMedia .*\d+(\.\d)? times/);
      }
    },
  );

  it("also has a note as a background; larger sources have none", async () => {
    const small = await prepared({
      assets: { ...FAMILY_ASSETS.product, background: await solidPng(512, 512, "#204060") },
    });
    const codes = composed(small, catalogueSize("meta-story-1080x1920")).report.adjustments;
    expect(codes).toContainEqual(expect.objectContaining({ code: "upscaled", element: "background" }));
    for (const assets of [FAMILY_ASSETS.campaign, FAMILY_ASSETS.duo, FAMILY_ASSETS.scenery]) {
      const { adjustments } = composed(await prepared({ assets }), catalogueSize("gads-300x250")).report;
      expect(adjustments.filter(({ code }) => code === "upscaled")).toEqual([]);
    }
  });

  it("is noted for a bitmap logo too, but never for an SVG logo", async () => {
    const upscaledIn = async (logo: AssetBytes, sizeId: string) => {
      const pack = await prepared({ assets: { ...FAMILY_ASSETS.product, logo } });
      const { adjustments } = composed(pack, catalogueSize(sizeId)).report;
      pack.close();
      return adjustments.filter(({ code }) => code === "upscaled").map(({ element }) => element);
    };
    const small = await solidPng(96, 96, "#a03020");
    expect(await upscaledIn(small, "meta-story-1080x1920")).toEqual(["logo"]);
    expect(await upscaledIn(small, "iab-300x250")).toEqual([]);
    expect(await upscaledIn(FAMILY_ASSETS.product.logo, "meta-story-1080x1920")).toEqual([]);
  });
});
