import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createAnimationBudget } from "#renderer/encode/animation-budget.ts";
import { frameCounts, planOf } from "#renderer/encode/frame-plan.ts";
import { encodeAnimation, encodeStill } from "#renderer/encode/index.ts";
import { EDGE_PX_MAX, FRAMES_MAX, WEBP_QUALITY_PREFERRED } from "#renderer/encode/limits.ts";
import { createEngine } from "#renderer/engine.ts";
import type { Raster } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { meanError } from "../support/picture-error.ts";
import { paintPicture, seededRandom } from "../support/pictures.ts";
import { readSample } from "../support/renderer.ts";
import { asSharp, referencePixels } from "../support/sharp-reference.ts";
import { unwrap } from "../support/unwrap.ts";
import { webpEncoder } from "../support/webp/encode-webp.ts";

const modules = await loadCodecModules();
const engine = createEngine(modules);
const picture = paintPicture(64, 48);
const shape = { width: 64, height: 48, delaysMs: [250, 250, 250, 250, 250, 250], loops: 2 };

/** The picture with a block that moves from frame to frame. */
function draw(index: number): Raster {
  const pixels = picture.pixels.slice();
  for (let y = 8; y < 24; y += 1) {
    for (let x = 0; x < 12; x += 1) pixels.set([225, 29, 72, 255], (y * 64 + x + index * 7) * 4);
  }
  return { ...picture, pixels };
}

const still = (format: "png" | "jpg" | "webp", cap: number | null) =>
  encodeStill(engine, picture, format, cap);
const animation = (format: "gif" | "webp" | "apng", cap: number | null) =>
  encodeAnimation(engine, draw, shape, format, cap);

const CASES = [
  ["png still", (cap: number | null) => still("png", cap)],
  ["jpg still", (cap: number | null) => still("jpg", cap)],
  ["webp still", (cap: number | null) => still("webp", cap)],
  ["gif animation", (cap: number | null) => animation("gif", cap)],
  ["webp animation", (cap: number | null) => animation("webp", cap)],
  ["apng animation", (cap: number | null) => animation("apng", cap)],
] as const;

describe.each(CASES)("a byte cap of a %s", (name, encode) => {
  it("of exactly the best file's bytes changes nothing; a cap of one byte less is met", async () => {
    const free = await encode(null);
    if (!free.ok) throw new Error(free.message);
    const cap = free.value.bytes.length;
    expect(await encode(cap)).toEqual(free);
    const less = unwrap(await encode(cap - 1));
    expect(less.bytes.length).toBeLessThan(cap);
    const areFramesReduced = "framesReduced" in less && less.framesReduced;
    // A PNG that is only a little too large is deflated at a higher level first.
    expect(less.reduced || areFramesReduced).toBe(name !== "png still");
  });

  it("of exactly the smallest file's bytes is met; one byte less fails and reports those bytes", async () => {
    const refused = await encode(1);
    if (refused.ok) throw new Error("no file has one byte");
    const smallest = Number(/takes (\d+) bytes/.exec(refused.message)?.[1]);
    const met = await encode(smallest);
    expect(met).toMatchObject({ ok: true });
    if (met.ok) expect(met.value.bytes.length).toBe(smallest);
    expect(await encode(smallest - 1)).toMatchObject({ ok: false, code: "BYTE_CAP_UNREACHABLE" });
  });
});

