import { freeRaster } from "../buffers.ts";
import type { Raster, Result } from "../types.ts";
import { byteCapUnreachable } from "./byte-cap.ts";
import type { Encoders } from "./encoders.ts";
import { EDGE_PX_MAX, JPEG_QUALITY_PREFERRED, WEBP_QUALITY_PREFERRED } from "./limits.ts";
import { encodeJpeg, encodeWebp } from "./lossy-still.ts";
import { encodePng } from "./png.ts";
import type { Attempt } from "./quality-search.ts";

export { type AnimationShape, encodeAnimation } from "./animation.ts";

export interface EncodedStill {
  readonly bytes: Uint8Array;
  /** Of the lossy codec, 0–100; null for PNG. */
  readonly quality: number | null;
  /** Whether the cap forced it under the preferred quality. */
  readonly reduced: boolean;
}

/**
 * Encodes an opaque raster as well as the cap allows. Fails with BYTE_CAP_UNREACHABLE when the lowest
 * acceptable quality is still over it. The same raster gives the same bytes. A raster that is `spent` is released as
 * soon as the codec can do without it.
 */
export async function encodeStill(
  encoders: Encoders,
  raster: Raster,
  format: "png" | "jpg" | "webp",
  byteCap: number | null,
  use: "kept" | "spent" = "kept",
): Promise<Result<EncodedStill>> {
  if (raster.width > EDGE_PX_MAX || raster.height > EDGE_PX_MAX) {
    return { ok: false, code: "FORMAT_UNSUPPORTED", message: `No edge may pass ${EDGE_PX_MAX} pixels.` };
  }
  const letGo = (): void => {
    if (use === "spent") freeRaster(raster);
  };
  if (format === "png") {
    const { bytes, isReduced } = encodePng(raster, byteCap);
    letGo();
    return withinCap({ bytes, quality: null, reduced: isReduced }, byteCap, "PNG");
  }
  if (format === "jpg") {
    const attempt = await encodeJpeg(encoders, raster, byteCap, letGo);
    return lossyStill(attempt, JPEG_QUALITY_PREFERRED, byteCap, "JPEG");
  }
  const attempt = await encodeWebp(encoders, raster, byteCap);
  letGo();
  return lossyStill(attempt, WEBP_QUALITY_PREFERRED, byteCap, "WebP");
}

function lossyStill(
  attempt: Attempt | null,
  qualityPreferred: number,
  byteCap: number | null,
  format: string,
): Result<EncodedStill> {
  if (attempt === null) {
    return {
      ok: false,
      code: "FORMAT_UNSUPPORTED",
      message: `The picture could not be written as ${format}.`,
    };
  }
  return withinCap({ ...attempt, reduced: attempt.quality < qualityPreferred }, byteCap, format);
}

function withinCap(still: EncodedStill, byteCap: number | null, format: string): Result<EncodedStill> {
  if (byteCap === null || still.bytes.length <= byteCap) return { ok: true, value: still };
  return byteCapUnreachable(still.bytes.length, byteCap, format);
}
