import { concatUint8Arrays } from "uint8array-extras";
import type { Raster } from "../types.ts";
import { addToHistogram, createHistogram, flatColours } from "./colour-histogram.ts";
import { choosePalette, type Palette } from "./colour-quantiser.ts";
import { diffuseErrors } from "./error-diffusion.ts";
import { PALETTE_SIZES, SAME_LOOK_PSNR_DB } from "./limits.ts";
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
import { filterRows } from "./png-filter.ts";

export interface PngAttempt {
  readonly bytes: Uint8Array;
  /** Colours in the palette; null in truecolour. */
  readonly colours: number | null;
  /** Whether it has visibly fewer colours than the picture. */
  readonly isReduced: boolean;
}

/**
 * The best PNG under the cap, or the smallest acceptable one when that is over it. A full palette that looks the
 * same comes first: it is a fraction of truecolour's bytes and of the time to deflate them. Then truecolour, then
 * ever smaller palettes.
 */
export function encodePng(raster: Raster, byteCap: number | null): PngAttempt {
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  const flat = flatColours(histogram);
  const isWithinCap = ({ bytes }: PngAttempt) => byteCap === null || bytes.length <= byteCap;
  const withPalette = (palette: Palette, indices: Uint8Array, isReduced: boolean): PngAttempt => ({
    bytes: writePalette(raster.width, raster.height, indices, palette),
    colours: palette.length / 3,
    isReduced,
  });

  const [fullSize, ...smallerSizes] = PALETTE_SIZES;
  const palette = choosePalette(histogram, fullSize);
  const indices = diffuseErrors(raster, palette, flat);
  const looksSame = smoothedPsnr(raster, indices, palette) >= SAME_LOOK_PSNR_DB;
  const full = looksSame ? withPalette(palette, indices, false) : null;
  if (full !== null && isWithinCap(full)) return full;
  const truecolour = { bytes: writeTruecolour(raster), colours: null, isReduced: false };
  if (isWithinCap(truecolour)) return truecolour;

  let smallest = smallerOf(truecolour, full ?? withPalette(palette, indices, true));
  for (const size of smallerSizes) {
    if (isWithinCap(smallest)) return smallest;
    const fewer = choosePalette(histogram, size);
    smallest = smallerOf(smallest, withPalette(fewer, diffuseErrors(raster, fewer, flat), true));
  }
  return smallest;
}

const smallerOf = (left: PngAttempt, right: PngAttempt): PngAttempt =>
  right.bytes.length < left.bytes.length ? right : left;

function writeTruecolour(raster: Raster): Uint8Array {
  const { width, height } = raster;
  return concatUint8Arrays([
    PNG_SIGNATURE,
    pngHeader(width, height, "rgb"),
    PNG_SRGB,
    pngChunk("IDAT", deflate(filterRows(raster))),
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
