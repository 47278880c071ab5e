import { Unzlib } from "fflate";
import { concatUint8Arrays } from "uint8array-extras";
import type { UseCodec } from "../codec.ts";
import type { Packing } from "../raster/rgb-pixels.ts";
import type { Result, SourceRaster } from "../types.ts";
import { unreadable } from "./inspection.ts";
import { ICC_BYTES_MAX, INFLATE_STEP_BYTES } from "./limits.ts";
import type { PngStructure } from "./png-chunks.ts";
import type { PngDecoder } from "./png-codec.ts";
import { shrinkFactor, type Wanted } from "./shrink-factor.ts";

/**
 * Decodes a PNG row by row into a raster of about the wanted size, as stored (not turned upright). Needs memory for two
 * rows, the inflater's window and the raster, and for an interlaced picture a strip of sums.
 */
export async function decodePng(
  useDecoder: UseCodec<PngDecoder>,
  png: PngStructure,
  wanted: Wanted,
  packing: Packing,
): Promise<Result<SourceRaster>> {
  const factor = shrinkFactor(png.width, png.height, wanted);
  const isRgb = packing === "rgb_if_opaque" && !mayHaveAlpha(png);
  const decoded = await useDecoder((decoder) => decoder.decode(png, factor, isRgb));
  if (decoded === null || decoded === "broken")
    return unreadable("The PNG's pixel data is damaged. Export the picture again.");
  if (decoded === "short")
    return unreadable("The PNG ends before its last row. Upload the whole file again.");
  return { ok: true, value: decoded };
}

/** Of the colour types, 4 and 6 have an alpha channel. */
const mayHaveAlpha = ({ colourType, transparency }: PngStructure): boolean =>
  transparency !== null || colourType === 4 || colourType === 6;

/** Inflates the ICC profile of a PNG; empty when it is damaged or larger than any profile. Null without one. */
export function pngProfile(png: PngStructure): Uint8Array | null {
  if (png.icc === null) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  const inflater = new Unzlib((chunk) => {
    parts.push(chunk);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < png.icc.length && length <= ICC_BYTES_MAX; at += INFLATE_STEP_BYTES) {
      inflater.push(png.icc.subarray(at, at + INFLATE_STEP_BYTES), false);
    }
    if (length <= ICC_BYTES_MAX) inflater.push(new Uint8Array(0), true);
  } catch {
    return new Uint8Array(0);
  }
  return length > ICC_BYTES_MAX ? new Uint8Array(0) : concatUint8Arrays(parts);
}
