import { type CanvasMemory, freeRaster, lender } from "../buffers.ts";
import type { Raster, Result } from "../types.ts";
import { colourSteps } from "./colour-edges.ts";
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

/** The best JPEG under the cap, or the smallest acceptable one when that is over it. Null when the codec fails. */
export function encodeJpeg(
  encoders: Encoders,
  raster: Raster,
  byteCap: number | null,
  preferred = JPEG_QUALITY_PREFERRED,
): Promise<Attempt | null> {
  const isStepped = colourSteps(raster) !== "nowhere";
  return encoders.useJpegEncoder((encoder) =>
    encoder.withPicture(raster.width, raster.height, (pixels, encode) => {
      pixels.set(raster.pixels);
      return searchJpeg(encode, isStepped, byteCap, preferred);
    }),
  );
}

/** A canvas that was drawn to be encoded, freed by now, and its file; a codec that fails leaves no file. */
export interface DrawnJpeg<T> {
  readonly drawn: T;
  readonly attempt: Attempt | null;
}

/**
 * As `encodeJpeg`, of a canvas that `draw` draws in the codec's own memory, where it takes the canvas from what it is
 * given: then no second one is held beside the codec's. Frees the canvas. Fails as `draw` does, and throws what it throws;
 * null when the codec fails.
 */
export async function drawJpeg<T extends { readonly canvas: Raster }>(
  encoders: Encoders,
  { width, height }: Pick<Raster, "width" | "height">,
  byteCap: number | null,
  draw: (memory: CanvasMemory) => Result<T>,
): Promise<Result<DrawnJpeg<T>> | null> {
  const done = await encoders.useJpegEncoder((encoder) =>
    encoder.withPicture(width, height, (pixels, encode): Result<DrawnJpeg<T>> | { readonly bug: unknown } => {
      let drawn: Result<T>;
      try {
        drawn = draw(lender(pixels));
      } catch (bug) {
        // Must not pass for a failure of the codec.
        return { bug };
      }
      if (!drawn.ok) return drawn;
      const { canvas } = drawn.value;
      const isStepped = colourSteps(canvas) !== "nowhere";
      if (canvas.pixels !== pixels) pixels.set(canvas.pixels);
      freeRaster(canvas);
      return {
        ok: true,
        value: {
          drawn: drawn.value,
          attempt: searchJpeg(encode, isStepped, byteCap, JPEG_QUALITY_PREFERRED),
        },
      };
    }),
  );
  if (done !== null && "bug" in done) throw done.bug;
  return done;
}

/**
 * What fits at the preferred quality is written in one pass over the picture; only what does not is worth the time of
 * scans that save bytes.
 */
function searchJpeg(
  encode: (options: JpegOptions) => Uint8Array,
  isStepped: boolean,
  byteCap: number | null,
  preferred: number,
): Attempt | null {
  const encodeAt = (quality: number, order: JpegOptions["order"]): Uint8Array => {
    const isFull = quality > JPEG_QUALITY_PREFERRED || (isStepped && quality >= FULL_CHROMA_QUALITY_MIN);
    const chroma = isFull ? "4:4:4" : "4:2:0";
    return encode({ quality, chroma, order });
  };
  const best = encodeAt(preferred, "sequential");
  if (byteCap === null || best.length <= byteCap) return { quality: preferred, bytes: best };
  return searchQuality(
    (quality) => encodeAt(quality, "progressive"),
    { min: JPEG_QUALITY_MIN, preferred },
    byteCap,
  );
}

/** The best lossy WebP under the cap, or the smallest acceptable one when that is over it. Null when the codec fails. */
export async function encodeWebp(
  encoders: Encoders,
  raster: Raster,
  byteCap: number | null,
): Promise<Attempt | null> {
  const isEdged = colourSteps(raster) === "edges";
  return encoders.useWebpEncoder((encoder) =>
    searchQuality(
      (quality) => encoder.encode(raster, { quality, effort: WEBP_EFFORT, isEdged }),
      { min: WEBP_QUALITY_MIN, preferred: WEBP_QUALITY_PREFERRED },
      byteCap,
    ),
  );
}
