/** Bounds of this folder. A picture past them is a bug of the caller: sources are limited before decoding. */
export const RASTER_LIMITS = {
  /** Longest edge of a canvas or layer, in pixels. The service takes sizes up to 4096. */
  edgePxMax: 8_192,
  /** Pixels of one raster: 64 MB of memory. The largest canvas (4096 x 4096) fits exactly. */
  pixelsMax: 16_777_216,
  /** Widest blur, in pixels of standard deviation. Wider shadows look the same and cost memory around them. */
  blurSigmaPxMax: 256,
  /**
   * Rows that a resample holds filtered across. Past this the picture is drawn in strips of columns; the kernel then
   * takes 1 MB at most, and 0.4 MB for what packs need.
   */
  filteredBytesMax: 262_144,
} as const;
