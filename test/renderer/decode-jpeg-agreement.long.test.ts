import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp, { type JpegOptions } from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage } from "#renderer/decode/index.ts";
import { decodeJpeg } from "#renderer/decode/jpeg.ts";
import { readJpegStructure } from "#renderer/decode/jpeg-markers.ts";
import { createEngine } from "#renderer/engine.ts";
import { dimensions } from "../support/dimensions.ts";
import { fixtureFile } from "../support/fixture-file.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { largestError } from "../support/picture-error.ts";
import { paintPicture } from "../support/pictures.ts";
import { asSharp } from "../support/sharp-reference.ts";
import { structuralSimilarity } from "../support/structural-similarity.ts";
import { unwrap } from "../support/unwrap.ts";

/** Guarantee: every accepted kind of JPEG decodes as in the reference library. */

const engine = createEngine(await loadCodecModules());

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array | Uint8ClampedArray;
}

async function decode(bytes: Uint8Array, width: number, height: number): Promise<Pixels> {
  return unwrap(await decodeImage(engine, bytes, "image/jpeg", { width, height })).raster;
}

async function reference(bytes: Uint8Array, width?: number, height?: number): Promise<Pixels> {
  const resized = width === undefined ? sharp(bytes) : sharp(bytes).resize(width, height, { fit: "fill" });
  const { data, info } = await resized.toColourspace("srgb").ensureAlpha().raw().toBuffer({
    resolveWithObject: true,
  });
  return { width: info.width, height: info.height, pixels: data };
}

function largestDifference(actual: Pixels, expected: Pixels): number {
  expect(actual).toMatchObject({ width: expected.width, height: expected.height });
  return largestError(actual.pixels, expected.pixels);
}

const similarity = (actual: Pixels, expected: Pixels): number =>
  structuralSimilarity(actual.pixels, expected.pixels, expected.width, expected.height, 4);

const OPTIONS: Record<string, JpegOptions> = {
  "4:2:0": {},
  "4:4:4": { chromaSubsampling: "4:4:4" },
  "default Huffman tables": { optimiseCoding: false },
  "quality 100": { quality: 100 },
  "quality 12": { quality: 12 },
  progressive: { progressive: true },
  "progressive 4:4:4": { progressive: true, chromaSubsampling: "4:4:4" },
  "progressive, quality 100": { progressive: true, quality: 100 },
  "scans and trellis of mozjpeg": { mozjpeg: true },
  "scans and trellis of mozjpeg, 4:4:4": { mozjpeg: true, chromaSubsampling: "4:4:4", quality: 96 },
  grey: {},
  "progressive grey": { progressive: true },
};
const SIZES = dimensions("1x1 1x37 41x1 2x2 7x5 16x16 17x33 64x48 203x141");

describe("files written by the reference library decode to its samples", () => {
  for (const [name, options] of Object.entries(OPTIONS)) {
    it.each(SIZES)(`${name}, %i × %i`, async (width, height) => {
      const picture = asSharp(paintPicture(width, height)).removeAlpha();
      const painted = name.includes("grey") ? picture.greyscale() : picture;
      const bytes = await painted.jpeg({ quality: 88, ...options }).toBuffer();
      expect(largestDifference(await decode(bytes, width, height), await reference(bytes))).toBe(0);
    });
  }
});

/**
 * Every kind that the reference library reads but does not write, in three sizes: sampling factors, scans, RST,
 * colours.
 */
const WRITTEN = readdirSync(join(import.meta.dirname, "../fixtures/jpeg")).filter((name) =>
  name.endsWith(".jpg"),
);
const sizeIn = (name: string): readonly number[] =>
  /(\d+)x(\d+)\.jpg$/.exec(name)?.slice(1).map(Number) ?? [];

describe("files that the reference library reads but cannot write decode to its samples", () => {
  it.each(WRITTEN)("%s", async (name) => {
    const bytes = fixtureFile(`jpeg/${name}`);
    const [width = 0, height = 0] = sizeIn(name);
    expect(largestDifference(await decode(bytes, width, height), await reference(bytes))).toBe(0);
  });

  it("sampling factors that the reference library rejects decode to the encoded picture", async () => {
    const decoded = await decode(fixtureFile("jpeg/others/factors-3x2-2x1.jpg"), 61, 45);
    expect(similarity(decoded, paintPicture(61, 45))).toBeGreaterThan(0.8);
  });
});

