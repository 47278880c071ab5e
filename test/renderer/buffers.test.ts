import { describe, expect, it } from "vitest";
import { freeBytes, freeRaster } from "../../src/renderer/buffers.ts";
import { filledCanvas } from "../../src/renderer/raster/canvas.ts";
import { catalogueSize, inputsOf, renderer, sampleAsset } from "../support/renderer.ts";

/**
 * Guarantee: memory freed by hand is freed at once, and using it afterwards is an error rather than a black
 * picture. That nothing of a pack is used after it is freed, the goldens and the hashes hold.
 */

const GREY = { r: 90, g: 90, b: 90 };

describe("a freed raster", () => {
  it("holds no memory, and throws when it is read or freed again", () => {
    const canvas = filledCanvas(40, 30, GREY);
    const { pixels } = canvas;
    freeRaster(canvas);
    expect(pixels.buffer.byteLength).toBe(0);
    expect(() => canvas.pixels).toThrow("freed");
    expect(() => freeRaster(canvas)).toThrow("freed");
  });

  it("throws under another name when its pixels are copied", () => {
    const canvas = filledCanvas(40, 30, GREY);
    const alias = { ...canvas };
    freeRaster(canvas);
    expect(() => alias.pixels.slice()).toThrow(TypeError);
    expect(() => new Uint8ClampedArray(4800).set(alias.pixels)).toThrow(TypeError);
  });
});

it("bytes that are a part of a larger buffer are left to those who hold the rest", () => {
  const whole = Uint8Array.of(1, 2, 3, 4);
  freeBytes(whole.subarray(1, 3));
  expect([...whole]).toEqual([1, 2, 3, 4]);
  freeBytes(whole);
  expect(whole.buffer.byteLength).toBe(0);
});

describe("a closed pack", () => {
  const size = catalogueSize("iab-300x250");

  it("cannot be drawn, and may be closed twice", async () => {
    const media = sampleAsset("dandelion.jpg");
    const pack = await renderer.prepare(inputsOf({ assets: { media } }));
    if (!pack.ok) throw new Error(pack.message);
    pack.value.close();
    pack.value.close();
    await expect(renderer.render(pack.value, { size, motion: "static", format: "png" })).rejects.toThrow();
  });

  it("leaves bytes that were handed in as they were, and frees those that it fetched", async () => {
    const given = sampleAsset("dandelion.jpg");
    const fetched = Uint8Array.from(given.bytes);
    const load = async () => ({ ok: true, value: fetched }) as const;
    for (const media of [given, { mimeType: given.mimeType, load, renditions: null }]) {
      const pack = await renderer.prepare(inputsOf({ assets: { media } }));
      if (!pack.ok) throw new Error(pack.message);
      pack.value.close();
    }
    expect(given.bytes.byteLength).toBeGreaterThan(0);
    expect(fetched.byteLength).toBe(0);
  });
});
