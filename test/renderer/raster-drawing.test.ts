import { describe, expect, it } from "vitest";
import { dividedBy255, drawOver, fillBox, paintMask } from "#renderer/raster/blend.ts";
import { blurred, defocus } from "#renderer/raster/blur.ts";
import { filledCanvas } from "#renderer/raster/canvas.ts";
import { paintScrim } from "#renderer/raster/gradient.ts";
import type { Raster } from "#renderer/types.ts";
import { seededRandom } from "../support/pictures.ts";
import { engine } from "./pack-fixtures.ts";

const SEED = 20261121;

const GREY = { r: 128, g: 128, b: 128 };

/** Blends pixel by pixel, with the "over" formula for each of the four channels. */
function plainlyOver(canvas: Raster, layer: Raster, x: number, y: number, opacity: number): number[] {
  return Array.from(canvas.pixels, (below, at) => {
    const column = ((at >> 2) % canvas.width) - x;
    const row = Math.floor(at / 4 / canvas.width) - y;
    if (column < 0 || row < 0 || column >= layer.width || row >= layer.height) return below;
    const pixel = (row * layer.width + column) * 4;
    const alpha = Math.round(((layer.pixels[pixel + 3] ?? 0) * opacity) / 255);
    const value = Math.round(((layer.pixels[pixel + (at & 3)] ?? 0) * opacity) / 255);
    return value + Math.round((below * (255 - alpha)) / 255);
  });
}

describe("drawing", () => {
  it(`blends a layer at any position by the formula (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    const upTo = (most: number): number => Math.floor(random() * (most + 1));
    const picture = (alpha: "opaque" | "premultiplied"): Raster => {
      const [width, height] = [1 + upTo(12), 1 + upTo(12)];
      const pixels = new Uint8ClampedArray(width * height * 4);
      for (let at = 0; at < pixels.length; at += 4) {
        const opacity = alpha === "opaque" ? 255 : ([0, 255, upTo(255)][upTo(2)] ?? 0);
        pixels.set([upTo(opacity), upTo(opacity), upTo(opacity), opacity], at);
      }
      return { width, height, pixels, alpha };
    };
    for (let count = 0; count < 500; count += 1) {
      const canvas = picture("opaque");
      const layer = picture(random() < 0.5 ? "opaque" : "premultiplied");
      const [x, y] = [upTo(40) - 20, upTo(40) - 20];
      const opacity = random() < 0.5 ? 255 : upTo(255);
      const expected = plainlyOver(canvas, layer, x, y, opacity);
      drawOver(canvas, layer, x, y, opacity);
      expect([...canvas.pixels], `case ${count}`).toEqual(expected);
    }
  });

  it("divides products of bytes by 255 without error", () => {
    let wrong = 0;
    for (let product = 0; product <= 255 * 255; product += 1) {
      if (dividedBy255(product) !== Math.round(product / 255)) wrong += 1;
    }
    expect(wrong).toBe(0);
  });

  it(`paints a mask at any position by the formula (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    const upTo = (most: number): number => Math.floor(random() * (most + 1));
    for (let count = 0; count < 300; count += 1) {
      const canvas = filledCanvas(1 + upTo(9), 1 + upTo(9), { r: upTo(255), g: upTo(255), b: upTo(255) });
      const [width, height] = [1 + upTo(9), 1 + upTo(9)];
      const [x, y] = [upTo(24) - 12, upTo(24) - 12];
      const coverage = Uint8Array.from({ length: width * height }, () => [0, 255, upTo(255)][upTo(2)] ?? 0);
      const colour = { r: upTo(255), g: upTo(255), b: upTo(255) };
      const opacity = random() < 0.5 ? 255 : upTo(255);
      const expected = Array.from(canvas.pixels, (below, at) => {
        const column = ((at >> 2) % canvas.width) - x;
        const row = Math.floor(at / 4 / canvas.width) - y;
        if (column < 0 || row < 0 || column >= width || row >= height) return below;
        const alpha = Math.round(((coverage[row * width + column] ?? 0) * opacity) / 255);
        const paint = [colour.r, colour.g, colour.b, 255][at & 3] ?? 0;
        return Math.round((below * (255 - alpha) + paint * alpha) / 255);
      });
      paintMask(canvas, { x, y, width, height, coverage }, colour, opacity);
      expect([...canvas.pixels], `case ${count}`).toEqual(expected);
    }
  });

  it("blurs a picture: detail goes, mean and size stay", async () => {
    const { resampler } = await engine();
    const sharp = filledCanvas(300, 200, { r: 200, g: 200, b: 200 });
    for (let x = 0; x < 300; x += 2) fillBox(sharp, { x, y: 0, width: 1, height: 200 }, { r: 0, g: 0, b: 0 });
    const soft = defocus(sharp, resampler);
    expect([soft.width, soft.height]).toEqual([300, 200]);
    const reds = [...soft.pixels].filter((_, at) => at % 4 === 0);
    expect(Math.max(...reds) - Math.min(...reds)).toBeLessThan(60);
    const mean = reds.reduce((sum, value) => sum + value, 0) / reds.length;
    expect(Math.abs(mean - 100)).toBeLessThan(6);
    const small = filledCanvas(80, 60, GREY);
    expect(defocus(small, resampler)).toBe(small);
  });

  it("fades a scrim out at both ends of the axis across its gradient", () => {
    const canvas = filledCanvas(40, 100, { r: 255, g: 255, b: 255 });
    const stops = [
      { at: 0, opacity: 1 },
      { at: 1, opacity: 1 },
    ];
    const box = { x: 0, y: 0, width: 40, height: 100 };
    paintScrim(canvas, box, { r: 0, g: 0, b: 0 }, stops, "across", box, 30);
    const at = (y: number) => canvas.pixels[(y * 40 + 20) * 4] ?? 0;
    expect(at(0)).toBeGreaterThan(240);
    expect(at(50)).toBe(0);
    expect(at(99)).toBeGreaterThan(240);
    expect(at(10)).toBeGreaterThan(at(20));
  });

  it("spreads a shadow without losing or adding darkness", () => {
    const mask = { x: 40, y: 40, width: 20, height: 20, coverage: new Uint8Array(400).fill(255) };
    const soft = blurred(mask, 6, { x: 0, y: 0, width: 100, height: 100 });
    const sum = soft.coverage.reduce((total, value) => total + value, 0);
    expect(Math.abs(sum / (400 * 255) - 1)).toBeLessThan(0.02);
    expect(Math.max(...soft.coverage)).toBeLessThan(255);
  });

  it("dithers a soft ramp so that it shows no bands", () => {
    const canvas = filledCanvas(256, 64, { r: 40, g: 40, b: 40 });
    const black = { r: 0, g: 0, b: 0 };
    const box = { x: 0, y: 0, width: 256, height: 64 };
    paintScrim(
      canvas,
      box,
      black,
      [
        { at: 0, opacity: 0 },
        { at: 1, opacity: 0.25 },
      ],
      "across",
    );
    // A band is a run of uniform columns of one value; dithered columns mix two.
    let longest = 0;
    let run = 0;
    for (let x = 30; x < 226; x += 1) {
      const column = new Set(Array.from({ length: 64 }, (_, y) => canvas.pixels[(y * 256 + x) * 4]));
      run = column.size === 1 ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    expect(longest).toBeLessThan(8);
  });
});
