import type { UseCodec } from "../codec.ts";
import type { Packing } from "../raster/rgb-pixels.ts";
import type { Result, SourceRaster } from "../types.ts";
import { unreadable } from "./inspection.ts";
import { shrinkFactor, type Wanted } from "./shrink-factor.ts";
import type { WebpStructure } from "./webp-chunks.ts";
import type { WebpDecoder } from "./webp-codec.ts";

/** Decodes a still WebP row by row into a raster of about the wanted size, as stored (not turned upright). */
export async function decodeWebp(
  useDecoder: UseCodec<WebpDecoder>,
  webp: WebpStructure,
  wanted: Wanted,
  packing: Packing,
): Promise<Result<SourceRaster>> {
  const factor = shrinkFactor(webp.width, webp.height, wanted);
  const decoded = await decodeWebpByFactors(useDecoder, webp, [factor], packing);
  if (!decoded.ok) return decoded;
  const [raster] = decoded.value;
  if (raster === undefined) throw new Error("a factor gives a raster");
  return { ok: true, value: raster };
}

/**
 * `decodeWebp` for several factors of a lossy picture, whose bits are read once; a lossless picture has one factor.
 * Needs the rasters and the kernels' memory: about 2 MB per factor for a lossy picture, at most 56 MB for a lossless
 * picture or alpha plane.
 */
export async function decodeWebpByFactors(
  useDecoder: UseCodec<WebpDecoder>,
  { picture, width, height, hasAlpha }: WebpStructure,
  factors: readonly number[],
  packing: Packing,
): Promise<Result<readonly SourceRaster[]>> {
  if (picture === null) return unreadable("The WebP is animated. Upload a still picture.");
  const isRgb = packing === "rgb_if_opaque" && !hasAlpha;
  const decoded = await useDecoder((decoder) => decoder.decode(picture, { width, height, factors, isRgb }));
  if (decoded === "too_complex") {
    return unreadable("The lossless WebP is coded in more parts than any encoder makes. Save it as PNG.");
  }
  if (decoded === null || decoded === "damaged") {
    return unreadable("The WebP's pixel data is damaged. Export the picture again.");
  }
  return { ok: true, value: decoded };
}
