import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type DecodedImage, decodeImage } from "#renderer/decode/index.ts";
import type { Wanted } from "#renderer/decode/shrink-factor.ts";
import { createEngine } from "#renderer/engine.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { meanError } from "../support/picture-error.ts";
import { paintPicture } from "../support/pictures.ts";
import { asSharp, referencePixels } from "../support/sharp-reference.ts";
import { unwrap } from "../support/unwrap.ts";

const engine = createEngine(await loadCodecModules());
const WIDTH = 203;
const HEIGHT = 141;
const WHOLE = { width: WIDTH, height: HEIGHT };
const picture = paintPicture(WIDTH, HEIGHT);
const opaque = () => asSharp(picture).removeAlpha();
type Mime = "image/png" | "image/jpeg" | "image/webp";

async function decode(bytes: Uint8Array, mimeType: Mime, wanted: Wanted = WHOLE): Promise<DecodedImage> {
  return unwrap(await decodeImage(engine, bytes, mimeType, wanted));
}

it("a JPEG wanted at far less than an eighth of its size is decoded at an eighth", async () => {
  const { raster } = await decode(await opaque().jpeg().toBuffer(), "image/jpeg", { width: 5, height: 4 });
  expect(raster.width).toBeGreaterThanOrEqual(5);
  expect(raster.width).toBeLessThan(10);
});

describe("every EXIF orientation is upright, at every scale", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("orientation %i", async (orientation) => {
    const bytes = await opaque().withMetadata({ orientation }).jpeg({ quality: 92 }).toBuffer();
    const isTurned = orientation >= 5;
    const [width, height] = isTurned ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
    const whole = await decode(bytes, "image/jpeg", { width, height });
    expect(whole).toMatchObject({ sourceWidth: width, sourceHeight: height, raster: { width, height } });
    expect(meanError(whole.raster.pixels, await referencePixels(bytes))).toBeLessThan(1);
    const half = await decode(bytes, "image/jpeg", { width: width >> 1, height: height >> 1 });
    expect(half.raster).toMatchObject({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
  });
});

describe("colour profiles are converted to sRGB", () => {
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
    expect(meanError(raster.pixels, reference)).toBeLessThan(2);
  });

  it("a press profile in a CMYK JPEG: paper is white, and ink follows the table", async () => {
    const bytes = await opaque()
      .toColourspace("cmyk")
      .withIccProfile("cmyk")
      .jpeg({ quality: 95 })
      .toBuffer();
    const { raster, profile } = await decode(bytes, "image/jpeg");
    expect(profile).toBe("converted");
    // The reference library does not compensate for the black point, so its pixels are a little lighter.
    const reference = await sharp(bytes).pipelineColourspace("srgb").ensureAlpha().raw().toBuffer();
    expect(meanError(raster.pixels, reference)).toBeLessThan(8);
    const paper = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "#ffffff" } });
    const blank = await paper.toColourspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 95 }).toBuffer();
    expect(Math.min(...(await decode(blank, "image/jpeg")).raster.pixels)).toBeGreaterThan(252);
  });

  it("CMYK without a profile is approximated and reported", async () => {
    const bytes = await opaque().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
    const { raster, profile } = await decode(bytes, "image/jpeg");
    expect(profile).toBe("approximated");
    expect(raster.alpha).toBe("opaque");
    expect(meanError(raster.pixels, await referencePixels(bytes))).toBeLessThan(30);
  });
});
