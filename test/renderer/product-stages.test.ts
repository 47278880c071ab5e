import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { contactShadow } from "#renderer/compose/draw-picture.ts";
import { composeScene, flattenScene } from "#renderer/compose/scene.ts";
import { fillBox } from "#renderer/raster/blend.ts";
import { filledCanvas } from "#renderer/raster/canvas.ts";
import type { AssetBytes, Raster } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { catalogueSize, sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";
import { COPY, prepared, sizeOf } from "./pack-fixtures.ts";

async function drawn(width: number, height: number, shapes: string): Promise<AssetBytes> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`;
  return { bytes: Uint8Array.from(await sharp(Buffer.from(svg)).png().toBuffer()), mimeType: "image/png" };
}

const CAR = '<path d="M0 80q200-160 600 0v60h-600z" fill="#b3201a"/>';
const BOWL = '<ellipse cx="150" cy="130" rx="148" ry="128" fill="#f4f1ec"/>';

describe("a contact shadow", () => {
  it("is densest where the product touches, and light under overhanging parts", () => {
    const table: Raster = { ...filledCanvas(100, 60, { r: 0, g: 0, b: 0 }), alpha: "premultiplied" };
    table.pixels.fill(0);
    fillBox(table, { x: 0, y: 0, width: 100, height: 20 }, { r: 90, g: 60, b: 30 });
    for (const x of [0, 88]) fillBox(table, { x, y: 0, width: 12, height: 60 }, { r: 90, g: 60, b: 30 });
    const layers = contactShadow(
      table,
      { x: 50, y: 50, width: 100, height: 60 },
      { x: 0, y: 0, width: 200, height: 160 },
    );
    const at = (x: number): number =>
      layers.reduce((sum, { mask, opacity }) => {
        const inside = x >= mask.x && x < mask.x + mask.width;
        const row = 110 - mask.y;
        return sum + (inside ? ((mask.coverage[row * mask.width + x - mask.x] ?? 0) * opacity) / 255 : 0);
      }, 0);
    expect(at(56)).toBeGreaterThan(at(100) * 3);
    expect(at(144)).toBeGreaterThan(at(100) * 3);
  });
});

describe("a cut-out", () => {
  it("is on a floor darker than the surface, and darker still for a white product", async () => {
    const tones = async (product: AssetBytes) => {
      const pack = await prepared({ assets: { product }, brand: { primaryColor: "#1f5f4a" } });
      const scene = unwrap(composeScene(pack, { size: sizeOf(1080, 1080), copy: COPY }));
      const { pixels } = flattenScene(scene, false).canvas;
      return pack.theme.surface.r - (pixels[(1070 * 1080 + 4) * 4] ?? 0);
    };
    const usual = await tones(sampleAsset("bottle.png"));
    expect(usual).toBeGreaterThan(8);
    expect(await tones(await drawn(300, 260, BOWL))).toBeGreaterThan(usual);
  });

  it("has over half the height of a story if slim, and nearly its width if wide", async () => {
    const size = catalogueSize("meta-story-1080x1920");
    const heroOf = async (assets: Parameters<typeof prepared>[0]["assets"]) => {
      const scene = unwrap(composeScene(await prepared({ assets }), { size, copy: COPY }));
      const hero = scene.arrangement.design.pictures[0]?.box;
      if (hero === undefined) throw new Error("no picture");
      return hero;
    };
    expect((await heroOf({ device: sampleAsset("phone.png") })).height).toBeGreaterThan(1920 * 0.5);
    expect((await heroOf({ product: await drawn(600, 140, CAR) })).width).toBeGreaterThan(1080 * 0.9);
  });

  it("is taller than a strip if upright, and cut at the bottom", async () => {
    const pack = await prepared({ assets: { product: sampleAsset("bottle.png") } });
    for (const [width, height] of dimensions("728x90 468x60 320x50")) {
      const scene = unwrap(composeScene(pack, { size: sizeOf(width, height), copy: COPY }));
      const hero = scene.arrangement.design.pictures[0];
      if (hero === undefined) throw new Error("no picture");
      expect(hero.box.height / hero.part.height, `${width}x${height}`).toBeGreaterThan(height * 1.1);
      expect(hero.box.y + hero.box.height).toBe(height);
    }
  });

  it("has three compositions: on the canvas, on a panel and over a panel's edge", async () => {
    const pack = await prepared({ assets: { product: sampleAsset("bottle.png") } });
    for (const [width, height] of dimensions("300x250 1200x628 1080x1080 1080x1350 300x600")) {
      const designs = ([1, 2, 3] as const).map((variant) => {
        const scene = unwrap(composeScene(pack, { size: sizeOf(width, height), copy: COPY, variant }));
        return JSON.stringify(scene.arrangement.design.pictures[0]?.cell);
      });
      expect(new Set(designs).size, `${width}x${height}`).toBe(3);
    }
  });
});
