import { describe, expect, it } from "vitest";
import { contrast } from "#renderer/colour/srgb.ts";
import { drawExtended } from "#renderer/compose/extend-photo.ts";
import { themeOnPhoto } from "#renderer/compose/theme-on-photo.ts";
import { extendedCrop } from "#renderer/layout/crop-pictures.ts";
import { inkAndScrimOpacity } from "#renderer/layout/design/photo-ink.ts";
import { Pyramid } from "#renderer/raster/pyramid.ts";
import { calmMapOf, tonesUnder, under } from "#renderer/subjects/calm.ts";
import type { Raster } from "#renderer/types.ts";
import { engine, FAMILY_ASSETS, prepared } from "./pack-fixtures.ts";

/** A raster with one grey value per pixel. */
function drawn(width: number, height: number, greyAt: (x: number, y: number) => number): Raster {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) {
    pixels.fill(greyAt(at % width, Math.floor(at / width)), at * 4, at * 4 + 3);
  }
  return { width, height, pixels, alpha: "opaque" };
}

const EMPTY = {
  width: 1,
  height: 1,
  values: new Float64Array(1),
  main: null,
  plainSides: { top: true, right: true, bottom: true, left: true },
};
const LEFT = { x: 0, y: 0, width: 0.5, height: 1 };
const RIGHT = { ...LEFT, x: 0.5 };

describe("the calm map of a photo", () => {
  const map = calmMapOf(
    drawn(120, 60, (x, y) => (x < 60 ? 200 : (x + y) % 2 === 0 ? 40 : 220)),
    EMPTY,
  );

  it("measures each part: a plain half is calm, a checked one is not", () => {
    expect(under(map, LEFT).texture).toBeLessThan(0.1);
    expect(under(map, RIGHT).texture).toBeGreaterThan(1);
  });

  it("has the darkest and the lightest pixel of a part", () => {
    const { darkest, lightest } = tonesUnder(map, RIGHT);
    expect(darkest).toBeLessThan(0.2);
    expect(lightest).toBeGreaterThan(0.8);
  });

  it("repeats the photo's edge outside the photo", () => {
    expect(under(map, { x: -0.5, y: 0, width: 0.4, height: 1 }).texture).toBeLessThan(0.1);
  });
});

describe("the ink of text on a photo", () => {
  it("is white on dark and dark on light, without a scrim", () => {
    expect(inkAndScrimOpacity(0.05, 0.3, 0.1)).toEqual({ ink: "light", opacity: 0 });
    expect(inkAndScrimOpacity(0.7, 0.95, 0.9)).toEqual({ ink: "dark", opacity: 0 });
  });

  it("suits the mean tone of a photo with a few bright spots", () => {
    const { ink, opacity } = inkAndScrimOpacity(0.02, 0.6, 0.15);
    expect(ink).toBe("light");
    expect(opacity).toBeGreaterThan(0);
  });
});

describe("a button on a photo", () => {
  it("keeps its colour if visible, else has another tone of it or the ink's colour, with legible text", async () => {
    const { theme, close } = await prepared({ assets: FAMILY_ASSETS.campaign });
    const orange = { r: 228, g: 87, b: 46 };
    const branded = { ...theme, button: orange, isButtonFilled: true };
    const buttonOn = (under: typeof orange) => themeOnPhoto(branded, "dark", under, under);
    expect(buttonOn({ r: 250, g: 246, b: 238 }).button).toEqual(orange);
    const toned = buttonOn({ r: 214, g: 190, b: 150 }).button;
    expect(toned.r).toBeGreaterThan(toned.g * 2);
    const under = { r: 206, g: 118, b: 60 };
    const { button, buttonInk } = buttonOn(under);
    expect(contrast(button, under)).toBeGreaterThanOrEqual(3);
    expect(contrast(buttonInk, button)).toBeGreaterThanOrEqual(4.5);
    close();
  });
});

describe("a photo with an extended background", () => {
  it("continues in the colour of its edge, without a seam", async () => {
    const { resampler } = await engine();
    const pyramid = new Pyramid(
      drawn(40, 40, () => 180),
      resampler,
    );
    const canvas = drawExtended(
      pyramid,
      { x: -40, y: 0, width: 120, height: 40 },
      { width: 120, height: 40 },
      { x: 40, y: 0, width: 40, height: 40 },
    );
    for (let at = 0; at < canvas.pixels.length; at += 4) {
      expect(Math.abs((canvas.pixels[at] ?? 0) - 180)).toBeLessThanOrEqual(1);
    }
  });

  it("is extended only past its plain sides", () => {
    const textBackground = {
      calm: calmMapOf(
        drawn(9, 9, () => 9),
        EMPTY,
      ),
      mayCarryWords: true,
      sourceWidth: 900,
    };
    const photo = { aspect: 1, isCutOut: false, subjectBox: null, protectedAreas: [] };
    const subject = { x: 0.3, y: 0.05, width: 0.4, height: 0.9 };
    const place = { width: 600, height: 200 };
    const plain = { ...photo, textBackground: { ...textBackground, plainSides: EMPTY.plainSides } };
    const shown = extendedCrop(place, plain, subject);
    expect(shown?.x).toBeLessThan(0);
    const restless = { top: true, bottom: true, left: false, right: false };
    expect(
      extendedCrop(place, { ...photo, textBackground: { ...textBackground, plainSides: restless } }, subject),
    ).toBeNull();
  });
});
