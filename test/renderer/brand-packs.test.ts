import { describe, expect, it } from "vitest";
import { LOOK_IDS, VARIANTS } from "#catalogue/looks.ts";
import { contrast } from "#renderer/colour/srgb.ts";
import { reportOf } from "#renderer/compose/layout-report.ts";
import { composeScene } from "#renderer/compose/scene.ts";
import { isOverlapping } from "#renderer/layout/design/boxes.ts";
import type { Copy } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { sampleAsset, svgAsset } from "../support/renderer.ts";
import { composed, prepared, sizeOf } from "./pack-fixtures.ts";

const SIZES = dimensions("320x50 728x90 970x250 600x314 300x250 540x540 540x675 160x600 540x960");
const COPIES: readonly Copy[] = [
  { headline: "Made for the long way home", subheadline: "Layers that keep their shape.", cta: "Shop now" },
  {
    headline: "Everything for the weekend",
    price: "€ 49",
    oldPrice: "€ 82",
    badge: "−40 %",
    cta: "Shop now",
  },
  { price: "€ 9.99", oldPrice: "€ 19.99", cta: "Get it" },
  {},
];
const BRANDS = [
  {},
  { primaryColor: "#1f6b4a", accentColor: "#f2b233", backgroundColor: "#f4ecd8" },
  { primaryColor: "#f2b233", backgroundColor: "#123526" },
] as const;

describe("a pack with only a logo and words", () => {
  it("has legible words in every look, and none but a price or a button on its field of colour", async () => {
    let fields = 0;
    for (const [at, look] of LOOK_IDS.entries()) {
      const pack = await prepared({
        assets: { logo: sampleAsset("logo.svg") },
        look,
        brand: BRANDS[at % BRANDS.length] ?? {},
      });
      for (const [width, height] of SIZES) {
        for (const copy of COPIES) {
          const scene = composeScene({ ...pack, copy }, { size: sizeOf(width, height) });
          if (!scene.ok) throw new Error(scene.message);
          const where = `${look} ${width}x${height} ${JSON.stringify(copy)}`;
          for (const { role, contrastRatio } of reportOf(pack, scene.value, false).elements)
            if (role !== "logo") expect(contrastRatio, `${where} ${role}`).toBeGreaterThanOrEqual(4.5);
          const { texts, logo, graphic } = scene.value.arrangement.design;
          const field = graphic?.field ?? null;
          if (field === null) continue;
          fields += 1;
          const onField = texts.filter(({ ink }) => isOverlapping(ink, field)).map(({ role }) => role);
          expect(["", "price", "price,old_price"], where).toContain(onField.join());
          expect(logo !== null && isOverlapping(logo, field), where).toBe(false);
        }
      }
      pack.close();
    }
    expect(fields).toBeGreaterThan(150);
  });

  it("has another structure in every variant: another field, a pattern, a mark on the whole canvas", async () => {
    const pack = await prepared({ assets: { logo: sampleAsset("logo.svg") } });
    for (const [width, height] of SIZES) {
      const structures = VARIANTS.map((variant) => {
        const scene = composeScene(
          { ...pack, copy: COPIES[0] ?? {} },
          { size: sizeOf(width, height), variant },
        );
        if (!scene.ok) throw new Error(scene.message);
        const { graphic } = scene.value.arrangement.design;
        return JSON.stringify([graphic?.field ?? null, graphic?.isRepeated, graphic === undefined]);
      });
      expect(new Set(structures).size, `${width}x${height}`).toBe(VARIANTS.length);
    }
    pack.close();
  });

  it("takes the symbol of a logo for its mark, and none from a name alone", async () => {
    const symbols: Record<string, number | null> = {};
    for (const name of [
      "logo",
      "brands/bobble",
      "brands/strada",
      "brands/kerb",
      "brands/maren",
      "brands/tango",
    ]) {
      const pack = await prepared({ assets: { logo: sampleAsset(`${name}.svg`) } });
      if (pack.logo === null) throw new Error("no logo");
      const { symbol, pyramid } = pack.logo;
      symbols[name] = symbol === null ? null : Math.round((symbol.width / pyramid.base.width) * 100);
      pack.close();
    }
    expect(symbols).toEqual({
      logo: 23,
      "brands/bobble": 17,
      "brands/strada": 20,
      "brands/kerb": null,
      "brands/maren": null,
      "brands/tango": null,
    });
  });
});

describe("a look in a customer's colours", () => {
  it.each(["editorial", "bold", "premium"] as const)("keeps an ornament that is seen: %s", async (look) => {
    for (const backgroundColor of ["#ffffff", "#f4ecd8", "#808080", "#c8401f", "#123526", "#000000"]) {
      const pack = await prepared({
        assets: { product: sampleAsset("bottle.png"), logo: sampleAsset("logo.svg") },
        look,
        brand: { backgroundColor, primaryColor: backgroundColor, accentColor: backgroundColor },
      });
      for (const [width, height] of dimensions("300x250 540x540 540x675")) {
        const scene = composeScene(pack, { size: sizeOf(width, height) });
        if (!scene.ok) throw new Error(scene.message);
        const { ornament, theme } = scene.value;
        if (ornament === null) throw new Error(`no ornament at ${width}x${height} on ${backgroundColor}`);
        expect(contrast(ornament.colour, theme.surface), backgroundColor).toBeGreaterThanOrEqual(1.25);
      }
      pack.close();
    }
  });

  it("reports a logo that is hard to see on any background", async () => {
    const logo = svgAsset(
      "0 0 200 100",
      '<path fill="#ffffff" d="M4 4h60v92H4z"/><path fill="#111111" d="M70 4h60v92H70z"/><path fill="#777777" d="M136 4h60v92h-60z"/>',
    );
    const pack = await prepared({ assets: { logo }, brand: { backgroundColor: "#777777" } });
    const { report } = composed(pack, sizeOf(600, 400));
    expect(report.adjustments.map(({ code }) => code)).toContain("logo_low_contrast");
    expect(report.elements.find(({ role }) => role === "logo")?.contrastRatio).toBeLessThan(3);
    pack.close();
  });
});
