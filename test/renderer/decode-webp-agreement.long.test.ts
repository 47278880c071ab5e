import { readFileSync } from "node:fs";
import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import sharp, { type Sharp, type WebpOptions } from "sharp";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { decodeImage, decodeImageAtSizes } from "#renderer/decode/index.ts";
import type { Wanted } from "#renderer/decode/shrink-factor.ts";
import { emscriptenOptions } from "#renderer/encode/webp-codec.ts";
import { createEngine } from "#renderer/engine.ts";
import { toRgba } from "#renderer/raster/rgb-pixels.ts";
import type { Raster } from "#renderer/types.ts";
import { averaged } from "../support/averaged.ts";
import { dimensions } from "../support/dimensions.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { largestError } from "../support/picture-error.ts";
import { paintPicture, seededRandom } from "../support/pictures.ts";
import { asSharp } from "../support/sharp-reference.ts";
import { structuralSimilarity } from "../support/structural-similarity.ts";
import { unwrap } from "../support/unwrap.ts";
import { type WebpChoices, webpEncoder } from "../support/webp/encode-webp.ts";
import { randomFrame } from "../support/webp/random-frame.ts";

/** Guarantee: a WebP decodes to exactly libwebp's pixels, whatever its header contains. */

const SEED = 20_261_121;
const modules = await loadCodecModules();
const engine = createEngine(modules);
const encode = await webpEncoder(modules);

async function decode(bytes: Uint8Array, wanted: Wanted): Promise<Raster> {
  return unwrap(await decodeImage(engine, bytes, "image/webp", wanted)).raster;
}

const reference = (bytes: Uint8Array): Promise<Uint8Array> => sharp(bytes).ensureAlpha().raw().toBuffer();

/** Colours weighted by alpha. */
const asSeen = (rgba: ArrayLike<number>): readonly number[] =>
  Array.from(rgba, (value, at) => (at % 4 === 3 ? value : (value * (rgba[at | 3] ?? 0)) / 255));

async function expectSamePixels(bytes: Uint8Array, { width, height }: Wanted): Promise<void> {
  const actual = await decode(bytes, { width, height });
  const expected = await reference(bytes);
  expect(actual).toMatchObject({ width, height });
  expect(largestError(actual.pixels, expected)).toBe(0);
}

function noise(width: number, height: number): Raster {
  const random = seededRandom(SEED);
  const pixels = Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : random() * 256,
  );
  return { width, height, pixels, alpha: "opaque" };
}

/** Flat shapes, most of whose macroblocks are skipped. */
function graphic(width: number, height: number): Raster {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isInside = (x - width / 3) ** 2 + (y - height / 2) ** 2 < (Math.min(width, height) / 4) ** 2;
      if (isInside) pixels.set([200, 30, 60], (y * width + x) * 4);
    }
  }
  return { width, height, pixels, alpha: "opaque" };
}

const PAINTS = { picture: paintPicture, noise, graphic } as const;
type Paint = keyof typeof PAINTS;

/** A picture whose alpha has ramps and holes. */
function cutOut(width: number, height: number): Sharp {
  const { pixels } = paintPicture(width, height);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = (at >> 6) % 5 === 0 ? 0 : (at >> 3) & 255;
  return asSharp({ width, height, pixels, alpha: "straight" });
}

const SIZES = dimensions(
  "1x1 2x1 1x2 3x5 7x9 8x8 15x16 16x15 16x16 17x17 31x33 33x64 100x1 1x100 129x65 203x141",
);

describe("every size", () => {
  it.each(SIZES)("%i × %i", async (width, height) => {
    for (const quality of [35, 90]) {
      const bytes = await asSharp(paintPicture(width, height)).removeAlpha().webp({ quality }).toBuffer();
      await expectSamePixels(bytes, { width, height });
      const clear = await cutOut(width, height).webp({ quality, effort: 1 }).toBuffer();
      await expectSamePixels(clear, { width, height });
    }
  });
});

const OPTIONS: readonly WebpOptions[] = [
  { quality: 1 },
  { quality: 20, effort: 0 },
  { quality: 50, effort: 6 },
  { quality: 75, smartSubsample: true },
  { quality: 90, effort: 2 },
  { quality: 100 },
  { preset: "photo" },
  { preset: "drawing", effort: 5 },
  { preset: "icon" },
  { preset: "text", quality: 60 },
];

describe.each(Object.keys(PAINTS) as Paint[])("every way to encode a %s", (paint) => {
  const width = 149;
  const height = 107;

  it.each(OPTIONS)("%j", async (options) => {
    const bytes = await asSharp(PAINTS[paint](width, height)).removeAlpha().webp(options).toBuffer();
    await expectSamePixels(bytes, { width, height });
  });
});

describe("lossy and lossless alpha, with lossy and with lossless colours", () => {
  it.each<WebpOptions>([
    ...[100, 60, 0].map((alphaQuality) => ({ alphaQuality, quality: 70 })),
    { lossless: true },
  ])("%j", async (options) => {
    const bytes = await cutOut(93, 71).webp(options).toBuffer();
    await expectSamePixels(bytes, { width: 93, height: 71 });
  });
});

const CHOICES: readonly WebpChoices[] = [
  ...[0, 1, 2, 3].map((partitions) => ({ partitions })),
  ...[1, 3, 7].map((filter_sharpness) => ({ filter_type: 0, filter_sharpness, filter_strength: 90 })),
  ...[2, 5].map((filter_sharpness) => ({ filter_sharpness, filter_strength: 100, quality: 20 })),
  { filter_strength: 0 },
  { segments: 1 },
  { segments: 2, sns_strength: 100, partitions: 3, method: 6 },
];