describe("the largest output", () => {
  const line = (width: number): Raster => ({
    width,
    height: 1,
    alpha: "opaque",
    pixels: new Uint8ClampedArray(width * 4).fill(255),
  });

  it("has an edge of 8192 pixels", async () => {
    expect(await encodeStill(engine, line(EDGE_PX_MAX), "png", null)).toMatchObject({ ok: true });
    expect(await encodeStill(engine, line(EDGE_PX_MAX + 1), "png", null)).toMatchObject({ ok: false });
  });

  it("has 450 frames", async () => {
    const ofFrames = (frames: number) => {
      const delaysMs = Array.from({ length: frames }, () => 100);
      return encodeAnimation(engine, () => line(2), { width: 2, height: 1, delaysMs, loops: 1 }, "gif", null);
    };
    expect(await ofFrames(FRAMES_MAX)).toMatchObject({ ok: true });
    expect(await ofFrames(FRAMES_MAX + 1)).toMatchObject({ ok: false, code: "FORMAT_UNSUPPORTED" });
    expect(await ofFrames(0)).toMatchObject({ ok: false, code: "FORMAT_UNSUPPORTED" });
  });
});

describe("fewer frames", () => {
  it("are half as many each time, and never fewer than four", () => {
    expect([1, 4, 5, 6, 7, 13].map(frameCounts)).toEqual([[1], [4], [5], [6], [7, 4], [13, 7, 4]]);
  });

  it("are the first, the last and those with the most change", () => {
    const delaysMs = [10, 10, 10, 10, 10, 10];
    expect(planOf(delaysMs, 4, [0, 1, 50, 1, 90, 1]).map(({ index }) => index)).toEqual([0, 2, 4, 5]);
  });

  it("are spread evenly over slow changes", () => {
    const delaysMs = [10, 10, 10, 10, 10, 10];
    expect(planOf(delaysMs, 4, [0, 10, 10, 10, 11, 1]).map(({ index }) => index)).toEqual([0, 2, 4, 5]);
  });

  it("have the same total duration as all frames", () => {
    const delaysMs = [10, 20, 30, 40, 50, 60, 70, 80, 90];
    for (const count of frameCounts(delaysMs.length)) {
      const plan = planOf(delaysMs, count, delaysMs);
      expect(plan.reduce((sum, { delayMs }) => sum + delayMs, 0)).toBe(450);
    }
  });
});

it("a budget allows an attempt that costs exactly its remainder, but not one pixel more", () => {
  const afterAttempts = (pixelsMax: number) => {
    const budget = createAnimationBudget(pixelsMax);
    for (const pixels of [400, 300]) {
      budget.begin();
      budget.spend(pixels);
    }
    return budget;
  };
  expect(afterAttempts(1_100).affords()).toBe(true);
  expect(afterAttempts(1_099).affords()).toBe(false);
  expect(afterAttempts(700).rest().affords()).toBe(true);
});

const photo = paintPicture(300, 250);
const FORMATS = ["png", "jpg", "webp"] as const;

async function written(raster: Raster, format: (typeof FORMATS)[number], byteCap: number | null) {
  return unwrap(await encodeStill(engine, raster, format, byteCap));
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
    const { bytes, reduced, quality } = await written(photo, format, null);
    expect(reduced).toBe(false);
    expect(quality === null).toBe(format === "png");
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ width: 300, height: 250, format: format === "jpg" ? "jpeg" : format });
    expect(meanError(photo.pixels, await referencePixels(bytes))).toBeLessThan(4);
  });
});

it("a JPEG is progressive, which is slower and smaller, only if the cap requires it", async () => {
  const free = await written(photo, "jpg", null);
  expect(await sharp(free.bytes).metadata()).toMatchObject({ isProgressive: false });
  const capped = await written(photo, "jpg", Math.floor(free.bytes.length * 0.9));
  expect(await sharp(capped.bytes).metadata()).toMatchObject({ isProgressive: true });
});

