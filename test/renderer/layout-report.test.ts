import { describe, expect, it } from "vitest";
import { atScale } from "#catalogue/scales.ts";
import { reportOf } from "#renderer/compose/layout-report.ts";
import { composeScene, releaseScene } from "#renderer/compose/scene.ts";
import type { Box } from "#renderer/types.ts";
import { catalogueSize } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";
import { composed, FAMILY_ASSETS, prepared } from "./pack-fixtures.ts";

const COPY = {
  headline: "Light enough to carry",
  cta: "Shop now",
  price: "24 €",
  oldPrice: "32 €",
  badge: "New",
};

const doubled = ({ x, y, width, height }: Box): Box => ({
  x: x * 2,
  y: y * 2,
  width: width * 2,
  height: height * 2,
});

describe("a 2x file", () => {
  it.each(["classic", "premium", "retail"] as const)("shows the same design in the look %s", async (look) => {
    for (const assets of [FAMILY_ASSETS.campaign, FAMILY_ASSETS.product, FAMILY_ASSETS.brand]) {
      const pack = await prepared({ assets, look, copy: COPY });
      for (const sizeId of ["iab-300x250", "iab-728x90", "iab-160x600"]) {
        const size = catalogueSize(sizeId);
        const { report: single } = composed(pack, size);
        const { canvas, report: double } = composed(pack, atScale(size, 2));
        expect([canvas.width, double.scale]).toEqual([size.width * 2, 2]);
        const asDouble = single.elements.map(({ role, box }) => ({ role, box: doubled(box) }));
        expect(double.elements.map(({ role, box }) => ({ role, box }))).toEqual(asDouble);
        expect(double.crops.map(({ shown }) => shown)).toEqual(single.crops.map(({ shown }) => shown));
      }
      pack.close();
    }
  });
});

describe("a card", () => {
  /** The report of a scene with a text card. */
  const cardsIn = async (family: "campaign" | "brand"): Promise<readonly Box[]> => {
    const pack = await prepared({ assets: FAMILY_ASSETS[family] });
    const scene = unwrap(composeScene(pack, { size: catalogueSize("meta-feed-1080x1080") }));
    const { arrangement } = scene;
    const design = { ...arrangement.design, textCard: { box: CARD, cornerRadiusPx: 20 } };
    const report = reportOf(pack, { ...scene, arrangement: { ...arrangement, design } }, false);
    releaseScene(scene);
    pack.close();
    return report.elements.flatMap(({ role, box }) => (role === "card" ? [box] : []));
  };
  const CARD: Box = { x: 0, y: 0, width: 1_080, height: 1_080 };

  it("on a photo is a separate element", async () => {
    expect(await cardsIn("campaign")).toEqual([CARD]);
  });

  it("on the plain surface is not an element", async () => {
    expect(await cardsIn("brand")).toEqual([]);
  });
});
