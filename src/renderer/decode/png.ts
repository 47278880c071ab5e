import { Unzlib } from "fflate";
import { concatUint8Arrays } from "uint8array-extras";
import type { UseCodec } from "../codec.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import { ICC_BYTES_MAX, INFLATE_STEP_BYTES } from "./limits.ts";
import type { PngStructure } from "./png-chunks.ts";
import type { PngDecoder } from "./png-codec.ts";
import { shrinkFactor, type Wanted } from "./shrink-factor.ts";

/**
 * Decodes a PNG row by row into a raster of about the wanted size, as stored (not turned upright).
 * Holds two rows, the inflater's window and the raster; of an interlaced picture also a strip of sums.
 */
export async function decodePng(
  useDecoder: UseCodec<PngDecoder>,
  png: PngStructure,
  wanted: Wanted,
): Promise<Result<Raster>> {
  const factor = shrinkFactor(png.width, png.height, wanted);
  const decoded = await useDecoder((decoder) => decoder.decode(png, factor));
  if (decoded === null || decoded === "broken")
    return unreadable("The PNG's pixel data is damaged. Export the picture again.");
  if (decoded === "short")
    return unreadable("The PNG ends before its last row. Upload the whole file again.");
  const { pixels, isOpaque } = decoded;
  const [width, height] = [Math.ceil(png.width / factor), Math.ceil(png.height / factor)];
  return { ok: true, value: { width, height, pixels, alpha: isOpaque ? "opaque" : "straight" } };
}

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
