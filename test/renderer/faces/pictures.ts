import sharp from "sharp";
import { premultiplied } from "#renderer/raster/blend.ts";
import { Pyramid } from "#renderer/raster/pyramid.ts";
import { createResampler } from "#renderer/raster/resampler.ts";
import type { Raster } from "#renderer/types.ts";
import { loadCodecModules } from "../../support/node-modules.ts";
import { sampleAsset } from "../../support/renderer.ts";

export const resampler = createResampler((await loadCodecModules()).resampler);

/** A picture of samples/, decoded and upright. */
export async function pyramidOf(name: string): Promise<Pyramid> {
  const { data, info } = await sharp(sampleAsset(name).bytes)
    .rotate()
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const raster: Raster = { width, height, pixels: new Uint8ClampedArray(data), alpha: "straight" };
  return new Pyramid(premultiplied(raster), resampler);
}
