import { describe, expect, it } from "vitest";
import { BUTTON_STYLES } from "#catalogue/looks.ts";
import { composeScene } from "#renderer/compose/scene.ts";
import { Typesetter } from "#renderer/layout/index.ts";
import { LOOKS } from "#renderer/look/index.ts";
import { type FontSet, openFontSet } from "#renderer/type/index.ts";
import type { PackInputs } from "#renderer/types.ts";
import { catalogueSize, readSample, renderer, sampleAsset, svgAsset } from "../support/renderer.ts";
import { bundled, openFonts, source } from "../support/type-fixtures.ts";
import { unwrap } from "../support/unwrap.ts";
import { composed, digest, prepared, sizeOf } from "./pack-fixtures.ts";

const LOGO = svgAsset("0 0 400 100", '<rect width="400" height="100" rx="30" fill="#102030"/>');
const WHITE_LOGO = svgAsset("0 0 200 100", '<rect width="200" height="100" rx="30" fill="#ffffff"/>');

describe("API §21.4 light and dark backgrounds each have their own logo", () => {
  const shownOn = async (backgroundColor: string, assets: PackInputs["assets"]) => {
    const pack = await prepared({ assets, brand: { backgroundColor } });
    const scene = composeScene(pack, { size: sizeOf(300, 250) });
    pack.close();
    if (!scene.ok || scene.value.logo === null) throw new Error("no logo");
    const { logo, raster } = scene.value.logo;
    const { width, height } = raster;
    return { isOnDark: logo === pack.logoOnDark, width, height, box: scene.value.arrangement.design.logo };
  };
  const alone = { product: sampleAsset("bottle.png"), logo: LOGO };
  const both = { ...alone, logoOnDark: WHITE_LOGO };

  it.each([
    ["#ffffff", false],
    ["#f2b233", false],
    ["#0b5fff", true],
    ["#101418", true],
  ] as const)("on %s", async (backgroundColor, isOnDark) => {
    expect(await shownOn(backgroundColor, both)).toMatchObject({ isOnDark });
  });

  it("which keeps its aspect and fits the box of the other logo", async () => {
    const [one, other] = [await shownOn("#101418", both), await shownOn("#101418", alone)];
    expect(one.width / one.height).toBeCloseTo(2, 1);
    expect(one.box).toMatchObject({ width: one.width, height: one.height });
    expect(one.width).toBeLessThanOrEqual(other.width);
    expect(one.height).toBeLessThanOrEqual(other.height);
  });
});

describe("API §21.4 one of two fonts sets headline and price, the other font the other text", () => {
  const display = readSample("fonts/bricolage-grotesque-extrabold.ttf");
  const text = readSample("fonts/tajawal-bold.ttf");
  const openBoth = async (): Promise<FontSet> => {
    return unwrap(await openFontSet(source, bundled, display, undefined, text));
  };

  it("also in looks that set buttons in the face of their headlines", async () => {
    const [both, one, other] = [await openBoth(), await openFonts(display), await openFonts(text)];
    const widthIn = (fonts: FontSet, voice: "headline" | "price" | "body" | "button") => {
      fonts.grantOutput();
      return new Typesetter(fonts, LOOKS.bold, undefined).measure("Wonderful 49", {
        ...{ voice, sizePx: 40, lineHeight: 1, linesMax: 1, widthPx: 2_000, align: "start" },
      })?.set.inkBox.width;
    };
    for (const voice of ["headline", "price"] as const)
      expect(widthIn(both, voice)).toBe(widthIn(one, voice));
    for (const voice of ["body", "button"] as const) expect(widthIn(both, voice)).toBe(widthIn(other, voice));
    expect(widthIn(one, "button")).not.toBe(widthIn(other, "button"));
    for (const fonts of [both, one, other]) fonts.close();
  });

  it("the headline's font decides what fits", async () => {
    const headline = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen gratis für alle";
    const outputs = [{ size: catalogueSize("gads-120x600"), copy: { headline, cta: "Los" } }];
    const fitting = (font: Uint8Array, textFont: Uint8Array | null) =>
      renderer.fitWords({ look: "classic", outputs, font, textFont });
    const found = await fitting(display, text);
    expect(found).toEqual(await fitting(display, null));
    expect(found.ok && found.value).toHaveLength(1);
  });
});

describe("the style of a button", () => {
  it("differs from all others, and defaults to the look's own style", async () => {
    const drawnWith = async (more: Partial<PackInputs>) => {
      const pack = await prepared({ assets: { logo: LOGO }, ...more });
      const { canvas } = composed(pack, sizeOf(300, 250));
      pack.close();
      return digest(canvas.pixels);
    };
    const styles = await Promise.all(BUTTON_STYLES.map((buttonStyle) => drawnWith({ buttonStyle })));
    expect(new Set(styles).size).toBe(BUTTON_STYLES.length);
    expect(styles[0]).toBe(await drawnWith({}));
  });
});
