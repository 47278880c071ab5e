import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type DecodedImage, decodeImage } from "../../src/renderer/decode/index.ts";
import type { Wanted } from "../../src/renderer/decode/shrink-factor.ts";
import { createEngine } from "../../src/renderer/engine.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { meanError } from "../support/picture-error.ts";
import { boxMeans, paintPicture } from "../support/pictures.ts";
import { asSharp, referencePixels } from "../support/sharp-reference.ts";

const engine = createEngine(await loadCodecModules());
const WIDTH = 203;
const HEIGHT = 141;
const WHOLE = { width: WIDTH, height: HEIGHT };
const picture = paintPicture(WIDTH, HEIGHT);
const opaque = () => asSharp(picture).removeAlpha();
const withAlpha = () => {
  const pixels = picture.pixels.map((value, at) => (at % 4 === 3 ? (at >> 4) % 256 : value));
  return asSharp({ ...picture, pixels });
};

type Mime = "image/png" | "image/jpeg" | "image/webp";

async function decode(bytes: Uint8Array, mimeType: Mime, wanted: Wanted = WHOLE): Promise<DecodedImage> {
  const decoded = await decodeImage(engine, bytes, mimeType, wanted);
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.value;
}

const PNGS: Record<string, () => Promise<Uint8Array>> = {
  truecolour: () => opaque().png().toBuffer(),
  "truecolour with alpha": () => withAlpha().png().toBuffer(),
  grey: () => opaque().greyscale().png().toBuffer(),
  "grey with alpha": () => withAlpha().greyscale().png().toBuffer(),
  "8-bit palette": () => opaque().png({ palette: true, colours: 200 }).toBuffer(),
  "4-bit palette": () => opaque().png({ palette: true, colours: 16 }).toBuffer(),
  "2-bit palette": () => opaque().png({ palette: true, colours: 4 }).toBuffer(),
  "1-bit palette": () => opaque().png({ palette: true, colours: 2 }).toBuffer(),
  "palette with transparency": () => withAlpha().png({ palette: true, colours: 64 }).toBuffer(),
  "16-bit truecolour": () => opaque().toColourspace("rgb16").png().toBuffer(),
  "16-bit with alpha": () => withAlpha().toColourspace("rgb16").png().toBuffer(),
  "16-bit grey": () => opaque().toColourspace("grey16").png().toBuffer(),
  "Adam7 truecolour": () => opaque().png({ progressive: true }).toBuffer(),
  "Adam7 palette": () => opaque().png({ palette: true, colours: 16, progressive: true }).toBuffer(),
  "Adam7 16-bit with alpha": () => withAlpha().toColourspace("rgb16").png({ progressive: true }).toBuffer(),
};

describe("a PNG of every kind decodes to the reference library's pixels", () => {
  for (const [name, make] of Object.entries(PNGS)) {
    it(name, async () => {
      const bytes = await make();
      const reference = await referencePixels(bytes);
      const whole = await decode(bytes, "image/png");
      expect(whole.raster).toMatchObject({ width: WIDTH, height: HEIGHT });
      expect(meanErrorWhereSeen(whole.raster.pixels, reference)).toBe(0);
      const third = await decode(bytes, "image/png", { width: 60, height: 40 });
      expect(third.raster).toMatchObject({ width: 68, height: 47 });
      expect(
        meanErrorWhereSeen(third.raster.pixels, boxMeans(reference, WIDTH, HEIGHT, 3)),
      ).toBeLessThanOrEqual(0.5);
    });
  }

  it("a colour that tRNS names in a truecolour picture is transparent", async () => {
    const plain = await sharp({ create: { width: 3, height: 1, channels: 3, background: "#102030" } })
      .png()
      .toBuffer();
    const key = withChunk(plain, "tRNS", Uint8Array.of(0, 0x10, 0, 0x20, 0, 0x30));
    const { raster } = await decode(key, "image/png");
    expect(raster.alpha).toBe("straight");
    expect(raster.pixels[3]).toBe(0);
  });
});

/** Colours under full transparency are nobody's business. */
function meanErrorWhereSeen(actual: Uint8ClampedArray, expected: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < expected.length; at += 4) {
    const alpha = expected[at + 3] ?? 0;
    sum += Math.abs((actual[at + 3] ?? 0) - alpha);
    for (let channel = 0; channel < 3; channel++) {
      sum += (Math.abs((actual[at + channel] ?? 0) - (expected[at + channel] ?? 0)) * alpha) / 255;
    }
  }
  return sum / expected.length;
}

