import { RASTER_PX_MAX } from "./limits.ts";

/** Pixels asked for, upright or as stored. */
export interface Wanted {
  readonly width: number;
  readonly height: number;
}

/** Sums of 4096 × 4096 bytes fit 32 bits, in which the kernels add up boxes. */
const FACTOR_MAX = 4096;

/**
 * Largest whole factor by which a picture shrinks and still is at least as large as wanted, and within the limit. The
 * kernels average boxes of `factor` × `factor` pixels (`kernels/box-means.ts`).
 */
export function shrinkFactor(width: number, height: number, wanted: Wanted): number {
  const fitting = Math.floor(
    Math.min(width / Math.max(1, wanted.width), height / Math.max(1, wanted.height)),
  );
  let factor = Math.min(FACTOR_MAX, Math.max(1, fitting));
  while (Math.ceil(width / factor) * Math.ceil(height / factor) > RASTER_PX_MAX) factor += 1;
  return factor;
}
