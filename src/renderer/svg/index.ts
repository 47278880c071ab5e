import type { UseCodec } from "../codec.ts";
import { failure, type Raster, type Result } from "../types.ts";
import type { SvgRasteriser } from "./resvg-codec.ts";
import { type SafeSvg, sanitiseSvg } from "./sanitise.ts";

/** Reads untrusted bytes as an SVG that is safe to draw. */
export function readSvg(bytes: Uint8Array): Result<SafeSvg> {
  const read = sanitiseSvg(bytes);
  if (read.ok) return read;
  return {
    ok: false,
    code: read.code === "EMPTY" ? "ASSET_EMPTY" : "ASSET_UNREADABLE",
    message: read.message,
  };
}

export interface SvgRasterisers {
  readonly useSvgRasteriser: UseCodec<SvgRasteriser>;
}

/**
 * Draws an SVG on exactly `width` × `height` pixels, premultiplied. Their number must be at most `svg.pixelsMax`, which
 * is never more than 4 megapixels.
 */
export async function rasteriseSvg(
  { useSvgRasteriser }: SvgRasterisers,
  svg: SafeSvg,
  width: number,
  height: number,
): Promise<Result<Raster>> {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) {
    throw new RangeError(`an SVG is drawn in whole pixels, not ${width} × ${height}`);
  }
  if (width * height > svg.pixelsMax) {
    return failure("ASSET_UNREADABLE", `The SVG would be drawn larger than ${svg.pixelsMax} pixels.`);
  }
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="${svg.viewBox.join(" ")}" preserveAspectRatio="none">${svg.content}</svg>`;
  const raster = await useSvgRasteriser((rasteriser) => rasteriser.draw(markup, width, height));
  if (raster === null) {
    return failure("ASSET_UNREADABLE", "The SVG cannot be drawn. Export it again as plain SVG.");
  }
  return { ok: true, value: raster };
}
