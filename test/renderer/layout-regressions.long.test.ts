import { beforeAll, describe, expect, it } from "vitest";
import { contrast } from "#renderer/colour/srgb.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import type { Copy, ElementRole, LayoutReport } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { readSample, sampleAsset, svgAsset } from "../support/renderer.ts";
import { COPY, elementOf, FAMILY_ASSETS, prepared, reportAt, sizeOf } from "./pack-fixtures.ts";

/** Regression tests of layout faults that an art director found, family by family and size by size. */

type Dimensions = readonly [width: number, height: number];

const sizeOfType = (report: LayoutReport, role: ElementRole) => elementOf(report, role)?.fontSizePx;

const packs = new Map<string, PreparedPack>();
beforeAll(async () => {
  for (const [family, assets] of Object.entries(FAMILY_ASSETS)) packs.set(family, await prepared({ assets }));
}, 60_000);

const reportsAt = (copy: Copy, sizes: readonly Dimensions[]) =>
  [...packs].flatMap(([family, pack]) =>
    sizes.map((size) => ({
      name: `${family} at ${size.join("x")}`,
      report: reportAt(pack, sizeOf(...size), copy),
    })),
  );

const LONG: Copy = {
  ...COPY,
  headline: "Light enough to carry the whole summer and every long evening of it",
};

describe("fine print", () => {
  it("is smaller than the subheadline, even if both have their minimum size", () => {
    const sizes = dimensions("970x250 970x90 300x250 720x720");
    for (const { name, report } of reportsAt(LONG, sizes)) {
      const [fine, prose] = [sizeOfType(report, "disclaimer"), sizeOfType(report, "subheadline")];
      if (fine !== undefined && prose !== undefined) expect(fine * 1.04, name).toBeLessThan(prose);
    }
  });

  it("is dropped before the button", () => {
    const sizes = dimensions("728x90 320x50 320x100 468x60");
    for (const copy of [COPY, LONG]) {
      for (const { name, report } of reportsAt(copy, sizes)) {
        const isButtonGone = elementOf(report, "cta") === undefined;
        if (isButtonGone) expect(elementOf(report, "disclaimer"), name).toBeUndefined();
      }
    }
  });
});

describe("a brand's ad", () => {
  it("keeps its logo in a strip, however long the headline and the logo are", async () => {
    const marks = [sampleAsset("logo.svg"), markOf(90, 100), markOf(900, 100), markOf(1300, 100)];
    for (const logo of marks) {
      const pack = await prepared({ assets: { logo } });
      for (const copy of [
        COPY,
        { ...COPY, headline: "Slow mornings, bright days and all that lies between" },
      ]) {
        expect(elementOf(reportAt(pack, sizeOf(320, 50), copy), "logo"), copy.headline).toBeDefined();
      }
    }
  });
});

const markOf = (width: number, height: number) =>
  svgAsset(`0 0 ${width} ${height}`, `<path d="M5 5h${width - 10}v${height - 10}H5z" fill="#204080"/>`);

describe("a button", () => {
  it("has legible type on a screen", () => {
    const sizes = dimensions("300x250 160x600 728x90");
    for (const { name, report } of reportsAt(COPY, sizes)) {
      expect(sizeOfType(report, "cta"), name).toBeGreaterThanOrEqual(12);
    }
  });
});

describe("a button in a strip", () => {
  it("stays beside a picture, a logo and a short headline", async () => {
    const pack = await prepared({
      assets: { media: sampleAsset("dandelion.jpg"), logo: sampleAsset("logo.svg") },
    });
    const copy = { headline: "Two wheels, no excuses", cta: "Ride one today" };
    expect(elementOf(reportAt(pack, sizeOf(320, 50), copy), "cta")).toBeDefined();
  });
});

