/** Limits of the decoders, each with its reason. File size is limited earlier (25 MB). */

/** Longest accepted edge, in pixels, as documented in the API. */
export const EDGE_PX_MAX = 8192;

/** Largest accepted area, in pixels, as documented in the API. */
export const AREA_PX_MAX = 48_000_000;

/** Largest picture, in pixels, that the browser reduces before upload. Phone cameras have up to 200 megapixels. */
export const REDUCIBLE_PX_MAX = 200_000_000;

/**
 * Largest raster that a decoder returns. 8 MP is 32 MB of RGBA, one picture's share of an isolate's 128 MB; requests
 * for more get a smaller raster.
 */
export const RASTER_PX_MAX = 8_388_608;

/**
 * Maximum bytes of a JPEG's buffered coefficients, including 64 bits a block that record which of them are not zero. A
 * picture that would need more is decoded at half the size. 8 MP at full size in 4:4:4 need nearly all of these bytes;
 * 48 MP at a quarter of the size need 36 MB, in 4:2:0 27 MB.
 */
export const JPEG_COEFFICIENT_BYTES_MAX = 54_000_000;

/** Maximum number of scans of a JPEG. Encoders write about 10. */
export const JPEG_SCANS_MAX = 64;

/** Maximum bytes of an inflated ICC profile. Display profiles are about 3 KB, press profiles up to 3 MB. */
export const ICC_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Maximum number of chunks, segments or tables read from one file. Bounds the time that a file of empty chunks takes.
 */
export const PARTS_MAX = 65_536;

/** Compressed bytes inflated at a time: deflate expands at most 1032 times, so a step yields at most 8 MB. */
export const INFLATE_STEP_BYTES = 8192;

/**
 * Maximum bytes of the sums for averaging an interlaced PNG: 8 bytes for each pixel of the small picture. A picture
 * that needs more is decoded several times, a strip at a time.
 */
export const PNG_STRIP_BYTES_MAX = 32 * 1024 * 1024;
