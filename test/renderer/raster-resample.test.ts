import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { filledCanvas } from "#renderer/raster/canvas.ts";
import { Pyramid } from "#renderer/raster/pyramid.ts";
import type { Raster } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { sampleAsset } from "../support/renderer.ts";
import { structuralSimilarity } from "../support/structural-similarity.ts";
import { engine } from "./pack-fixtures.ts";

const { resampler } = await engine();

async function photo(width: number, height: number): Promise<Raster> {
  const { data } = await sharp(sampleAsset("dandelion-turned.jpg").bytes)
    .autoOrient()
    .resize(width, height, { fit: "cover" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, pixels: new Uint8ClampedArray(data), alpha: "opaque" };
}

async function reference(raster: Raster, width: number, height: number): Promise<Uint8Array> {
  const { width: rawWidth, height: rawHeight } = raster;
  return sharp(raster.pixels, { raw: { width: rawWidth, height: rawHeight, channels: 4 } })
    .resize(width, height, { fit: "fill", kernel: "lanczos3" })
    .raw()
    .toBuffer();
}

describe("scaling a picture", () => {
  it.each(dimensions("500x380 300x250 160x128 64x48 97x171"))(
    "to %d x %d matches a reference library",
    async (width, height) => {
      const source = await photo(1000, 760);
      const whole = { x: 0, y: 0, width: 1000, height: 760 };
      const ours = new Pyramid(source, resampler).draw(whole, width, height);
      const expected = await reference(source, width, height);
      expect(structuralSimilarity(ours.pixels, expected, width, height, 4)).toBeGreaterThan(0.98);
    },
  );

  it("keeps a flat colour flat at any ratio and offset", () => {
    const flat = filledCanvas(53, 41, { r: 3, g: 130, b: 251 });
    for (const [width, height] of dimensions("53x41 7x90 120x5 1x1")) {
      const drawn = resampler.resample(flat, { x: 1.3, y: 0.7, width: 40.2, height: 33.9 }, width, height);
      for (let at = 0; at < drawn.pixels.length; at += 4) {
        expect([...drawn.pixels.subarray(at, at + 4)]).toEqual([3, 130, 251, 255]);
      }
    }
  });

  it("never lets a premultiplied colour exceed its alpha", () => {
    const pixels = new Uint8ClampedArray(32 * 32 * 4);
    for (let i = 0; i < 32 * 32; i += 1) if ((i * 7919) % 3 === 0) pixels.fill(255, i * 4, i * 4 + 4);
    const drawn = resampler.resample(
      { width: 32, height: 32, pixels, alpha: "premultiplied" },
      { x: 0, y: 0, width: 32, height: 32 },
      47,
      21,
    );
    for (let at = 0; at < drawn.pixels.length; at += 4) {
      const alpha = drawn.pixels[at + 3] ?? 0;
      expect(
        Math.max(drawn.pixels[at] ?? 0, drawn.pixels[at + 1] ?? 0, drawn.pixels[at + 2] ?? 0),
      ).toBeLessThanOrEqual(alpha);
    }
  });
});
