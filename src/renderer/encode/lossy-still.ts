import type { Raster } from "../types.ts";
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

/** Difference of two neighbours' colours, brightness aside, that halved colour would visibly smear. */
const EDGE_STEP = 48;
/** Share of neighbours with such a step from which colour is kept at full resolution: a line of coloured text has more. */
const EDGE_SHARE_MIN = 1 / 250;

/** Whether a picture has hard coloured edges, such as text, logos and buttons have and photographs have not. */
function hasColourEdges({ width, height, pixels }: Raster): boolean {
  const most = width * height * EDGE_SHARE_MIN;
  let edges = 0;
  for (let y = 0; y < height && edges <= most; y++) {
    const start = y * width * 4;
    const end = start + width * 4;
    let redBefore = (pixels[start] ?? 0) - (pixels[start + 1] ?? 0);
    let blueBefore = (pixels[start + 2] ?? 0) - (pixels[start + 1] ?? 0);
    for (let at = start + 4; at < end; at += 4) {
      const green = pixels[at + 1] ?? 0;
      const red = (pixels[at] ?? 0) - green;
      const blue = (pixels[at + 2] ?? 0) - green;
      if (Math.abs(red - redBefore) + Math.abs(blue - blueBefore) > EDGE_STEP) edges += 1;
      redBefore = red;
      blueBefore = blue;
    }
  }
  return edges > most;
}
