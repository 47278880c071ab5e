import { describe, expect, it } from "vitest";
import { LOOK_IDS, VARIANTS } from "#catalogue/looks.ts";
import { contrast } from "#renderer/colour/srgb.ts";
import { reportOf } from "#renderer/compose/layout-report.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import { composeScene, type Scene } from "#renderer/compose/scene.ts";
import { isOverlapping } from "#renderer/layout/design/boxes.ts";
import type { CompositionRequest, Copy } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { sampleAsset, svgAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";
import { composed, prepared, sizeOf } from "./pack-fixtures.ts";

const SIZES = dimensions("320x50 728x90 970x250 300x157 300x250 320x400 160x600 270x480");
const WORDS: Copy = { headline: "Made for the long way home", cta: "Shop now" };
const OFFER: Copy = { ...WORDS, price: "€ 49", oldPrice: "€ 82", badge: "−40 %" };
const LOGO = sampleAsset("logo.svg");
const GIVEN = { primaryColor: "#f2b233", backgroundColor: "#123526" };

function sceneOf(pack: PreparedPack, request: CompositionRequest): Scene {
  return unwrap(composeScene(pack, request));
}

describe("a pack with only a logo and text", () => {
  it.each(LOOK_IDS)("has legible text, and no text but the price on its coloured field: %s", async (look) => {
    const brand = LOOK_IDS.indexOf(look) % 2 === 0 ? {} : GIVEN;
    const pack = await prepared({ assets: { logo: LOGO }, look, brand });
    for (const [width, height] of SIZES) {
      for (const copy of [WORDS, OFFER, {}]) {
        const scene = sceneOf({ ...pack, copy }, { size: sizeOf(width, height) });
        const where = `${width}x${height} ${JSON.stringify(copy)}`;
        for (const { role, contrastRatio } of reportOf(pack, scene, false).elements)
          if (role !== "logo") expect(contrastRatio, `${where} ${role}`).toBeGreaterThanOrEqual(4.5);
        const { texts, logo, graphic } = scene.arrangement.design;
        const field = graphic?.field ?? null;
        if (field === null) continue;
        const onField = texts.filter(({ ink }) => isOverlapping(ink, field)).map(({ role }) => role);
        expect(["", "price,old_price"], where).toContain(onField.join());
        expect(logo !== null && isOverlapping(logo, field), where).toBe(false);
      }
    }
    pack.close();
  });

  it("has a coloured field in the first variant", async () => {
    const pack = await prepared({ assets: { logo: LOGO }, copy: WORDS });
    for (const [width, height] of SIZES) {
      const { graphic } = sceneOf(pack, { size: sizeOf(width, height) }).arrangement.design;
      expect(graphic?.field, `${width}x${height}`).toBeTruthy();
    }
    pack.close();
  });

  it("has a different field, pattern or mark in each variant", async () => {
    const pack = await prepared({ assets: { logo: LOGO }, copy: WORDS });
    for (const [width, height] of SIZES) {
      const structures = VARIANTS.map((variant) => {
        const { graphic } = sceneOf(pack, { size: sizeOf(width, height), variant }).arrangement.design;
        return JSON.stringify([graphic?.field ?? graphic?.mark, graphic?.isRepeated]);
      });
      expect(new Set(structures).size, `${width}x${height}`).toBe(VARIANTS.length);
    }
    pack.close();
  });

  it.each([
    ["logo", true],
    ["brands/bobble", true],
    ["brands/strada", true],
    ["brands/kerb", false],
    ["brands/maren", false],
    ["brands/tango", false],
  ] as const)("uses a logo's symbol as a mark, but not its letters: %s", async (name, hasSymbol) => {
    const pack = await prepared({ assets: { logo: sampleAsset(`${name}.svg`) } });
    expect(pack.logo?.symbol != null).toBe(hasSymbol);
    pack.close();
  });
});

describe("a look in a customer's colours", () => {
  it.each(["editorial", "bold", "premium"] as const)("keeps a visible ornament: %s", async (look) => {
    for (const backgroundColor of ["#ffffff", "#808080", "#c8401f", "#123526"]) {
      const brand = { backgroundColor, primaryColor: backgroundColor, accentColor: backgroundColor };
      const pack = await prepared({
        assets: { product: sampleAsset("bottle.png"), logo: LOGO },
        look,
        brand,
      });
      for (const [width, height] of dimensions("300x250 320x400")) {
        const { ornament, theme } = sceneOf(pack, { size: sizeOf(width, height) });
        const where = `${width}x${height} on ${backgroundColor}`;
        expect(ornament, where).not.toBeNull();
        expect(contrast(ornament?.colour ?? theme.surface, theme.surface), where).toBeGreaterThanOrEqual(
          1.25,
        );
      }
      pack.close();
    }
  });
});

it("reports a logo with low contrast on any background", async () => {
  const bars = ["#ffffff", "#111111", "#777777"].map(
    (fill, at) => `<path fill="${fill}" d="M${4 + at * 64} 4h64v92h-64z"/>`,
  );
  const logo = svgAsset("0 0 200 100", bars.join(""));
  const pack = await prepared({ assets: { logo }, brand: { backgroundColor: "#777777" } });
  const { report } = composed(pack, sizeOf(600, 400));
  expect(report.adjustments.map(({ code }) => code)).toContain("logo_low_contrast");
  expect(report.elements.find(({ role }) => role === "logo")?.contrastRatio).toBeLessThan(3);
});