/** The pixels of a CMYK file as four inks. */
async function inksOf(bytes: Uint8Array, width: number, height: number): Promise<Pixels> {
  const jpeg = readJpegStructure(bytes);
  if (typeof jpeg === "string") throw new Error(jpeg);
  const decoded = await decodeJpeg(engine.useJpegDecoder, jpeg, { width, height });
  if (!decoded.ok || decoded.value.colours !== "cmyk") throw new Error("it has four inks");
  return decoded.value.raster;
}

describe("CMYK is read in the file's polarity", () => {
  it.each([
    ["as stored without APP14", "cmyk.jpg", [155, 55, 205, 55]],
    ["inverted with it", "cmyk-app14.jpg", [100, 200, 50, 200]],
  ])("%s", async (_, name, expected) => {
    const { pixels } = await inksOf(fixtureFile(`jpeg/others/${name}`), 16, 16);
    for (const [channel, ink] of expected.entries()) {
      expect(Math.abs((pixels[channel] ?? 0) - ink)).toBeLessThanOrEqual(2);
    }
  });

  it.each([{}, { progressive: true }, { quality: 40 }, { progressive: true, quality: 100 }])(
    "as written by the reference library: %o",
    async (options) => {
      const picture = asSharp(paintPicture(61, 45)).removeAlpha().toColourspace("cmyk");
      const bytes = await picture.jpeg(options).toBuffer();
      const decoded = await inksOf(bytes, 61, 45);
      const pixels = await sharp(bytes).pipelineColourspace("cmyk").toColourspace("cmyk").raw().toBuffer();
      expect(largestDifference(decoded, { width: 61, height: 45, pixels })).toBeLessThanOrEqual(2);
    },
  );
});

describe("a picture decoded at a smaller scale matches the whole picture resized", () => {
  const whole = paintPicture(640, 416);
  const smooth = () => asSharp(whole).removeAlpha().blur(1.2);
  it.each<[string, JpegOptions]>([
    ["baseline", {}],
    ["baseline 4:4:4", { chromaSubsampling: "4:4:4" }],
    ["progressive", { progressive: true }],
    ["scans and trellis of mozjpeg", { mozjpeg: true }],
  ])("%s", async (_name, options) => {
    const bytes = await smooth()
      .jpeg({ quality: 92, ...options })
      .toBuffer();
    for (const [width, height] of dimensions("320x208 160x104 80x52 40x26")) {
      const decoded = await decode(bytes, width, height);
      expect(decoded).toMatchObject({ width, height });
      expect(
        similarity(decoded, await reference(bytes, width, height)),
        `${width} × ${height}`,
      ).toBeGreaterThan(0.98);
    }
  });

  it.each(WRITTEN.filter((name) => name.endsWith("-152x104.jpg")))("%s", async (name) => {
    const bytes = fixtureFile(`jpeg/${name}`);
    for (const divisor of [2, 4, 8]) {
      const [width, height] = [152 / divisor, 104 / divisor];
      const decoded = await decode(bytes, width, height);
      expect(decoded).toMatchObject({ width, height });
      expect(similarity(decoded, await reference(bytes, width, height)), `1/${divisor}`).toBeGreaterThan(0.9);
    }
  });

  it("the same coefficients decode to the same samples, progressive or not", async () => {
    const [sequential, progressive, apart] = ["420", "refined-420", "not-interleaved"].map((name) =>
      fixtureFile(`jpeg/${name}-152x104.jpg`),
    );
    if (!sequential || !progressive || !apart) throw new Error("three files");
    for (const divisor of [1, 2, 3, 4, 8, 20]) {
      const [width, height] = [Math.floor(152 / divisor), Math.floor(104 / divisor)];
      const decoded = await decode(sequential, width, height);
      expect(await decode(progressive, width, height)).toEqual(decoded);
      expect(await decode(apart, width, height)).toEqual(decoded);
    }
  });
});
