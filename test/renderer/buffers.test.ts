import { describe, expect, it } from "vitest";
import { type CanvasMemory, freeBytes, freeRaster, lender } from "#renderer/buffers.ts";
import { encodeDrawn, encodeStill } from "#renderer/encode/index.ts";
import { createEngine } from "#renderer/engine.ts";
import { filledCanvas } from "#renderer/raster/canvas.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { catalogueSize, inputsOf, renderer, sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: memory freed by hand is freed at once, and later use throws instead of drawing black. The tests of goldens
 * and hashes check that a pack's memory is not used after it is freed.
 */

const modules = await loadCodecModules();
const GREY = { r: 90, g: 90, b: 90 };

describe("a freed raster", () => {
  it("uses no memory, and throws when read or freed again", () => {
    const canvas = filledCanvas(40, 30, GREY);
    const { pixels } = canvas;
    freeRaster(canvas);
    expect(pixels.buffer.byteLength).toBe(0);
    expect(() => canvas.pixels).toThrow("freed");
    expect(() => freeRaster(canvas)).toThrow("freed");
  });

  it("also throws when the pixels of a copied raster object are read", () => {
    const canvas = filledCanvas(40, 30, GREY);
    const alias = { ...canvas };
    freeRaster(canvas);
    expect(() => alias.pixels.slice()).toThrow(TypeError);
    expect(() => new Uint8ClampedArray(4800).set(alias.pixels)).toThrow(TypeError);
  });
});

it("bytes that are part of a larger buffer are not freed", () => {
  const whole = Uint8Array.of(1, 2, 3, 4);
  freeBytes(whole.subarray(1, 3));
  expect([...whole]).toEqual([1, 2, 3, 4]);
  freeBytes(whole);
  expect(whole.buffer.byteLength).toBe(0);
});

describe("lent bytes", () => {
  const own = new Uint8ClampedArray(40 * 30 * 4);
  const memory = lender(own);

  it("serve one canvas at a time, and the next canvas once the first is freed", () => {
    const first = filledCanvas(40, 30, GREY, memory);
    const second = filledCanvas(40, 30, GREY, memory);
    expect(first.pixels).toBe(own);
    expect(second.pixels).not.toBe(own);
    freeRaster(first);
    expect(() => freeRaster(first)).toThrow("freed");
    expect(filledCanvas(40, 30, GREY, memory).pixels).toBe(own);
    expect(own.byteLength).toBe(4800);
  });

  it("serve no canvas of another size", () => {
    expect(filledCanvas(40, 29, GREY, lender(own)).pixels).not.toBe(own);
  });
});

describe("a JPEG's canvas", () => {
  const size = { width: 40, height: 30 };
  const encoders = createEngine(modules);

  it("is encoded to the same file in the codec's memory and on the heap", async () => {
    const drawn = (memory?: CanvasMemory) => ({ canvas: filledCanvas(40, 30, GREY, memory) });
    const still = await encodeStill(encoders, drawn().canvas, "jpg", null);
    for (const draw of [drawn, () => drawn()]) {
      const encoded = await encodeDrawn(encoders, size, null, (memory) => ({
        ok: true,
        value: draw(memory),
      }));
      expect(still.ok && encoded.ok && encoded.value.still).toEqual(still.ok && still.value);
    }
  });

  it("returns a failure of drawing, and rethrows a bug", async () => {
    const failure = { ok: false, code: "HEADLINE_DOES_NOT_FIT", message: "too long" } as const;
    expect(await encodeDrawn(encoders, size, null, () => failure)).toBe(failure);
    const bug = new Error("a bug");
    await expect(
      encodeDrawn(encoders, size, null, () => {
        throw bug;
      }),
    ).rejects.toBe(bug);
  });
});

describe("a closed pack", () => {
  const size = catalogueSize("iab-300x250");

  it("cannot be drawn, and may be closed twice", async () => {
    const media = sampleAsset("dandelion.jpg");
    const pack = unwrap(await renderer.prepare(inputsOf({ assets: { media } })));
    pack.close();
    pack.close();
    await expect(renderer.render(pack, { size, motion: "static", format: "png" })).rejects.toThrow();
  });

  it("leaves bytes passed by the caller unchanged, and frees fetched bytes", async () => {
    const given = sampleAsset("dandelion.jpg");
    const fetched = Uint8Array.from(given.bytes);
    const load = async () => ({ ok: true, value: fetched }) as const;
    for (const media of [given, { mimeType: given.mimeType, load, renditions: null }]) {
      const pack = unwrap(await renderer.prepare(inputsOf({ assets: { media } })));
      pack.close();
    }
    expect(given.bytes.byteLength).toBeGreaterThan(0);
    expect(fetched.byteLength).toBe(0);
  });
});
