import { describe, expect, it } from "vitest";
import { contrast, parseHex } from "#renderer/colour/srgb.ts";
import { LOGO_CONTRAST_MIN } from "#renderer/compose/logo-treatment.ts";
import { preparePack } from "#renderer/compose/prepare-pack.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import type { AssetBytes, LayoutReport } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { loadFontSources } from "../support/node-modules.ts";
import { seededRandom } from "../support/pictures.ts";
import { catalogueSize, readSample, sampleAsset, svgAsset } from "../support/renderer.ts";
import { solidPng } from "../support/sharp-reference.ts";
import { COPY, composed, engine, FAMILY_ASSETS, prepared, sizeOf } from "./pack-fixtures.ts";

const SEED = 20_261_122;
const codes = (report: LayoutReport) => report.adjustments.map(({ code }) => code);

describe("an unreadable source", () => {
  const cut = (name: string, bytesKept: number): AssetBytes => {
    const whole = sampleAsset(name);
    return { ...whole, bytes: whole.bytes.slice(0, bytesKept) };
  };
  it.each([
    ["media", { media: cut("dandelion.jpg", 90_000) }],
    ["secondaryMedia", { ...FAMILY_ASSETS.duo, secondaryMedia: cut("bottle.png", 60_000) }],
    ["background", { ...FAMILY_ASSETS.product, background: cut("dandelion.jpg", 20) }],
    ["logo", { ...FAMILY_ASSETS.product, logo: cut("logo.svg", 120) }],
  ] as const)("is rejected with its slot: %s", async (slot, assets) => {
    const inputs = { assets, font: null, copy: COPY, brand: {} };
    const pack = await preparePack(await engine(), await loadFontSources(), inputs);
    expect(pack.ok).toBe(false);
    if (!pack.ok) expect(pack.message).toMatch(new RegExp(`^The ${slot} picture cannot be read: `, "u"));
  });
});

