import { type CanvasMemory, freeRaster } from "../buffers.ts";
import { failure, type Raster, type RenderFailure, type Result } from "../types.ts";
import type { Encoders } from "./encoders.ts";
import { byteCapUnreachable, EDGE_PX_MAX, JPEG_QUALITY_PREFERRED, WEBP_QUALITY_PREFERRED } from "./limits.ts";
import { type Attempt, drawJpeg, encodeJpeg, encodeWebp } from "./lossy-still.ts";
import { encodePng } from "./png.ts";

export { type AnimationShape, encodeAnimation } from "./animation.ts";

export interface EncodedStill {
  readonly bytes: Uint8Array;
  /** The lossy codec's quality, 0–100; null for PNG. */
  readonly quality: number | null;
  /** Whether quality or colours were reduced to fit the cap. */
  readonly reduced: boolean;
}

/**
 * Encodes an opaque raster as well as the cap allows. Fails with BYTE_CAP_UNREACHABLE when the file is over the cap
 * even at the lowest acceptable quality. The same raster yields the same bytes. A `spent` raster is released as soon as
 * the codec no longer needs it.
 */
export async function encodeStill(
  encoders: Encoders,
  raster: Raster,
  format: "png" | "jpg" | "webp",
  byteCap: number | null,
  use: "kept" | "spent" = "kept",
): Promise<Result<EncodedStill>> {
  if (isTooLarge(raster)) return tooLarge();
  const freeIfSpent = (): void => {
    if (use === "spent") freeRaster(raster);
  };
  if (format === "png") {
    const { bytes, isReduced } = encodePng(raster, byteCap);
    freeIfSpent();
    return withinCap({ bytes, quality: null, reduced: isReduced }, byteCap, "PNG");
  }
  if (format === "jpg") {
    const attempt = await encodeJpeg(encoders, raster, byteCap);
    freeIfSpent();
    return lossyStill(attempt, JPEG_QUALITY_PREFERRED, byteCap, "JPEG");
  }
  const attempt = await encodeWebp(encoders, raster, byteCap);
  freeIfSpent();
  return lossyStill(attempt, WEBP_QUALITY_PREFERRED, byteCap, "WebP");
}

/**
 * Encodes an opaque raster as a JPEG, at `quality` if that fits the cap. Fails as `encodeStill` does. `reduced` means
 * below `JPEG_QUALITY_PREFERRED`.
 */
export async function encodePhoto(
  encoders: Encoders,
  raster: Raster,
  quality: number,
  byteCap: number | null,
): Promise<Result<EncodedStill>> {
  const attempt = await encodeJpeg(encoders, raster, byteCap, quality);
  return lossyStill(attempt, JPEG_QUALITY_PREFERRED, byteCap, "JPEG");
}

/**
 * Draws a canvas of this size in the memory of the codec, encodes it as `encodeStill` does, and frees it. Fails as
 * `draw` and `encodeStill` do.
 */
export async function encodeDrawn<T extends { readonly canvas: Raster }>(
  encoders: Encoders,
  size: Pick<Raster, "width" | "height">,
  byteCap: number | null,
  draw: (memory: CanvasMemory) => Result<T>,
): Promise<Result<{ readonly drawn: T; readonly still: EncodedStill }>> {
  if (isTooLarge(size)) return tooLarge();
  const done = await drawJpeg(encoders, size, byteCap, draw);
  if (done !== null && !done.ok) return done;
  const still = lossyStill(done?.value.attempt ?? null, JPEG_QUALITY_PREFERRED, byteCap, "JPEG");
  if (!still.ok) return still;
  if (done === null) throw new Error("a file was made of something drawn");
  return { ok: true, value: { drawn: done.value.drawn, still: still.value } };
}

const isTooLarge = ({ width, height }: Pick<Raster, "width" | "height">): boolean =>
  width > EDGE_PX_MAX || height > EDGE_PX_MAX;

const tooLarge = (): RenderFailure =>
  failure("FORMAT_UNSUPPORTED", `No edge may pass ${EDGE_PX_MAX} pixels.`);

function lossyStill(
  attempt: Attempt | null,
  qualityPreferred: number,
  byteCap: number | null,
  format: string,
): Result<EncodedStill> {
  if (attempt === null) {
    return failure("FORMAT_UNSUPPORTED", `The picture could not be written as ${format}.`);
  }
  return withinCap({ ...attempt, reduced: attempt.quality < qualityPreferred }, byteCap, format);
}

function withinCap(still: EncodedStill, byteCap: number | null, format: string): Result<EncodedStill> {
  if (byteCap === null || still.bytes.length <= byteCap) return { ok: true, value: still };
  return byteCapUnreachable(still.bytes.length, byteCap, format);
}
