import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { thumbnailOf } from "#renderer/compose/load-picture.ts";
import { focalPointOf } from "#renderer/focus/focal-point.ts";
import { saliencyMapOf } from "#renderer/focus/saliency.ts";
import { Pyramid } from "#renderer/raster/pyramid.ts";
import { sampleAsset } from "../support/renderer.ts";
import { engine } from "./pack-fixtures.ts";

/** Regression: a patch of blossom that resembled a face at only one size moved every crop of a pack by a quarter. */

const { resampler } = await engine();
const WIDTHS_PX = [300, 420, 640, 801, 970, 1080, 1185];
const DRIFT_MAX = 0.03;

async function focalPointAt(name: string, widthPx: number) {
  const { bytes } = sampleAsset(name);
  const { data, info } = await sharp(bytes)
    .rotate()
    .resize(widthPx)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(data);
  const base = { width: info.width, height: info.height, pixels, alpha: "opaque" as const };
  return focalPointOf(saliencyMapOf(thumbnailOf(new Pyramid(base, resampler))));
}

describe("the focal point is stable across decoded sizes", () => {
  it.each(["dandelion.jpg", "dandelion-turned.jpg", "bottle-photo.jpg"])("%s", async (name) => {
    const points = await Promise.all(WIDTHS_PX.map((width) => focalPointAt(name, width)));
    for (const axis of ["x", "y"] as const) {
      const values = points.map((point) => point[axis]);
      expect(Math.max(...values) - Math.min(...values)).toBeLessThan(DRIFT_MAX);
    }
  });
});
