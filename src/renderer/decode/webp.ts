import type { UseCodec } from "../codec.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import { shrinkFactor, type Wanted } from "./shrink.ts";
import type { WebpStructure } from "./webp-chunks.ts";
import type { WebpDecoder } from "./webp-codec.ts";

/**
 * Decodes a still WebP row by row into a raster of about the wanted size, as stored (not turned upright). Holds the
 * raster and what the kernels do: 2 MB for a lossy picture, at most 56 MB where anything is lossless.
 */
export async function decodeWebp(
  useDecoder: UseCodec<WebpDecoder>,
  { picture, width, height }: WebpStructure,
  wanted: Wanted,
): Promise<Result<Raster>> {
  if (picture === null) return unreadable("The WebP is animated. Upload a still picture.");
  const factor = shrinkFactor(width, height, wanted);
  const decoded = await useDecoder((decoder) => decoder.decode(picture, { width, height, factor }));
  if (decoded === "too_complex") {
    return unreadable("The lossless WebP is coded in more parts than any encoder makes. Save it as PNG.");
  }
  if (decoded === null || decoded === "damaged") {
    return unreadable("The WebP's pixel data is damaged. Export the picture again.");
  }
  return {
    ok: true,
    value: {
      width: Math.ceil(width / factor),
      height: Math.ceil(height / factor),
      pixels: decoded.pixels,
      alpha: decoded.isOpaque ? "opaque" : "straight",
    },
  };
}