describe("a PNG", () => {
  const gradient = flatPicture(300, 250);
  for (let at = 0; at < gradient.pixels.length; at += 4) {
    const pixel = at >> 2;
    gradient.pixels.set([(pixel % 300) * 0.8, Math.floor(pixel / 300), 128], at);
  }

  it("keeps every colour if the cap allows, and is dithered only to meet it", async () => {
    const free = await written(gradient, "png", null);
    expect(meanError(gradient.pixels, await referencePixels(free.bytes))).toBe(0);
    const capped = await written(photo, "png", 40_000);
    expect((await sharp(capped.bytes).metadata()).isPalette).toBe(true);
    expect(capped.bytes.length).toBeLessThanOrEqual(40_000);
  });

  it("of at most 256 colours keeps them in a palette if that is smaller", async () => {
    const few: Raster = {
      ...photo,
      pixels: photo.pixels.map((value, at) => (at % 4 === 3 ? 255 : value & 0xc0)),
    };
    const { bytes } = await written(few, "png", null);
    expect((await sharp(bytes).metadata()).isPalette).toBe(true);
    expect(meanError(few.pixels, await referencePixels(bytes))).toBe(0);
  });
});

/** PSNR of two pictures in decibels, over red, green and blue. */
function psnr(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let squares = 0;
  for (let at = 0; at < expected.length; at++) squares += ((actual[at] ?? 0) - (expected[at] ?? 0)) ** 2;
  return 10 * Math.log10((255 * 255 * expected.length * 0.75) / squares);
}

it.each(["dandelion.jpg", "bottle-photo.jpg", "figure.png"])(
  "a palette of %s matches libimagequant's quality in about as many bytes",
  async (name) => {
    const sample = sharp(readSample(name)).resize(400, 300).flatten({ background: "#7a9bd0" });
    const pixels = new Uint8ClampedArray(await sample.ensureAlpha().raw().toBuffer());
    const raster: Raster = { width: 400, height: 300, pixels, alpha: "opaque" };
    const theirs = await asSharp(raster).removeAlpha().png({ palette: true, effort: 10 }).toBuffer();
    const { bytes } = await written(raster, "png", Math.floor(theirs.length * 1.05));
    const [ourPixels, theirPixels] = [await referencePixels(bytes), await referencePixels(theirs)];
    expect(psnr(ourPixels, pixels)).toBeGreaterThan(psnr(theirPixels, pixels) - 0.5);
  },
);

describe("flat designs stay exact", () => {
  it("as PNG, in few bytes", async () => {
    const flat = flatPicture(320, 50);
    const { bytes } = await written(flat, "png", null);
    expect(bytes.length).toBeLessThan(300);
    expect(meanError(flat.pixels, await referencePixels(bytes))).toBe(0);
  });

  it("as JPEG, with colour at full resolution", async () => {
    const { bytes } = await written(flatPicture(64, 50), "jpg", null);
    expect((await sharp(bytes).metadata()).chromaSubsampling).toBe("4:4:4");
  });

  const random = seededRandom(7);
  const grain: Raster = {
    ...photo,
    pixels: photo.pixels.map((value, at) => (at % 4 === 3 ? 255 : value * 0.5 + random() * 120)),
  };

  it.each([
    ["halved", "a photograph", photo, "4:2:0"],
    ["kept", "coloured grain", grain, "4:4:4"],
  ] as const)("but a JPEG's colour resolution is %s in %s", async (_, _name, raster, chroma) => {
    const { bytes } = await written(raster, "jpg", null);
    expect((await sharp(bytes).metadata()).chromaSubsampling).toBe(chroma);
  });

  it.each([
    ["averaged", "grain", grain],
    ["kept sharp", "edges", flatPicture(64, 50)],
  ] as const)("and a WebP's colour is %s in %s", async (colour, _, raster) => {
    const averaged = (await webpEncoder(modules))(raster, { quality: WEBP_QUALITY_PREFERRED });
    const { bytes } = await written(raster, "webp", null);
    expect(Buffer.from(bytes).equals(averaged)).toBe(colour === "averaged");
  });
});

it.each(dimensions("1x1 1x40 40x1 3x2"))(
  "a raster of %i × %i pixels is written in every format",
  async (width, height) => {
    for (const format of FORMATS) {
      const { bytes } = await written(flatPicture(width, height), format, null);
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
    }
  },
);
