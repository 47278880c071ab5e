import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { reportOf } from "#renderer/compose/layout-report.ts";
import { composeScene, flattenScene } from "#renderer/compose/scene.ts";
import { removeWhiteBackground } from "#renderer/focus/white-background.ts";
import { whiteOfRim } from "#renderer/focus/white-rim.ts";
import type { AssetBytes, Raster } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { seededRandom } from "../support/pictures.ts";
import { unwrap } from "../support/unwrap.ts";
import { COPY, prepared, sizeOf } from "./pack-fixtures.ts";

const SEED = 20_261_122;

/** A photo of drawn shapes on white with a camera's grain and a JPEG's blocks. */
async function photograph(width: number, height: number, shapes: string): Promise<AssetBytes> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <filter id="soft" x="-1" y="-3" width="3" height="7"><feGaussianBlur stdDeviation="12"/></filter></defs>
    <rect width="100%" height="100%" fill="#fff"/>${shapes}</svg>`;
  const random = seededRandom(SEED);
  const grain = Buffer.alloc(width * height * 3);
  for (let at = 0; at < grain.length; at += 1) grain[at] = 128 + Math.round((random() - 0.5) * 6);
  const bytes = await sharp(Buffer.from(svg))
    .composite([{ input: grain, raw: { width, height, channels: 3 }, blend: "hard-light" }])
    .jpeg({ quality: 82 })
    .toBuffer();
  return { bytes: new Uint8Array(bytes), mimeType: "image/jpeg" };
}

async function rasterOf({ bytes }: AssetBytes): Promise<Raster> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8ClampedArray(data), alpha: "opaque" };
}

const BOTTLE = '<path d="M60 0h80v90q50 40 50 120v290h-180v-290q0-80 50-120z" fill="#a5301c"/>';
const SHOE =
  '<path d="M0 210C10 130 90 60 200 50C300 40 330 0 420 0C470 60 560 130 600 210L600 260L0 260Z" fill="#22364a"/>';
const BOX =
  '<ellipse cx="300" cy="392" rx="120" ry="16" opacity=".35" filter="url(#soft)"/><rect x="220" y="240" width="160" height="150" fill="#2a8f5b"/>';
const SPECKS = '<circle cx="30" cy="40" r="2" fill="#555"/><circle cx="570" cy="560" r="2.5" fill="#444"/>';
const MUG =
  '<path d="M120 100h200v260h-200z" fill="#e4e4e8"/><path d="M330 160q70 0 70 60t-70 60" fill="none" stroke="#d2d2d8" stroke-width="18"/><rect x="180" y="190" width="60" height="60" fill="#1f5fd0"/>';

describe("a product that touches the edges of its white photo", () => {
  it.each([
    ["an upright one from edge to edge", 200, 500, BOTTLE],
    ["a wide one from edge to edge", 600, 300, SHOE],
  ])("is cut out: %s", async (_, width, height, shapes) => {
    const freed = removeWhiteBackground(await rasterOf(await photograph(width, height, shapes)));
    expect(freed?.bounds.width).toBeGreaterThan(width * 0.88);
    expect(freed?.bounds.height).toBeGreaterThan(Math.min(height, 260) * 0.95);
  });

  it("is whole, or extends past the edge of the canvas by up to a tenth (in a slim column up to a third)", async () => {
    const product = await photograph(600, 300, SHOE);
    for (const backgroundColor of [undefined, "#12203a", "#e8590c"]) {
      const pack = await prepared({ assets: { product }, brand: { backgroundColor } });
      for (const [width, height] of dimensions("160x600 300x250 320x50 1080x1080")) {
        const scene = unwrap(composeScene(pack, { size: sizeOf(width, height), copy: COPY }));
        const [crop] = reportOf(pack, scene, false).crops;
        expect(crop?.shown.width, `${width}x${height}`).toBeGreaterThan(width === 160 ? 390 : 525);
      }
      pack.close();
    }
  });

  it("is not cut out of a photo with a white sky or a coloured background", async () => {
    const sky = '<rect y="150" width="600" height="250" fill="#3b5d3a"/>';
    expect(whiteOfRim(await rasterOf(await photograph(600, 400, sky)))).toBeNull();
    const beige = '<rect width="600" height="400" fill="#e8dcc4"/>';
    expect(whiteOfRim(await rasterOf(await photograph(600, 400, beige + BOX)))).toBeNull();
  });
});

describe("the extent of a product", () => {
  it("excludes specks and soft shadows far from it", async () => {
    const freed = removeWhiteBackground(await rasterOf(await photograph(600, 600, BOX + SPECKS)));
    if (freed === null) throw new Error("not taken off");
    const { bounds, raster } = freed;
    expect(bounds.x).toBeGreaterThan(150);
    expect(bounds.width).toBeLessThan(240);
    expect(bounds.y).toBeGreaterThan(215);
    expect(bounds.height).toBeLessThan(200);
    for (const at of [(40 * 600 + 30) * 4 + 3, (560 * 600 + 570) * 4 + 3])
      expect(raster.pixels[at]).toBeLessThan(24);
  });

  it("includes every part of a white product, opaque", async () => {
    const freed = removeWhiteBackground(await rasterOf(await photograph(500, 460, MUG)));
    if (freed === null) throw new Error("not taken off");
    expect(freed.bounds.x + freed.bounds.width).toBeGreaterThan(365);
    for (const [x, y] of [
      [150, 130],
      [290, 330],
      [220, 340],
      [390, 220],
    ] as const)
      expect(freed.raster.pixels[(y * 500 + x) * 4 + 3], `${x}, ${y}`).toBe(255);
  });
});

describe("a product on a dark surface", () => {
  it("has no light rim", async () => {
    const disc = '<circle cx="200" cy="200" r="150" fill="#7a1f16"/>';
    const product = await photograph(400, 400, disc);
    const pack = await prepared({ assets: { product }, copy: {}, brand: { backgroundColor: "#101418" } });
    const scene = unwrap(composeScene(pack, { size: sizeOf(300, 300) }));
    const { pixels } = flattenScene(scene, false).canvas;
    let lightest = 0;
    for (let at = 0; at < pixels.length; at += 4) lightest = Math.max(lightest, pixels[at + 1] ?? 0);
    // Green is lower than this in the lit surface and in the disc, but higher if white is mixed into an edge.
    expect(lightest).toBeLessThan(90);
    pack.close();
  });
});
