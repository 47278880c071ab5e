import type { Engine } from "../engine.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import type { Wanted } from "./index.ts";
import { WEBP_BYTES_PER_PX, WEBP_DECODING_BYTES_MAX } from "./limits.ts";
import { createShrinker, shrinkFactor } from "./shrink.ts";
import type { WebpStructure } from "./webp-chunks.ts";

/** Says how large a WebP may be. */
export const WEBP_TOO_LARGE =
  `A lossless or transparent WebP may have at most ${Math.floor(WEBP_DECODING_BYTES_MAX / WEBP_BYTES_PER_PX / 1_000_000)} ` +
  "megapixels. Save it smaller, or as JPEG or PNG.";

/** Whether decoding takes more memory than there is: what is lossless is held whole. */
export function isWebpTooLarge({ picture, width, height }: WebpStructure): boolean {
  const isStreamed = picture?.coding === "lossy" && picture.alpha === null;
  return !isStreamed && width * height * WEBP_BYTES_PER_PX > WEBP_DECODING_BYTES_MAX;
}

const damaged = () => unreadable("The WebP's pixel data is damaged. Export the picture again.");

/** Decodes a still WebP into a raster of about the wanted size, as stored (not turned upright). */
export async function decodeWebp(
  engine: Engine,
  bytes: Uint8Array,
  webp: WebpStructure,
  wanted: Wanted,
): Promise<Result<Raster>> {
  if (webp.picture === null) return unreadable("The WebP is animated. Upload a still picture.");
  if (isWebpTooLarge(webp)) return unreadable(WEBP_TOO_LARGE);
  const factor = shrinkFactor(webp.width, webp.height, wanted);
  if (webp.picture.coding === "lossy" && webp.picture.alpha === null) {
    return decodeLossy(engine, webp.picture.colours, webp, factor);
  }
  const image = await engine.useWebpDecoder((decoder) => decoder.decode(bytes));
  if (image === null || image.width !== webp.width || image.height !== webp.height) return damaged();
  const { width, height } = image;
  const shrinker = createShrinker(width, height, factor, false);
  for (let y = 0; y < height; y++) {
    shrinker.add(y, image.data.subarray(y * width * 4, (y + 1) * width * 4), width, 0, 1);
  }
  const { isOpaque, ...shrunk } = shrinker.finish();
  return { ok: true, value: { ...shrunk, alpha: isOpaque ? "opaque" : "straight" } };
}

async function decodeLossy(
  engine: Engine,
  colours: Uint8Array,
  { width, height }: WebpStructure,
  factor: number,
): Promise<Result<Raster>> {
  const outWidth = Math.ceil(width / factor);
  const outHeight = Math.ceil(height / factor);
  const pixels = new Uint8ClampedArray(outWidth * outHeight * 4);
  const isWhole = await engine.useVp8Decoder((decoder) => {
    if (!decoder.start(colours, { width, height, factor, alpha: null })) return false;
    for (let filled = 0; filled < pixels.length; ) {
      const lines = decoder.nextLines();
      if (lines === null) return false;
      pixels.set(lines, filled);
      filled += lines.length;
    }
    return true;
  });
  if (isWhole !== true) return damaged();
  return { ok: true, value: { width: outWidth, height: outHeight, pixels, alpha: "opaque" } };
}
