import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeStill } from "../../src/renderer/encode/index.ts";
import { createEngine } from "../../src/renderer/engine.ts";
import type { Raster } from "../../src/renderer/types.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { meanError } from "../support/picture-error.ts";
import { paintPicture } from "../support/pictures.ts";
import { referencePixels } from "../support/sharp-reference.ts";

const engine = createEngine(await loadCodecModules());
const picture = paintPicture(300, 250);
const FORMATS = ["png", "jpg", "webp"] as const;

async function encode(raster: Raster, format: (typeof FORMATS)[number], byteCap: number | null) {
  const encoded = await encodeStill(engine, raster, format, byteCap);
  if (!encoded.ok) throw new Error(encoded.message);
  return encoded.value;
}

/** Two flat colours and an edge between them, as in a logo. */
function flatPicture(width: number, height: number): Raster {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < pixels.length; at += 4) {
    pixels.set((at >> 2) % width < width / 2 ? [225, 29, 72, 255] : [255, 255, 255, 255], at);
  }
  return { width, height, pixels, alpha: "opaque" };
}

describe("without a cap a still looks like its raster", () => {
  it.each(FORMATS)("%s", async (format) => {
    const { bytes, reduced, quality } = await encode(picture, format, null);
    expect(reduced).toBe(false);
    expect(quality === null).toBe(format === "png");
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ width: 300, height: 250, format: format === "jpg" ? "jpeg" : format });
    expect(meanError(picture.pixels, await referencePixels(bytes))).toBeLessThan(4);
  });
});

it("a JPEG is written in scans, which take time and save bytes, only where the cap asks for them", async () => {
  const free = await encode(picture, "jpg", null);
  expect(await sharp(free.bytes).metadata()).toMatchObject({ isProgressive: false });
  const capped = await encode(picture, "jpg", Math.floor(free.bytes.length * 0.9));
  expect(await sharp(capped.bytes).metadata()).toMatchObject({ isProgressive: true });
});

describe("flat designs stay exact", () => {
  it("as PNG, in few bytes", async () => {
    const flat = flatPicture(320, 50);
    const { bytes } = await encode(flat, "png", null);
    expect(bytes.length).toBeLessThan(300);
    expect(meanError(flat.pixels, await referencePixels(bytes))).toBe(0);
  });

  it("as JPEG, with colour at full resolution", async () => {
    const { bytes } = await encode(flatPicture(64, 50), "jpg", null);
    expect((await sharp(bytes).metadata()).chromaSubsampling).toBe("4:4:4");
  });

  it("while a photograph's colour is halved", async () => {
    const smooth = paintPicture(300, 250);
    for (let at = 0; at < smooth.pixels.length; at += 4) smooth.pixels[at] = smooth.pixels[at + 1] ?? 0;
    for (let at = 0; at < smooth.pixels.length; at += 4) smooth.pixels[at + 2] = smooth.pixels[at + 1] ?? 0;
    const { bytes } = await encode(smooth, "jpg", null);
    expect((await sharp(bytes).metadata()).chromaSubsampling).toBe("4:2:0");
  });
});

it.each([
  [1, 1],
  [1, 40],
  [40, 1],
  [3, 2],
])("a raster of %i × %i pixels is written in every format", async (width, height) => {
  for (const format of FORMATS) {
    const { bytes } = await encode(flatPicture(width, height), format, null);
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
  }
});