describe("two sentences", () => {
  it("are broken between them rather than within one", () => {
    const sizes = dimensions("300x250 300x600 970x250");
    for (const { name, report } of reportsAt({ ...COPY, headline: "Weekend plans? Sorted." }, sizes)) {
      const lines = elementOf(report, "headline")?.lines?.map((line) => line.trim()) ?? [];
      if (lines.length > 1) expect(lines, name).not.toContain("plans? Sorted.");
    }
  });
});

describe("an uploaded font of one weight", () => {
  it("ranks text by size and colour", async () => {
    const assets = { logo: sampleAsset("logo.svg") };
    const [single, double] = [
      await prepared({ assets, font: readSample("fonts/tajawal-bold.ttf") }),
      await prepared({ assets }),
    ];
    const shareOf = (pack: PreparedPack): number => {
      const report = reportAt(pack, sizeOf(1080, 1080), COPY);
      return (sizeOfType(report, "subheadline") ?? 0) / (sizeOfType(report, "headline") ?? 1);
    };
    expect(shareOf(single)).toBeLessThan(shareOf(double) * 0.9);
    const quietness = ({ theme }: PreparedPack) => contrast(theme.quietInk, theme.surface);
    expect(quietness(single)).toBeLessThan(quietness(double));
    expect(quietness(single)).toBeGreaterThanOrEqual(4.5);
    single.close();
    double.close();
  });
});

describe("a strip", () => {
  const OFFER: Copy = {
    headline: "Made for the long way home",
    subheadline: "Layers that keep their shape, season after season.",
    cta: "Shop now",
  };
  const PRICED: Copy = { ...OFFER, price: "€ 49", oldPrice: "€ 82", badge: "−40 %" };
  const logo = sampleAsset("logo.svg");

  it("has larger type in the headline than in the subheadline, also in a slim or light face", async () => {
    for (const look of ["bold", "minimal", "editorial"] as const) {
      const pack = await prepared({ assets: { logo, media: sampleAsset("dandelion.jpg") }, look });
      for (const size of dimensions("320x50 300x50 468x60")) {
        const report = reportAt(pack, sizeOf(...size), OFFER);
        const [lead, prose] = [sizeOfType(report, "headline"), sizeOfType(report, "subheadline")];
        if (prose !== undefined) expect(prose, `${look} at ${size}`).toBeLessThan((lead ?? 0) * 0.9);
      }
      pack.close();
    }
  });

  it("stacks no headline on three lines beside its badge", async () => {
    for (const look of ["minimal", "retail", "premium"] as const) {
      const pack = await prepared({ assets: { logo, product: sampleAsset("bottle.png") }, look });
      for (const size of dimensions("320x50 468x60 728x90")) {
        const report = reportAt(pack, sizeOf(...size), PRICED);
        const [badge, headline] = [elementOf(report, "badge"), elementOf(report, "headline")];
        if (badge === undefined || headline === undefined) continue;
        const isBeside = badge.box.x >= headline.box.x + headline.box.width;
        if (isBeside) expect(headline.lines?.length, `${look} at ${size}`).toBeLessThanOrEqual(2);
      }
      pack.close();
    }
  });
});

describe("a badge", () => {
  it("does not look as large as its product", async () => {
    for (const look of ["bold", "retail", "playful"] as const) {
      const pack = await prepared({ assets: { device: sampleAsset("phone.png") }, look });
      for (const size of dimensions("120x600 160x600 930x180")) {
        const report = reportAt(pack, sizeOf(...size), {
          headline: "Made for the long way home",
          badge: "−40 %",
          cta: "Shop now",
        });
        const [badge, hero] = [elementOf(report, "badge"), elementOf(report, "hero")];
        if (badge === undefined || hero === undefined) continue;
        const longest = Math.max(hero.box.width, hero.box.height);
        expect(badge.box.width * badge.box.height, `${look} at ${size}`).toBeLessThanOrEqual(
          longest * longest * 0.2,
        );
      }
      pack.close();
    }
  });
});
