import type { UseCodec } from "../codec.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import { shrinkFactor, type Wanted } from "./shrink-factor.ts";
import type { WebpStructure } from "./webp-chunks.ts";
import type { WebpDecoder } from "./webp-codec.ts";

/** Decodes a still WebP row by row into a raster of about the wanted size, as stored (not turned upright). */
export async function decodeWebp(
  useDecoder: UseCodec<WebpDecoder>,
  webp: WebpStructure,
  wanted: Wanted,
): Promise<Result<Raster>> {
  const decoded = await decodeWebpByFactors(useDecoder, webp, [
    shrinkFactor(webp.width, webp.height, wanted),
  ]);
  if (!decoded.ok) return decoded;
  const [raster] = decoded.value;
  if (raster === undefined) throw new Error("a factor gives a raster");
  return { ok: true, value: raster };
}

/**
 * The same for several factors of a lossy picture, whose bits are read once; a lossless one takes one factor. Holds the
 * rasters and what the kernels do: 2 MB a factor for a lossy picture, at most 56 MB where anything is lossless.
 */
export async function decodeWebpByFactors(
  useDecoder: UseCodec<WebpDecoder>,
  { picture, width, height }: WebpStructure,
  factors: readonly number[],
): Promise<Result<readonly Raster[]>> {
  if (picture === null) return unreadable("The WebP is animated. Upload a still picture.");
  const decoded = await useDecoder((decoder) => decoder.decode(picture, { width, height, factors }));
  if (decoded === "too_complex") {
    return unreadable("The lossless WebP is coded in more parts than any encoder makes. Save it as PNG.");
  }
  if (decoded === null || decoded === "damaged") {
    return unreadable("The WebP's pixel data is damaged. Export the picture again.");
  }
  return {
    ok: true,
    value: decoded.pixels.map((pixels, index) => ({
      width: Math.ceil(width / (factors[index] ?? 1)),
      height: Math.ceil(height / (factors[index] ?? 1)),
      pixels,
      alpha: decoded.isOpaque ? "opaque" : "straight",
    })),
  };
}
