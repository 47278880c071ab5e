import { describe, expect, it } from "vitest";
import { areaTaps, lanczosTaps } from "#renderer/raster/filter-taps.ts";
import { createResampler } from "#renderer/raster/resampler.ts";
import { createRasterBuilder, toRgba } from "#renderer/raster/rgb-pixels.ts";
import type { Box, Raster, SourceRaster } from "#renderer/types.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { seededRandom } from "../support/pictures.ts";
import { plainlyFiltered, plainlyHalved } from "../support/plain-resample.ts";
import { digest } from "./pack-fixtures.ts";

/** Guarantee: the kernel's pixels equal those of plain integer arithmetic to the bit, and it needs little memory. */

const SEED = 20261121;
const PICTURES = 300;
const KERNEL_BYTES_MAX = 1024 * 1024;

const { resampler: module } = await loadCodecModules();
const resampler = createResampler(module);
const random = seededRandom(SEED);
const upTo = (most: number): number => 1 + Math.floor(random() * most);

/** Adjacent blacks and whites make a filter overshoot most. */
function noisyPicture(width: number, height: number): Raster {
  const alpha = random() < 0.5 ? "opaque" : "premultiplied";
  const pixels = new Uint8ClampedArray(width * height * 4);
  const share = (): number => (random() < 0.5 ? Math.round(random()) : random());
  for (let at = 0; at < pixels.length; at += 4) {
    const opacity = alpha === "opaque" ? 255 : Math.round(share() * 255);
    pixels.set([share() * opacity, share() * opacity, share() * opacity, opacity], at);
  }
  return { width, height, pixels, alpha };
}

function partOf({ width, height }: Raster): Box {
  if (random() < 0.3) return { x: 0, y: 0, width, height };
  const [x, y] = [random() * width * 0.9, random() * height * 0.9];
  return {
    x,
    y,
    width: Math.max(0.2, random() * (width - x)),
    height: Math.max(0.2, random() * (height - y)),
  };
}

/** Adds row by row, so that rows begin and end anywhere in a group of four pixels. */
function inRgb({ width, height, pixels }: Raster): SourceRaster {
  const rows = createRasterBuilder(width, height, true);
  for (let y = 0; y < height; y += 1) {
    rows.add(new Uint8Array(pixels.buffer, y * width * 4, width * 4));
  }
  return rows.raster("opaque");
}

const seen = ({ width, height, alpha, pixels }: Raster) => ({ width, height, alpha, pixels: digest(pixels) });

describe(`the kernel matches plain arithmetic to the bit (seed ${SEED})`, () => {
  it("any part of a picture at any size", () => {
    for (let count = 0; count < PICTURES; count += 1) {
      const source = noisyPicture(upTo(70), upTo(70));
      const part = partOf(source);
      const [width, height] = [upTo(90), upTo(90)];
      const plain = plainlyFiltered(
        source,
        lanczosTaps(source.width, part.x, part.width, width),
        lanczosTaps(source.height, part.y, part.height, height),
      );
      expect(seen(resampler.resample(source, part, width, height)), JSON.stringify({ count, part })).toEqual(
        seen(plain),
      );
    }
  });

  it("means of areas and of 2 x 2 pixels", () => {
    for (let count = 0; count < PICTURES; count += 1) {
      const source = noisyPicture(upTo(70), upTo(70));
      const [width, height] = [upTo(source.width), upTo(source.height)];
      const plain = plainlyFiltered(source, areaTaps(source.width, width), areaTaps(source.height, height));
      expect(seen(resampler.shrinkByArea(source, width, height)), `picture ${count}`).toEqual(seen(plain));
      expect(seen(resampler.halve(source)), `picture ${count}`).toEqual(seen(plainlyHalved(source)));
    }
  });

  it("opaque pictures in three bytes a pixel, with the same result as in four", () => {
    for (let count = 0; count < PICTURES; count += 1) {
      const source: Raster = { ...noisyPicture(upTo(70), upTo(70)), alpha: "opaque" };
      for (let at = 3; at < source.pixels.length; at += 4) source.pixels[at] = 255;
      const packed = inRgb(source);
      const part = partOf(source);
      const [width, height] = [upTo(90), upTo(90)];
      const note = JSON.stringify({ count, part });
      expect(seen(resampler.resample(packed, part, width, height)), note).toEqual(
        seen(resampler.resample(source, part, width, height)),
      );
      expect(seen(resampler.halve(packed)), note).toEqual(seen(resampler.halve(source)));
      expect(seen(toRgba(packed)), note).toEqual(seen(source));
    }
  });

  it("pictures too wide or too tall for one strip of columns, in little memory", () => {
    for (const [width, height, toWidth, toHeight] of [
      [64, 2_000, 640, 3],
      [2_000, 64, 3, 640],
      [8_192, 16, 8_192, 24],
      [16, 8_192, 12, 1],
      [8_192, 3, 1, 1],
    ] as const) {
      const source = noisyPicture(width, height);
      const plain = plainlyFiltered(
        source,
        lanczosTaps(width, 0, width, toWidth),
        lanczosTaps(height, 0, height, toHeight),
      );
      const whole = { x: 0, y: 0, width, height };
      expect(seen(resampler.resample(source, whole, toWidth, toHeight))).toEqual(seen(plain));
    }
    expect(resampler.memoryBytes()).toBeLessThan(KERNEL_BYTES_MAX);
  });
});

describe("unsupported input is rejected", () => {
  const flat = { width: 2, height: 2, pixels: new Uint8ClampedArray(16) };
  const whole = { x: 0, y: 0, width: 2, height: 2 };

  it("straight alpha, whose hidden colours would show", () => {
    expect(() => resampler.resample({ ...flat, alpha: "straight" }, whole, 3, 3)).toThrow(RangeError);
  });

  it("sizes that no canvas has, and enlarging by area", () => {
    const opaque = { ...flat, alpha: "opaque" } as const;
    expect(() => resampler.resample(opaque, whole, 0, 3)).toThrow(RangeError);
    expect(() => resampler.resample(opaque, whole, 9_000, 3)).toThrow(RangeError);
    expect(() => resampler.shrinkByArea(opaque, 3, 1)).toThrow(RangeError);
  });
});
