import type { Engine } from "../engine.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import type { Wanted } from "./index.ts";
import { WEBP_BYTES_PER_PX, WEBP_DECODING_BYTES_MAX } from "./limits.ts";
import { createShrinker, shrinkFactor } from "./shrink.ts";
import type { WebpStructure } from "./webp-chunks.ts";

const megapixels = (coding: keyof typeof WEBP_BYTES_PER_PX): number =>
  Math.floor(WEBP_DECODING_BYTES_MAX / WEBP_BYTES_PER_PX[coding] / 1_000_000);

/** Says how large a WebP may be. */
export const WEBP_TOO_LARGE =
  `A WebP may have at most ${megapixels("lossy")} megapixels, or ${megapixels("lossless")} when it is lossless or ` +
  "transparent. Save it smaller, or as JPEG or PNG.";

/** Decodes a still WebP, whole, and shrinks it; as stored (not turned upright). */
export async function decodeWebp(
  engine: Engine,
  bytes: Uint8Array,
  webp: WebpStructure,
  wanted: Wanted,
): Promise<Result<Raster>> {
  if (webp.frames > 1) return unreadable("The WebP is animated. Upload a still picture.");
  if (webp.decodingBytes > WEBP_DECODING_BYTES_MAX) return unreadable(WEBP_TOO_LARGE);
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
