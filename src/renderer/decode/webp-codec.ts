import type { Codec } from "../codec.ts";
import { createRasterBuilder, type RasterBuilder } from "../raster/rgb-pixels.ts";
import type { SourceRaster } from "../types.ts";
import { createVp8Decoder, type Vp8Decoder } from "./vp8-codec.ts";
import { createVp8lDecoder, type Vp8lDecoder } from "./vp8l-codec.ts";
import type { WebpPicture } from "./webp-chunks.ts";

export interface WebpSize {
  readonly width: number;
  readonly height: number;
  /** For each factor, boxes of `factor` × `factor` pixels are averaged; a lossless picture has one factor. */
  readonly factors: readonly number[];
  /** Whether rasters are RGB, which only a picture without alpha may request; otherwise they are straight RGBA. */
  readonly isRgb: boolean;
}

/** `too_complex`: the file's prefix code tables exceed their limit. */
export type WebpFault = "damaged" | "too_complex";

export interface WebpDecoder extends Codec {
  /** For each factor a raster of `ceil(width / factor)` × `ceil(height / factor)` pixels. */
  decode(picture: WebpPicture, size: WebpSize): readonly SourceRaster[] | WebpFault;
}

/**
 * Maximum number of rows per call, small enough that the rows are still in the processor's cache when they are copied.
 */
const ROWS_AT_ONCE = 16;

/**
 * Combines the two kernels in one decoder, because colours and alpha of a lossy picture are decoded together. Each
 * kernel is created when it is first needed.
 */
export function createWebpDecoder(lossy: WebAssembly.Module, lossless: WebAssembly.Module): WebpDecoder {
  let vp8: Vp8Decoder | null = null;
  let vp8l: Vp8lDecoder | null = null;

  const decodeLossless = (body: Uint8Array, size: WebpSize): readonly SourceRaster[] | WebpFault => {
    vp8l ??= createVp8lDecoder(lossless);
    const decoder = vp8l;
    const [factor, ...more] = size.factors;
    if (factor === undefined || more.length > 0)
      throw new Error("a lossless picture is decoded at one factor");
    const start = decoder.start(body, size.width, size.height, factor);
    if (start !== "ready") return start;
    const kept = collect(size, () => {
      const rows = decoder.nextRows(ROWS_AT_ONCE);
      return rows === null ? null : [rows];
    });
    return kept === null ? "damaged" : rastersOf(kept, decoder.isOpaque());
  };

  const decodeLossy = (
    colours: Uint8Array,
    alpha: Uint8Array | null,
    size: WebpSize,
  ): readonly SourceRaster[] | WebpFault => {
    vp8 ??= createVp8Decoder(lossy);
    const decoder = vp8;
    if (alpha !== null) {
      vp8l ??= createVp8lDecoder(lossless);
      const start = vp8l.startAlpha(alpha, size.width, size.height);
      if (start !== "ready") return start;
    }
    if (!decoder.start(colours, { ...size, alpha: alpha === null ? null : vp8l })) return "damaged";
    const kept = collect(size, () => decoder.nextLines());
    return kept === null ? "damaged" : rastersOf(kept, alpha === null || decoder.isOpaque());
  };

  return {
    memoryBytes: () => (vp8?.memoryBytes() ?? 0) + (vp8l?.memoryBytes() ?? 0),
    decode: (picture, size) =>
      picture.coding === "lossy"
        ? decodeLossy(picture.colours, picture.alpha, size)
        : decodeLossless(picture.body, size),
  };
}

/** Copies rows out of the kernels into one picture per factor, until all are complete. Null when the rows end early. */
function collect(
  { width, height, factors, isRgb }: WebpSize,
  next: () => readonly Uint8Array[] | null,
): readonly RasterBuilder[] | null {
  const pictures = factors.map((factor) =>
    createRasterBuilder(Math.ceil(width / factor), Math.ceil(height / factor), isRgb),
  );
  while (pictures.some((picture) => !picture.isWhole())) {
    const rows = next();
    if (rows === null) return null;
    for (const [index, picture] of pictures.entries()) {
      const some = rows[index];
      if (some !== undefined) picture.add(some);
    }
  }
  return pictures;
}

const rastersOf = (pictures: readonly RasterBuilder[], isOpaque: boolean): readonly SourceRaster[] =>
  pictures.map((picture) => picture.raster(isOpaque ? "opaque" : "straight"));
