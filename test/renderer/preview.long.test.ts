import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "#renderer/engine.ts";
import { type PreviewRequest, previewSizeOf, renderPreview } from "#renderer/preview/index.ts";
import { encodePalettePng } from "#renderer/preview/palette-png.ts";
import { renderOutput } from "#renderer/render.ts";
import type { Raster } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { meanError } from "../support/picture-error.ts";
import { paintPicture } from "../support/pictures.ts";
import { catalogueSize } from "../support/renderer.ts";
import { asSharp } from "../support/sharp-reference.ts";
import { unwrap } from "../support/unwrap.ts";
import { engine, FAMILY_ASSETS, prepared } from "./pack-fixtures.ts";

const request = (changes: Partial<PreviewRequest> = {}): PreviewRequest => ({
  size: catalogueSize("iab-300x250"),
  motion: "static",
  format: "jpg",
  protection: "watermarked",
  markSeed: 7,
  ...changes,
});

describe("the size of a preview", () => {
  it.each([
    [1080, 1920, "watermarked-lowres", 360, 640],
    [1080, 1920, "watermarked", 608, 1080],
    [1200, 630, "none", 1080, 567],
    [300, 250, "watermarked-lowres", 210, 175],
    [728, 90, "watermarked-lowres", 510, 63],
  ] as const)("%i x %i under %s is %i x %i", (width, height, protection, previewWidth, previewHeight) => {
    expect(previewSizeOf(width, height, protection)).toEqual({ width: previewWidth, height: previewHeight });
  });
});

describe("shrinking by area", () => {
  it.each([
    [1200, 630, 1080, 567],
    [1080, 1920, 360, 640],
    [728, 90, 640, 79],
    [300, 250, 300, 250],
    [7, 5, 1, 1],
  ])(
    "%i x %i to %i x %i keeps flat colour flat and a picture's means",
    async (width, height, toWidth, toHeight) => {
      const { resampler } = await engine();
      const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
      for (let at = 0; at < pixels.length; at += 4) pixels.set([17, 130, 251], at);
      const flat = resampler.shrinkByArea({ width, height, pixels, alpha: "opaque" }, toWidth, toHeight);
      expect(flat.pixels.length).toBe(toWidth * toHeight * 4);
      expect(flat.pixels.every((value, at) => value === [17, 130, 251, 255][at & 3])).toBe(true);
      const picture = paintPicture(width, height, 9);
      const meanOf = (values: Uint8ClampedArray) =>
        values.reduce((sum, value) => sum + value, 0) / values.length;
      const shrunk = resampler.shrinkByArea(picture, toWidth, toHeight);
      expect(Math.abs(meanOf(shrunk.pixels) - meanOf(picture.pixels))).toBeLessThan(1);
    },
  );
});

describe("a palette PNG", () => {
  it("decodes to the picture in another library, in at most 256 colours", async () => {
    const picture = paintPicture(400, 300, 5);
    const png = await encodePalettePng(picture, true);
    expect(await sharp(png).metadata()).toMatchObject({ format: "png", width: 400, height: 300 });
    // IHDR: eight bits an index, colour type 3.
    expect([...png.subarray(24, 26)]).toEqual([8, 3]);
    const read = await sharp(png).removeAlpha().raw().toBuffer();
    expect(meanError(read, await asSharp(picture).removeAlpha().raw().toBuffer())).toBeLessThan(8);
    const colours = new Set<number>();
    for (let at = 0; at < read.length; at += 3) colours.add(read.readUIntBE(at, 3));
    expect(colours.size).toBeLessThanOrEqual(255);
  });

  it("of a single colour, of one pixel and of one row can be written", async () => {
    for (const [width, height] of dimensions("1x1 64x1 33x7")) {
      const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
      const png = await encodePalettePng({ width, height, pixels, alpha: "opaque" }, false);
      expect(await sharp(png).metadata()).toMatchObject({ width, height });
    }
  });

  it("of a raster that cannot be a preview is rejected", async () => {
    const pixels = new Uint8ClampedArray(4);
    const layer: Raster = { width: 1, height: 1, pixels, alpha: "premultiplied" };
    await expect(encodePalettePng(layer, true)).rejects.toThrow(RangeError);
    await expect(encodePalettePng(paintPicture(1081, 1), true)).rejects.toThrow(RangeError);
  });
});

