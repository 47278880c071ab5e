/** Bounds of this folder. A picture past them is a bug in the caller: sources are limited before decoding. */
export const RASTER_LIMITS = {
  /** Longest edge of a canvas or layer, in pixels. The service takes sizes up to 4096. */
  edgePxMax: 8_192,
  /** Pixels of one raster: 64 MB of memory. The largest canvas (4096 x 4096) fits exactly. */
  pixelsMax: 16_777_216,
  /** Widest blur: its standard deviation in pixels. Wider shadows look the same and take more memory. */
  blurSigmaPxMax: 256,
  /**
   * Bytes of the rows that are held between the horizontal and the vertical filter. A larger picture is drawn in strips
   * of columns. The kernel then takes at most 1 MB, and 0.4 MB for the sizes of packs.
   */
  filteredBytesMax: 262_144,
} as const;
