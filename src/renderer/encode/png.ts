import { concatUint8Arrays } from "uint8array-extras";
import type { Raster } from "../types.ts";
import { addToHistogram, createHistogram, flatColours } from "./colour-histogram.ts";
import { choosePalette, type Palette } from "./colour-quantiser.ts";
import { diffuseErrors } from "./error-diffusion.ts";
import { PALETTE_SIZES, SAME_LOOK_PSNR_DB, SMALL_TRUECOLOUR_SHARE_MIN } from "./limits.ts";
import { smoothedPsnr } from "./palette-psnr.ts";
import {
  deflate,
  indexDepth,
  PNG_END,
  PNG_SIGNATURE,
  PNG_SRGB,
  packIndices,
  pngChunk,
  pngHeader,
} from "./png-chunk-writer.ts";
import { deflateTruecolour } from "./png-filter.ts";

export interface PngAttempt {
  readonly bytes: Uint8Array;
  /** Whether it has visibly fewer colours than the picture. */
  readonly isReduced: boolean;
}

/**
 * The best PNG under the cap, or the smallest acceptable one when that is over it. Without loss where that fits, in
 * truecolour or in a palette of all the picture's colours; else dithered, in as many colours as fit.
 */
export function encodePng(raster: Raster, byteCap: number | null): PngAttempt {
  const isWithinCap = ({ bytes }: PngAttempt) => byteCap === null || bytes.length <= byteCap;
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const flat = flatColours(histogram);
  const inColours = (size: number): PngAttempt => {
    const palette = choosePalette(histogram, size);
    const indices = diffuseErrors(raster, palette, flat);
    const isReduced = size < PALETTE_SIZES[0] || smoothedPsnr(raster, indices, palette) < SAME_LOOK_PSNR_DB;
    return { bytes: writePalette(raster.width, raster.height, indices, palette), isReduced };
  };

  let smallest: PngAttempt = { bytes: writeTruecolour(raster, "quick"), isReduced: false };
  const areColoursFew = histogram.exact !== null && histogram.exact.size <= PALETTE_SIZES[0];
  if (areColoursFew) smallest = smallerOf(smallest, inColours(PALETTE_SIZES[0]));
  if (isWithinCap(smallest)) return smallest;
  if (smallest.bytes.length * SMALL_TRUECOLOUR_SHARE_MIN <= (byteCap ?? 0)) {
    smallest = smallerOf(smallest, { bytes: writeTruecolour(raster, "small"), isReduced: false });
  }
  for (const size of PALETTE_SIZES) {
    if (isWithinCap(smallest)) return smallest;
    smallest = smallerOf(smallest, inColours(size));
  }
  return smallest;
}

const smallerOf = (left: PngAttempt, right: PngAttempt): PngAttempt =>
  right.bytes.length < left.bytes.length ? right : left;

/** A PNG without loss of a picture whose alpha is straight. */
export const encodeTransparentPng = (raster: Raster): Uint8Array => writeTruecolour(raster, "small");

function writeTruecolour(raster: Raster, effort: "quick" | "small"): Uint8Array {
  const { width, height } = raster;
  return concatUint8Arrays([
    PNG_SIGNATURE,
    pngHeader(width, height, raster.alpha === "opaque" ? "rgb" : "rgba"),
    PNG_SRGB,
    pngChunk("IDAT", deflateTruecolour(raster, effort)),
    PNG_END,
  ]);
}

function writePalette(width: number, height: number, indices: Uint8Array, palette: Palette): Uint8Array {
  const depth = indexDepth(palette.length / 3);
  return concatUint8Arrays([
    PNG_SIGNATURE,
    pngHeader(width, height, depth),
    PNG_SRGB,
    pngChunk("PLTE", palette),
    pngChunk("IDAT", deflate(packIndices(indices, width, height, depth))),
    PNG_END,
  ]);
}