describe("a preview of a pack", () => {
  let codecs: Engine;
  beforeAll(async () => {
    codecs = await engine();
  });
  const draw = async (changes: Partial<PreviewRequest> = {}) => {
    const pack = await prepared({ assets: FAMILY_ASSETS.campaign });
    return { pack, preview: unwrap(await renderPreview(codecs, pack, request(changes))) };
  };

  it("shows the composition itself: unmarked, it is the paid picture except for its palette", async () => {
    const { pack, preview } = await draw({ protection: "none" });
    const paid = unwrap(await renderOutput(codecs, pack, request({ format: "png" })));
    const [file] = paid.files;
    const read = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
    const [shown, bought] = [await read(preview.bytes), await read(file?.bytes ?? new Uint8Array(0))];
    expect(meanError(shown, bought)).toBeLessThan(4);
    expect(preview.layout.elements).toEqual(paid.layout.elements);
  });

  it("uses few palette entries only under strokes, so that colours do not reveal the mark", async () => {
    const { preview: marked } = await draw();
    const { preview: plain } = await draw({ protection: "none" });
    const read = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
    const [after, before] = [await read(marked.bytes), await read(plain.bytes)];
    const strokes = new Map<number, number>();
    const elsewhere = new Set<number>();
    for (let at = 0; at < after.length; at += 3) {
      const colour = after.readUIntBE(at, 3);
      const change = Math.abs((after[at + 1] ?? 0) - (before[at + 1] ?? 0));
      if (change >= 24) strokes.set(colour, (strokes.get(colour) ?? 0) + 1);
      else elsewhere.add(colour);
    }
    const all = [...strokes.values()].reduce((sum, count) => sum + count, 0);
    const alone = [...strokes].reduce((sum, [colour, count]) => sum + (elsewhere.has(colour) ? 0 : count), 0);
    expect(all).toBeGreaterThan(2_000);
    expect(alone / all).toBeLessThan(0.05);
  });

  it("predicts the paid file to the byte, still and moving", async () => {
    for (const changes of [{ format: "webp" }, { format: "gif", motion: "animated" }] as const) {
      const { pack, preview } = await draw({ ...changes, size: catalogueSize("iab-320x50") });
      const [file] = unwrap(
        await renderOutput(codecs, pack, {
          ...request(changes),
          size: catalogueSize("iab-320x50"),
        }),
      ).files;
      expect(preview.predicted).toEqual({
        ok: true,
        byteLength: file?.bytes.length,
        compliance: file?.compliance,
      });
    }
  });

  it("reports that the paid output cannot be made, and is drawn anyway", async () => {
    const size = { ...catalogueSize("iab-300x250"), byteCap: 600 };
    const { preview } = await draw({ size });
    expect(preview.predicted).toMatchObject({ ok: false, code: "BYTE_CAP_UNREACHABLE" });
    expect(preview.bytes.length).toBeGreaterThan(600);
  });

  it("predicts nothing for outputs too large to render for free", async () => {
    for (const changes of [
      { sizeId: "youtube-banner-2560x1440", format: "png", motion: "static" },
      { sizeId: "linkedin-720x900", format: "gif", motion: "animated" },
    ] as const) {
      const { preview } = await draw({ ...changes, size: catalogueSize(changes.sizeId) });
      expect(preview.predicted).toBeNull();
    }
  });

  it("predicts nothing without a published cap", async () => {
    const { preview } = await draw({ size: { ...catalogueSize("iab-300x250"), byteCap: null } });
    expect(preview.predicted).toBeNull();
  });

  it("fails like the paid output when the text cannot be set", async () => {
    const pack = await prepared({ assets: FAMILY_ASSETS.product, copy: { headline: "W".repeat(90) } });
    expect(await renderPreview(codecs, pack, request({ size: catalogueSize("iab-320x50") }))).toMatchObject({
      ok: false,
      code: "HEADLINE_DOES_NOT_FIT",
    });
  });
});
