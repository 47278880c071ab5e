import { RASTER_PX_MAX } from "./limits.ts";
import { findSizeExcess } from "./size-limit.ts";

/** Wanted size in pixels, upright or as stored. */
export interface Wanted {
  readonly width: number;
  readonly height: number;
  /** Limits the raster to what the service accepts as a file, instead of to the decoder's usual limit. */
  readonly isForFile?: boolean;
}

/** The largest raster that the service accepts as a file. */
export const FOR_FILE: Wanted = {
  width: Number.POSITIVE_INFINITY,
  height: Number.POSITIVE_INFINITY,
  isForFile: true,
};

/** Whether a raster of this size is larger than a decoder may return. */
export const exceedsRasterLimit = (width: number, height: number, { isForFile = false }: Wanted): boolean =>
  isForFile ? findSizeExcess(width, height) !== null : width * height > RASTER_PX_MAX;

/** Sums of 4096 × 4096 bytes fit the 32 bits of the kernels' box sums. */
const FACTOR_MAX = 4096;

/**
 * Largest whole factor at which the shrunk picture is at least as large as wanted, or a larger one if the raster would
 * exceed its limit. The kernels average boxes of `factor` × `factor` pixels (`kernels/box-means.ts`).
 */
export function shrinkFactor(width: number, height: number, wanted: Wanted): number {
  const fitting = Math.floor(
    Math.min(width / Math.max(1, wanted.width), height / Math.max(1, wanted.height)),
  );
  let factor = Math.min(FACTOR_MAX, Math.max(1, fitting));
  while (exceedsRasterLimit(Math.ceil(width / factor), Math.ceil(height / factor), wanted)) factor += 1;
  return factor;
}