/** Puts an ancillary chunk behind IHDR; such chunks are read without their CRC. */
function withChunk(png: Uint8Array, type: string, body: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(body.length + 12);
  chunk.writeUInt32BE(body.length);
  chunk.write(type, 4, "latin1");
  chunk.set(body, 8);
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

describe("a JPEG decodes to the reference library's pixels", () => {
  it.each([
    ["baseline 4:2:0", () => opaque().jpeg({ quality: 92 }).toBuffer(), 1],
    ["baseline 4:4:4", () => opaque().jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer(), 1],
    ["progressive", () => opaque().jpeg({ quality: 92, progressive: true }).toBuffer(), 1],
    ["grey", () => opaque().greyscale().jpeg({ quality: 92 }).toBuffer(), 1],
  ])("%s", async (_name, make, tolerance) => {
    const bytes = await make();
    const { raster } = await decode(bytes, "image/jpeg");
    expect(raster).toMatchObject({ width: WIDTH, height: HEIGHT, alpha: "opaque" });
    expect(meanError(raster, await referencePixels(bytes))).toBeLessThanOrEqual(tolerance);
  });

  it.each([2, 4, 8])("at one %ith of the size, like box means of the whole", async (factor) => {
    const bytes = await opaque().jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer();
    const wanted = { width: Math.floor(WIDTH / factor), height: Math.floor(HEIGHT / factor) };
    const { raster } = await decode(bytes, "image/jpeg", wanted);
    expect(raster).toMatchObject({ width: Math.ceil(WIDTH / factor), height: Math.ceil(HEIGHT / factor) });
    expect(meanError(raster, boxMeans(await referencePixels(bytes), WIDTH, HEIGHT, factor))).toBeLessThan(3);
  });

  it("and smaller than an eighth", async () => {
    const { raster } = await decode(await opaque().jpeg().toBuffer(), "image/jpeg", { width: 5, height: 4 });
    expect(raster.width).toBeGreaterThanOrEqual(5);
    expect(raster.width).toBeLessThan(10);
  });
});

describe("every EXIF orientation stands upright, at every scale", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("orientation %i", async (orientation) => {
    const bytes = await opaque().withMetadata({ orientation }).jpeg({ quality: 92 }).toBuffer();
    const isTurned = orientation >= 5;
    const [width, height] = isTurned ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
    const whole = await decode(bytes, "image/jpeg", { width, height });
    expect(whole).toMatchObject({ sourceWidth: width, sourceHeight: height, raster: { width, height } });
    expect(meanError(whole.raster, await referencePixels(bytes))).toBeLessThan(1);
    const half = await decode(bytes, "image/jpeg", { width: width >> 1, height: height >> 1 });
    expect(half.raster).toMatchObject({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
  });
});

describe("a WebP decodes to the reference library's pixels", () => {
  it.each([
    ["lossy", () => opaque().webp().toBuffer()],
    ["lossy with alpha", () => withAlpha().webp().toBuffer()],
    ["lossless", () => opaque().webp({ lossless: true }).toBuffer()],
    ["lossless with alpha", () => withAlpha().webp({ lossless: true }).toBuffer()],
  ])("%s", async (_name, make) => {
    const bytes = await make();
    const { raster } = await decode(bytes, "image/webp");
    expect(meanErrorWhereSeen(raster.pixels, await referencePixels(bytes))).toBeLessThan(0.1);
  });
});

describe("colour profiles end in sRGB", () => {
  it.each([
    ["Display P3 in PNG", "image/png", () => opaque().withIccProfile("p3").png().toBuffer()],
    [
      "Display P3 in JPEG",
      "image/jpeg",
      () => opaque().withIccProfile("p3").jpeg({ quality: 95 }).toBuffer(),
    ],
    [
      "Display P3 in WebP",
      "image/webp",
      () => opaque().withIccProfile("p3").webp({ lossless: true }).toBuffer(),
    ],
  ] as const)("%s", async (_name, mimeType, make) => {
    const bytes = await make();
    const { raster, profile } = await decode(bytes, mimeType);
    const reference = await sharp(bytes).pipelineColourspace("srgb").ensureAlpha().raw().toBuffer();
    expect(profile).toBe("converted");
    expect(meanError(raster, reference)).toBeLessThan(2);
  });

  it("a press profile in a CMYK JPEG: paper is white, and ink goes by the table", async () => {
    const bytes = await opaque()
      .toColourspace("cmyk")
      .withIccProfile("cmyk")
      .jpeg({ quality: 95 })
      .toBuffer();
    const { raster, profile } = await decode(bytes, "image/jpeg");
    expect(profile).toBe("converted");
    // The reference library does not compensate for black: it is a little lighter.
    const reference = await sharp(bytes).pipelineColourspace("srgb").ensureAlpha().raw().toBuffer();
    expect(meanError(raster, reference)).toBeLessThan(8);
    const paper = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "#ffffff" } });
    const blank = await paper.toColourspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 95 }).toBuffer();
    expect(Math.min(...(await decode(blank, "image/jpeg")).raster.pixels)).toBeGreaterThan(252);
  });

  it("sRGB by its own profile stays as it is", async () => {
    const bytes = await opaque().withIccProfile("srgb").png().toBuffer();
    const { raster, profile } = await decode(bytes, "image/png");
    expect(profile).toBe("srgb");
    expect(raster.pixels).toEqual(picture.pixels);
  });

  it("CMYK without a profile is approximated and says so", async () => {
    const bytes = await opaque().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
    const { raster, profile } = await decode(bytes, "image/jpeg");
    expect(profile).toBe("approximated");
    expect(raster.alpha).toBe("opaque");
    expect(meanError(raster, await referencePixels(bytes))).toBeLessThan(30);
  });
});

it("the same file gives the same pixels again", async () => {
  const bytes = await opaque().jpeg({ progressive: true }).toBuffer();
  const first = await decode(bytes, "image/jpeg", { width: 70, height: 50 });
  const again = await decode(bytes, "image/jpeg", { width: 70, height: 50 });
  expect(again.raster.pixels).toEqual(first.raster.pixels);
});
