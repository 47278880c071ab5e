import type { Engine } from "../engine.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import type { Wanted } from "./index.ts";
import { WEBP_AREA_PX_MAX } from "./limits.ts";
import { createShrinker, shrinkFactor } from "./shrink.ts";
import type { WebpStructure } from "./webp-chunks.ts";

/** Decodes a still WebP, whole, and shrinks it; as stored (not turned upright). */
export async function decodeWebp(
  engine: Engine,
  bytes: Uint8Array,
  webp: WebpStructure,
  wanted: Wanted,
): Promise<Result<Raster>> {
  if (webp.frames > 1) return unreadable("The WebP is animated. Upload a still picture.");
  if (webp.width * webp.height > WEBP_AREA_PX_MAX) {
    return unreadable(
      `The WebP has more than ${WEBP_AREA_PX_MAX / 1_000_000} megapixels, the most this service decodes in that format. Save it smaller, or as JPEG or PNG.`,
    );
  }
  const image = await engine.useWebpDecoder((decoder) => decoder.decode(bytes));
  if (image === null || image.width !== webp.width || image.height !== webp.height) {
    return unreadable("The WebP's pixel data is damaged. Export the picture again.");
  }
  const { width, height } = image;
  const shrinker = createShrinker(width, height, shrinkFactor(width, height, wanted), false);
  for (let y = 0; y < height; y++) {
    shrinker.add(y, image.data.subarray(y * width * 4, (y + 1) * width * 4), width, 0, 1);
  }
  const { isOpaque, ...shrunk } = shrinker.finish();
  return { ok: true, value: { ...shrunk, alpha: isOpaque ? "opaque" : "straight" } };
}