describe("a composed size", () => {
  it("shows a rotated photo upright and reports its crop in upright pixels", async () => {
    const pack = await prepared({ assets: { media: sampleAsset("dandelion-turned.jpg") } });
    const { report } = composed(pack, catalogueSize("gads-300x250"));
    const [crop] = report.crops;
    expect(crop?.sourceWidth).toBeLessThan(crop?.sourceHeight ?? 0);
    expect(crop?.slot).toBe("media");
  });

  it("keeps the alpha of a cut-out: its corners show the surface", async () => {
    const pack = await prepared({
      assets: { product: sampleAsset("bottle.png") },
      copy: {},
      brand: { backgroundColor: "#2b5cff" },
    });
    const { canvas, report } = composed(pack, sizeOf(400, 400));
    const hero = report.elements.find(({ role }) => role === "hero");
    if (hero === undefined) throw new Error("no hero");
    const at = ((hero.box.y + 2) * 400 + hero.box.x + 2) * 4;
    const [r, , b] = canvas.pixels.subarray(at, at + 3);
    expect(b ?? 0).toBeGreaterThan((r ?? 0) + 60);
  });

  it("never crops the sides of a screen that is not cut out", async () => {
    const pack = await prepared({ assets: FAMILY_ASSETS.device });
    for (const [width, height] of dimensions("640x640 300x600 1200x628")) {
      const [crop] = composed(pack, sizeOf(width, height)).report.crops;
      expect(crop?.shown.width ?? 0, `${width}x${height}`).toBeGreaterThan((crop?.sourceWidth ?? 0) * 0.97);
      expect(crop?.shown.height ?? 0, `${width}x${height}`).toBeGreaterThan((crop?.sourceHeight ?? 0) * 0.97);
    }
  });

  const MARK = svgAsset(
    "0 0 200 100",
    '<circle cx="50" cy="50" r="46" fill="#1c4433"/><path fill="#1c4433" d="M110 20h80v60h-80z"/>',
  );
  const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };
  const BADGE = svgAsset(
    "0 0 200 100",
    '<rect width="200" height="100" rx="50" fill="#1c4433"/><path fill="#2c6a50" d="M40 30h20v40H40zM80 30h20v40H80zM120 30h20v40h-20z"/>',
  );

  it("draws an invisible logo in white or black, whichever contrasts more, and reports it", async () => {
    for (const backgroundColor of ["#17382b", "#2f7a5b", "#28573f"]) {
      const pack = await prepared({ assets: { logo: MARK }, brand: { backgroundColor } });
      const { canvas, report } = composed(pack, sizeOf(600, 400));
      expect(codes(report), backgroundColor).toContain("logo_recoloured");
      expect(codes(report), backgroundColor).not.toContain("plate_added");
      const box = report.elements.find(({ role }) => role === "logo")?.box;
      if (box === undefined) throw new Error("no logo");
      const at = ((box.y + Math.round(box.height / 2)) * 600 + box.x + Math.round(box.height / 2)) * 4;
      expect([...canvas.pixels.subarray(at, at + 3)], backgroundColor).toEqual([255, 255, 255]);
    }
    const seen = await prepared({ assets: { logo: MARK }, brand: { backgroundColor: "#ffffff" } });
    expect(codes(composed(seen, sizeOf(600, 400)).report)).not.toContain("logo_recoloured");
  });

  it("recolours only the invisible parts of a flat logo", async () => {
    const parts =
      '<circle cx="50" cy="50" r="46" fill="#d9982b"/><path fill="#1c4433" d="M110 20h80v60h-80z"/>';
    const logo = svgAsset("0 0 200 100", parts);
    const pack = await prepared({ assets: { logo }, brand: { backgroundColor: "#17222e" } });
    const { canvas, report } = composed(pack, sizeOf(600, 400));
    const { x, y, width, height } = report.elements.find(({ role }) => role === "logo")?.box ?? NOWHERE;
    const redAt = (share: number) =>
      canvas.pixels[((y + Math.round(height / 2)) * 600 + x + Math.round(width * share)) * 4];
    expect([redAt(0.25), redAt(0.75)]).toEqual([0xd9, 255]);
  });

  it("keeps the colours of a logo whose shapes would merge in one colour, and adds a plate", async () => {
    const pack = await prepared({ assets: { logo: BADGE }, brand: { backgroundColor: "#17382b" } });
    const { report } = composed(pack, sizeOf(600, 400));
    expect(codes(report)).toContain("plate_added");
    expect(codes(report)).not.toContain("logo_recoloured");
  });

  it("treats a logo the same way in all sizes of a pack", async () => {
    for (const backgroundColor of ["#17382b", "#ffffff", "#d8a441"]) {
      const pack = await prepared({
        assets: { ...FAMILY_ASSETS.campaign, logo: MARK },
        brand: { backgroundColor },
      });
      const treatments = [sizeOf(300, 250), sizeOf(1080, 1080), sizeOf(728, 90), sizeOf(160, 600)].map(
        (size) => codes(composed(pack, size).report).includes("logo_recoloured"),
      );
      expect(new Set(treatments).size, backgroundColor).toBe(1);
    }
  });

  it(`makes a one-colour logo visible: in its colour, in white or in black (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    const randomHex = () =>
      `#${Math.floor(random() * 0x1000000)
        .toString(16)
        .padStart(6, "0")}`;
    for (let at = 0; at < 40; at += 1) {
      const [ink, backgroundColor] = [randomHex(), randomHex()];
      const logo = svgAsset(
        "0 0 90 40",
        `<path fill="${ink}" d="M2 2h20v36H2zM30 2h20v36H30zM58 2h30v36H58z"/>`,
      );
      const pack = await prepared({ assets: { logo }, brand: { backgroundColor } });
      const { report } = composed(pack, sizeOf(300, 250));
      const where = `${ink} on ${backgroundColor}`;
      const seen = report.elements.find(({ role }) => role === "logo")?.contrastRatio;
      expect(seen, where).toBeGreaterThanOrEqual(LOGO_CONTRAST_MIN);
      // The light on a surface slightly changes the contrast.
      const asGiven = contrast(parseHex(ink), parseHex(backgroundColor)) / LOGO_CONTRAST_MIN;
      const isRecoloured = codes(report).includes("logo_recoloured");
      // On a changed background, a logo keeps its own colour only at one and a half times the required contrast, so
      // cases near the limit are skipped.
      if (asGiven < 0.85 || asGiven > 1.7) expect(isRecoloured, where).toBe(asGiven < 1);
      expect(codes(report), where).not.toContain("plate_added");
      pack.close();
    }
  });

  it("adds a border only to display sizes with a near-white edge", async () => {
    const light = await prepared({
      assets: { logo: sampleAsset("logo.svg") },
      brand: { backgroundColor: "#ffffff" },
    });
    const dark = await prepared({
      assets: { logo: sampleAsset("logo-light.svg") },
      brand: { backgroundColor: "#14352a" },
    });
    const display = catalogueSize("gads-300x250");
    const bordered = composed(light, display);
    expect(codes(bordered.report)).toContain("border_added");
    expect([...bordered.canvas.pixels.subarray(0, 3)]).not.toEqual([255, 255, 255]);
    expect(codes(composed(dark, display).report)).not.toContain("border_added");
    expect(codes(composed(light, catalogueSize("x-800x800")).report)).not.toContain("border_added");
  });

  it("sets dark text on a white photo without a scrim, whatever the brand's colours", async () => {
    const pack = await prepared({
      assets: { media: await solidPng(800, 800, "#ffffff") },
      brand: { textColor: "#ffffff" },
    });
    const { report } = composed(pack, sizeOf(500, 700));
    expect(codes(report)).not.toContain("scrim_added");
    expect(report.elements.find(({ role }) => role === "headline")?.contrastRatio).toBeGreaterThanOrEqual(7);
  });

  it("drops the disclaimer before the subheadline, and never the headline", async () => {
    const pack = await prepared({ assets: FAMILY_ASSETS.campaign });
    const { report } = composed(pack, catalogueSize("iab-320x50"));
    const dropped = report.adjustments
      .filter(({ code }) => code === "text_dropped")
      .map(({ element }) => element);
    expect(dropped[0]).toBe("disclaimer");
    expect(report.elements.some(({ role }) => role === "headline")).toBe(true);
  });

  it("mirrors its arrangement for right-to-left text", async () => {
    const arabic = readSample("fonts/tajawal-bold.ttf");
    const right = await prepared({
      assets: FAMILY_ASSETS.product,
      font: arabic,
      copy: { headline: "قليل من الصيف", cta: "تسوق" },
    });
    const left = await prepared({
      assets: FAMILY_ASSETS.product,
      copy: { headline: "A little summer", cta: "Shop" },
    });
    const centreOf = (pack: PreparedPack, role: string) => {
      const box = composed(pack, sizeOf(900, 400)).report.elements.find(
        (element) => element.role === role,
      )?.box;
      return box === undefined ? Number.NaN : box.x + box.width / 2;
    };
    expect(centreOf(left, "headline")).toBeLessThan(centreOf(left, "hero"));
    expect(centreOf(right, "headline")).toBeGreaterThan(centreOf(right, "hero"));
  });
});
