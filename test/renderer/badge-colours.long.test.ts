import { describe, expect, it } from "vitest";
import { contrast, parseHex } from "#renderer/colour/srgb.ts";
import { chooseTheme } from "#renderer/colour/theme.ts";
import { badgeColours } from "#renderer/compose/draw-badge.ts";
import { reportOf } from "#renderer/compose/layout-report.ts";
import { composeScene, releaseScene } from "#renderer/compose/scene.ts";
import { LOOKS } from "#renderer/look/index.ts";
import type { Rgb } from "#renderer/raster/canvas.ts";
import type { Copy, Raster } from "#renderer/types.ts";
import { fillPath, roundedRect } from "#renderer/vector/index.ts";
import { sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";
import { prepared, sizeOf } from "./pack-fixtures.ts";

const WHITE = parseHex("#ffffff");
const BOX = { x: 30, y: 20, width: 60, height: 24 };
/** A vivid surface without an accent colour: button and badge are nearly white. */
const theme = chooseTheme({
  family: "product",
  look: LOOKS.bold,
  brand: { primaryColor: "#c8102e" },
  hero: [],
  logo: [],
  logoVisibility: () => 1,
});
const outline = fillPath(roundedRect(BOX, 0), { x: 0, y: 0, width: 120, height: 60 });

/** A canvas with the first colour left of `column`, and the second colour from `column` on. */
function canvasOf(first: Rgb, second: Rgb, column: number): Raster {
  const pixels = new Uint8ClampedArray(120 * 60 * 4);
  for (let at = 0; at < 120 * 60; at += 1) {
    const { r, g, b } = at % 120 < column ? first : second;
    pixels.set([r, g, b, 255], at * 4);
  }
  return { width: 120, height: 60, pixels, alpha: "opaque" };
}

describe("a badge", () => {
  it("is a block of the accent colour if that is visible", () => {
    const { fill, edge } = badgeColours(canvasOf(theme.surface, theme.surface, 0), outline, theme);
    expect([fill, edge]).toEqual([theme.accentFill, null]);
  });

  it("has the surface's colour on a card on which the accent is invisible", () => {
    const { fill, ink, edge } = badgeColours(canvasOf(WHITE, WHITE, 0), outline, theme);
    expect([fill, edge]).toEqual([theme.surface, null]);
    expect(contrast(ink, fill)).toBeGreaterThanOrEqual(4.5);
  });

  it("has an edge if its rim crosses from the surface to the card", () => {
    const colours = badgeColours(canvasOf(theme.surface, WHITE, 60), outline, theme);
    expect(colours).toEqual({ fill: theme.accentFill, ink: theme.accentInk, edge: theme.surface });
  });
});

describe("the note of a changed accent", () => {
  const notesOf = async (copy: Copy) => {
    const brand = { accentColor: "#ffdd55", backgroundColor: "#ffffff" };
    const pack = await prepared({ assets: { product: sampleAsset("bottle.png") }, brand, copy });
    const scene = unwrap(composeScene(pack, { size: sizeOf(600, 500) }));
    const { adjustments } = reportOf(pack, scene, false);
    releaseScene(scene);
    return adjustments.filter(({ code }) => code === "colour_changed").map(({ element }) => element);
  };

  it("appears with a price, but not with a button or badge, because these keep the accent colour", async () => {
    expect(await notesOf({ headline: "A quiet week", price: "€ 89" })).toEqual(["price"]);
    expect(await notesOf({ headline: "A quiet week", cta: "Book now" })).toEqual([]);
    expect(await notesOf({ headline: "A quiet week", badge: "New" })).toEqual([]);
  });
});