describe("features that only libwebp's own encoder offers", () => {
  it.each(CHOICES)("%j", async (choices) => {
    const picture = paintPicture(173, 181);
    await expectSamePixels(encode(picture, choices), picture);
  });
});

/**
 * Number of random frames. It is large enough to cover all numbers of partitions, both filters, and segments of every
 * kind.
 */
const FRAMES = 64;
const DECODED_MIN = 56;

/** libwebp built without this machine's SIMD instructions. Sharp's build differs where numbers overflow 16 bits. */
async function portableDecoder(): Promise<(bytes: Uint8Array) => Uint8ClampedArray | null> {
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  vi.stubGlobal(
    "ImageData",
    class {
      constructor(readonly data: Uint8ClampedArray) {}
    },
  );
  const bytes = readFileSync("node_modules/@jsquash/webp/codec/dec/webp_dec.wasm");
  const decoder = await createDecoder(emscriptenOptions(Reflect.construct(WebAssembly.Module, [bytes])));
  return (webp) => decoder.decode(Uint8Array.from(webp))?.data ?? null;
}

it.each(dimensions("75x150 40x33"))(
  `%i × %i of random headers, modes and coefficients, seed ${SEED}`,
  async (width, height) => {
    const decodePortably = await portableDecoder();
    const random = seededRandom(SEED);
    let decoded = 0;
    for (let frame = 0; frame < FRAMES; frame += 1) {
      const bytes = randomFrame(width, height, random);
      if (largestError(decodePortably(bytes) ?? [], await reference(bytes)) !== 0) continue;
      decoded += 1;
      await expectSamePixels(bytes, { width, height });
    }
    expect(decoded).toBeGreaterThanOrEqual(DECODED_MIN);
  },
);

/** `filter_strength` with which libwebp writes these levels of the loop filter, at this quality of this picture. */
const STRENGTHS = { 0: 0, 15: 80, 16: 83 };

describe("smaller sizes match means of the whole picture", () => {
  const width = 301;
  const height = 220;

  it.each([70, 5].flatMap((quality) => [2, 3, 4, 5, 6, 8, 16].map((factor) => ({ quality, factor }))))(
    "by $factor, quality $quality",
    async ({ quality, factor }) => {
      const wanted = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
      const bytes = await asSharp(paintPicture(width, height)).removeAlpha().webp({ quality }).toBuffer();
      const { pixels, ...size } = await decode(bytes, wanted);
      expect(size).toEqual({
        width: Math.ceil(width / factor),
        height: Math.ceil(height / factor),
        alpha: "opaque",
      });
      const means = averaged(await reference(bytes), width, height, factor).pixels;
      expect(structuralSimilarity(pixels, means, size.width, size.height, 4)).toBeGreaterThan(0.995);
    },
  );

  it.each([
    [3, 15, false],
    [4, 15, true],
    [7, 15, true],
    [4, 16, false],
  ] as const)(
    "by %i, a loop filter of level %i is skipped: %s; also when decoded with other sizes",
    async (factor, level, isLeftOut) => {
      const choices = { segments: 1, method: 2, quality: 50 };
      const frame = (filterLevel: keyof typeof STRENGTHS) =>
        encode(paintPicture(width, height), { ...choices, filter_strength: STRENGTHS[filterLevel] });
      const whole = { width, height };
      const wanted = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
      const { pixels } = await decode(frame(level), wanted);
      const unfiltered = await decode(frame(0), wanted);
      expect(largestError(pixels, unfiltered.pixels) === 0).toBe(isLeftOut);
      for (const sizes of [
        [whole, wanted],
        [wanted, whole],
      ]) {
        const taken = new Map<Wanted, Uint8ClampedArray>();
        await decodeImageAtSizes(engine, frame(level), "image/webp", sizes, async ({ raster }, [one]) => {
          if (one !== undefined) taken.set(one, toRgba(raster).pixels);
        });
        expect(taken.get(wanted)).toEqual(pixels);
        expect(largestError(taken.get(whole) ?? [], await reference(frame(level)))).toBe(0);
      }
    },
  );

  it("by 300, to a single pixel", async () => {
    const bytes = await asSharp(graphic(300, 300)).removeAlpha().webp().toBuffer();
    const { pixels } = await decode(bytes, { width: 1, height: 1 });
    const means = averaged(await reference(bytes), 300, 300, 300).pixels;
    expect(pixels).toHaveLength(4);
    expect(largestError(pixels, means)).toBeLessThanOrEqual(1);
  });

  it.each([2, 3, 5])("with alpha, by %i", async (factor) => {
    const bytes = await cutOut(width, height).webp({ quality: 80 }).toBuffer();
    const wanted = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
    const { pixels, alpha } = await decode(bytes, wanted);
    const means = averaged(await reference(bytes), width, height, factor).pixels;
    expect(alpha).toBe("straight");
    expect(largestError(asSeen(pixels), asSeen(means))).toBeLessThanOrEqual(2);
  });

  it("and, scaled to the final size, match the reference library's own resize", async () => {
    const bytes = await asSharp(paintPicture(640, 480)).removeAlpha().webp({ quality: 80 }).toBuffer();
    const raster = await decode(bytes, { width: 200, height: 150 });
    const finish = (image: Sharp): Promise<Uint8Array> =>
      image.resize(200, 150, { fit: "fill" }).ensureAlpha().raw().toBuffer();
    const similarity = structuralSimilarity(
      await finish(asSharp(raster)),
      await finish(sharp(bytes)),
      200,
      150,
      4,
    );
    expect(similarity).toBeGreaterThan(0.98);
  });
});
