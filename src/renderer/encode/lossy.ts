import type { Raster } from "../types.ts";
import { hasColourEdges } from "./chroma.ts";
import type { Encoders } from "./encoders.ts";
import type { JpegOptions } from "./jpeg-codec.ts";
import {
  FULL_CHROMA_QUALITY_MIN,
  JPEG_QUALITY_MIN,
  JPEG_QUALITY_PREFERRED,
  WEBP_QUALITY_MIN,
  WEBP_QUALITY_PREFERRED,
} from "./limits.ts";
import { type Attempt, searchQuality } from "./quality-search.ts";

const WEBP_EFFORT = 4;

/**
 * The best JPEG under the cap, or the smallest acceptable one when that is over it. Null when the codec fails.
 * What fits at the preferred quality is written in one pass over the picture; only what does not is worth the time
 * of scans that save bytes. `spent` is called when the codec has the picture: a canvas need not be held beside it.
 */
export async function encodeJpeg(
  encoders: Encoders,
  raster: Raster,
  byteCap: number | null,
  spent: () => void,
): Promise<Attempt | null> {
  const isEdged = hasColourEdges(raster);
  return encoders.useJpegEncoder((encoder) =>
    encoder.withPicture(raster, (encode) => {
      spent();
      const encodeAt = (quality: number, order: JpegOptions["order"]): Uint8Array => {
        const chroma = isEdged && quality >= FULL_CHROMA_QUALITY_MIN ? "4:4:4" : "4:2:0";
        return encode({ quality, chroma, order });
      };
      const preferred = encodeAt(JPEG_QUALITY_PREFERRED, "sequential");
      if (byteCap === null || preferred.length <= byteCap) {
        return { quality: JPEG_QUALITY_PREFERRED, bytes: preferred };
      }
      return searchQuality(
        (quality) => encodeAt(quality, "progressive"),
        { min: JPEG_QUALITY_MIN, preferred: JPEG_QUALITY_PREFERRED },
        byteCap,
      );
    }),
  );
}

/** The best lossy WebP under the cap, or the smallest acceptable one when that is over it. Null when the codec fails. */
export async function encodeWebp(
  encoders: Encoders,
  raster: Raster,
  byteCap: number | null,
): Promise<Attempt | null> {
  return encoders.useWebpEncoder((encoder) =>
    searchQuality(
      (quality) => encoder.encode(raster, { quality, effort: WEBP_EFFORT }),
      { min: WEBP_QUALITY_MIN, preferred: WEBP_QUALITY_PREFERRED },
      byteCap,
    ),
  );
}
