import sharp, { type JpegOptions } from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage } from "#renderer/decode/index.ts";
import { decodeJpeg } from "#renderer/decode/jpeg.ts";
import { readJpegStructure } from "#renderer/decode/jpeg-markers.ts";
import { createEngine } from "#renderer/engine.ts";
import { dimensions } from "../support/dimensions.ts";
import {
  type JpegToWrite,
  progressiveScan,
  REFINED_SCANS,
  sequentialScan,
  writeJpeg,
} from "../support/jpeg/write-jpeg.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { largestError } from "../support/picture-error.ts";
import { paintPicture } from "../support/pictures.ts";
import { asSharp } from "../support/sharp-reference.ts";
import { structuralSimilarity } from "../support/structural-similarity.ts";

/** Guarantee: every kind of JPEG that is taken decodes to what the reference library makes of it. */

const engine = createEngine(await loadCodecModules());

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array | Uint8ClampedArray;
}

async function decode(bytes: Uint8Array, width: number, height: number): Promise<Pixels> {
  const decoded = await decodeImage(engine, bytes, "image/jpeg", { width, height });
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.value.raster;
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

describe("files of the reference library decode to the same samples as there", () => {
  for (const [name, options] of Object.entries(OPTIONS)) {
    it.each(SIZES)(`${name}, %i × %i`, async (width, height) => {
      const picture = asSharp(paintPicture(width, height)).removeAlpha();
      const painted = name.includes("grey") ? picture.greyscale() : picture;
      const bytes = await painted.jpeg({ quality: 88, ...options }).toBuffer();
      expect(largestDifference(await decode(bytes, width, height), await reference(bytes))).toBe(0);
    });
  }
});

const ONE = { h: 1, v: 1 };
const YCC: Pick<JpegToWrite, "colours"> = { colours: "ycc" };
const lumaOf = (h: number, v: number) => [{ h, v }, ONE, ONE];

const NOT_INTERLEAVED = [sequentialScan(0), sequentialScan(1), sequentialScan(2)];

const WRITTEN: Record<string, Omit<JpegToWrite, "raster">> = {
  grey: { colours: "grey", samplings: [ONE] },
  "grey with sampling factors 2 × 2": { colours: "grey", samplings: [{ h: 2, v: 2 }] },
  "4:4:4": { ...YCC, samplings: lumaOf(1, 1) },
  "4:2:2": { ...YCC, samplings: lumaOf(2, 1) },
  "4:2:0": { ...YCC, samplings: lumaOf(2, 2) },
  "4:4:0": { ...YCC, samplings: lumaOf(1, 2) },
  "4:1:1": { ...YCC, samplings: lumaOf(4, 1) },
  "4:1:0": { ...YCC, samplings: lumaOf(4, 2) },
  "4 lines of luma to one of chroma": { ...YCC, samplings: lumaOf(1, 4) },
  "Cb of half, Cr of full width": {
    ...YCC,
    samplings: [{ h: 2, v: 1 }, ONE, { h: 2, v: 1 }],
  },
  "chroma larger than luma": { ...YCC, samplings: [ONE, { h: 2, v: 1 }, { h: 2, v: 2 }] },
  "doubled factors": { ...YCC, samplings: [{ h: 2, v: 2 }, { h: 2, v: 1 }, ONE] },
  "quantisation table of 16 bits (SOF1)": { ...YCC, samplings: lumaOf(2, 2), has16BitQuantisers: true },
  "RST behind every MCU": { ...YCC, samplings: lumaOf(2, 2), restartInterval: 1 },
  "RST behind every 7 MCUs": { ...YCC, samplings: lumaOf(1, 1), restartInterval: 7 },
  "not interleaved": { ...YCC, samplings: lumaOf(2, 2), scans: NOT_INTERLEAVED },
  "not interleaved, with RST": {
    ...YCC,
    samplings: lumaOf(2, 1),
    scans: NOT_INTERLEAVED,
    restartInterval: 3,
  },
  "one component not interleaved": {
    ...YCC,
    samplings: lumaOf(2, 2),
    scans: [sequentialScan(0), sequentialScan(1, 2)],
  },
  "RGB by APP14": { colours: "rgb", samplings: lumaOf(1, 1), adobeTransform: 0 },
  "RGB by component ids": { colours: "rgb", samplings: lumaOf(1, 1) },
  "successive approximation": { ...YCC, samplings: lumaOf(2, 2), scans: REFINED_SCANS },
  "successive approximation, 4:4:4": { ...YCC, samplings: lumaOf(1, 1), scans: REFINED_SCANS },
  "successive approximation, 4:4:0": { ...YCC, samplings: lumaOf(1, 2), scans: REFINED_SCANS },
  "successive approximation, with RST": {
    ...YCC,
    samplings: lumaOf(2, 1),
    scans: REFINED_SCANS,
    restartInterval: 5,
  },
  "successive approximation, grey": {
    colours: "grey",
    samplings: [ONE],
    scans: REFINED_SCANS.filter(({ components }) => components[0] === 0).map((scan) => ({
      ...scan,
      components: [0],
    })),
  },
  "a scan for every coefficient": {
    ...YCC,
    samplings: lumaOf(1, 1),
    scans: [
      progressiveScan([0, 1, 2], 0, 0, 0, 0),
      ...Array.from({ length: 60 }, (_, at) =>
        progressiveScan([at % 3], 1 + Math.floor(at / 3), 1 + Math.floor(at / 3), 0, 0),
      ),
    ],
  },
};

describe("files that it cannot write decode to the same samples as there", () => {
  for (const [name, jpeg] of Object.entries(WRITTEN)) {
    it.each(dimensions("5x3 61x45"))(`${name}, %i × %i`, async (width, height) => {
      const bytes = writeJpeg({ ...jpeg, raster: paintPicture(width, height) });
      expect(largestDifference(await decode(bytes, width, height), await reference(bytes))).toBe(0);
    });
  }

  it("sampling factors that it refuses decode to the picture that was encoded", async () => {
    const raster = paintPicture(61, 45);
    const samplings = [{ h: 3, v: 2 }, { h: 2, v: 1 }, ONE];
    const decoded = await decode(writeJpeg({ raster, colours: "ycc", samplings }), 61, 45);
    expect(similarity(decoded, raster)).toBeGreaterThan(0.8);
  });
});

describe("CMYK is read in the file's polarity", () => {
  const cmyk: Pick<JpegToWrite, "colours" | "samplings"> = {
    colours: "cmyk",
    samplings: [ONE, ONE, ONE, ONE],
  };
  it.each<[string, number | undefined, readonly number[]]>([
    ["as stored without APP14", undefined, [155, 55, 205, 55]],
    ["inverted with it", 0, [100, 200, 50, 200]],
  ])("%s", async (_name, adobeTransform, expected) => {
    const pixels = new Uint8ClampedArray(16 * 16 * 4).map((_, at) => [100, 200, 50, 255][at % 4] ?? 0);
    const raster = { width: 16, height: 16, pixels, alpha: "opaque" as const };
    const bytes = writeJpeg({ ...cmyk, raster, ...(adobeTransform === undefined ? {} : { adobeTransform }) });
    const jpeg = readJpegStructure(bytes);
    if (typeof jpeg === "string") throw new Error(jpeg);
    const decoded = await decodeJpeg(engine.useJpegDecoder, jpeg, { width: 16, height: 16 });
    if (!decoded.ok) throw new Error(decoded.message);
    if (decoded.value.colours !== "cmyk") throw new Error("it has four inks");
    for (const [channel, ink] of expected.entries()) {
      expect(Math.abs((decoded.value.raster.pixels[channel] ?? 0) - ink)).toBeLessThanOrEqual(2);
    }
  });

  it.each([{}, { progressive: true }, { quality: 40 }, { progressive: true, quality: 100 }])(
    "as written by the reference library: %o",
    async (options) => {
      const picture = asSharp(paintPicture(61, 45)).removeAlpha().toColourspace("cmyk");
      const bytes = await picture.jpeg(options).toBuffer();
      const jpeg = readJpegStructure(bytes);
      if (typeof jpeg === "string") throw new Error(jpeg);
      const decoded = await decodeJpeg(engine.useJpegDecoder, jpeg, { width: 61, height: 45 });
      if (!decoded.ok || decoded.value.colours !== "cmyk") throw new Error("it has four inks");
      const pixels = await sharp(bytes).pipelineColourspace("cmyk").toColourspace("cmyk").raw().toBuffer();
      expect(largestDifference(decoded.value.raster, { width: 61, height: 45, pixels })).toBeLessThanOrEqual(
        2,
      );
    },
  );
});

describe("a picture decoded at a smaller scale is like the whole picture resized", () => {
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

  it.each(Object.entries(WRITTEN))("%s", async (_name, jpeg) => {
    const raster = paintPicture(152, 104);
    const bytes = writeJpeg({ ...jpeg, raster });
    for (const divisor of [2, 4, 8]) {
      const [width, height] = [152 / divisor, 104 / divisor];
      const decoded = await decode(bytes, width, height);
      expect(decoded).toMatchObject({ width, height });
      expect(similarity(decoded, await reference(bytes, width, height)), `1/${divisor}`).toBeGreaterThan(0.9);
    }
  });

  it("progressive or not, the same coefficients give the same samples", async () => {
    const raster = paintPicture(152, 104);
    const sequential = writeJpeg({ raster, colours: "ycc", samplings: lumaOf(2, 2) });
    const progressive = writeJpeg({ raster, colours: "ycc", samplings: lumaOf(2, 2), scans: REFINED_SCANS });
    const apart = writeJpeg({ raster, colours: "ycc", samplings: lumaOf(2, 2), scans: NOT_INTERLEAVED });
    for (const divisor of [1, 2, 3, 4, 8, 20]) {
      const [width, height] = [Math.floor(152 / divisor), Math.floor(104 / divisor)];
      const decoded = await decode(sequential, width, height);
      expect(await decode(progressive, width, height)).toEqual(decoded);
      expect(await decode(apart, width, height)).toEqual(decoded);
    }
  });
});
