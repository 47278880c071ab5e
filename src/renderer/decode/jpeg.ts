import type { UseCodec } from "../codec.ts";
import type { Packing } from "../raster/rgb-pixels.ts";
import type { Raster, Result, SourceRaster } from "../types.ts";
import { createOrientedRows } from "./exif-orientation.ts";
import { unreadable } from "./inspection.ts";
import type { JpegColours, JpegDecoder } from "./jpeg-codec.ts";
import type { JpegStructure } from "./jpeg-markers.ts";
import { planJpeg } from "./jpeg-plan.ts";
import { JPEG_SCANS_MAX } from "./limits.ts";
import type { Wanted } from "./shrink-factor.ts";

/** The four bytes of a pixel are cyan, magenta, yellow and black, 0 for no ink. */
interface CmykRaster {
  readonly raster: Raster;
  readonly colours: "cmyk";
}

export type JpegRaster = CmykRaster | { readonly raster: SourceRaster; readonly colours: "rgb" };

/**
 * Decodes a JPEG into an upright raster of about the wanted size, which is given as stored, before orientation. The
 * inverse DCT scales by 1/2, 1/4 or 1/8; box means do the rest.
 */
export async function decodeJpeg(
  useDecoder: UseCodec<JpegDecoder>,
  jpeg: JpegStructure,
  wanted: Wanted,
  packing: Packing = "rgba",
): Promise<Result<JpegRaster>> {
  if (jpeg.scans > JPEG_SCANS_MAX)
    return unreadable("The JPEG has more scans than any camera or editor makes.");
  const plan = planJpeg(jpeg, wanted);
  const colours = coloursOf(jpeg);
  const isCmyk = jpeg.components.length === 4;
  const isRgb = packing === "rgb_if_opaque" && !isCmyk;
  const rows = createOrientedRows(plan.width, plan.height, jpeg.orientation, isRgb);
  const isWhole = await useDecoder((decoder) => decoder.decode(jpeg, plan, colours, rows));
  if (!isWhole) return unreadable("The JPEG's pixel data is damaged. Export the picture again.");
  const { raster } = rows;
  const value: JpegRaster =
    isCmyk && !("rgb" in raster) ? { raster, colours: "cmyk" } : { raster, colours: "rgb" };
  return { ok: true, value };
}

/**
 * As in the JPEG Group's library: JFIF is YCbCr, APP14 declares the transform, otherwise component ids may spell RGB.
 */
function coloursOf({ components, isJfif, adobeTransform }: JpegStructure): JpegColours {
  if (components.length === 1) return "grey";
  if (components.length === 4) {
    if (adobeTransform === null) return "cmyk";
    return adobeTransform === 2 ? "ycck" : "invertedCmyk";
  }
  if (isJfif) return "ycc";
  if (adobeTransform !== null) return adobeTransform === 0 ? "rgb" : "ycc";
  const names = String.fromCharCode(...components.map(({ id }) => id));
  return names === "RGB" ? "rgb" : "ycc";
}
