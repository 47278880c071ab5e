import { joinBytes } from "../join-bytes.ts";
import type { Raster } from "../types.ts";
import { diffuse } from "./diffuse.ts";
import { addToHistogram, createHistogram, flatColours } from "./histogram.ts";
import { likenessDecibels } from "./likeness.ts";
import { PALETTE_SIZES, SAME_LOOK_DECIBELS } from "./limits.ts";
import { choosePalette, type Palette } from "./palette.ts";
import { filterRows } from "./png-filter.ts";
import {
  deflate,
  indexDepth,
  PNG_END,
  PNG_SIGNATURE,
  PNG_SRGB,
  packIndices,
  pngChunk,
  pngHeader,
} from "./png-writer.ts";

export interface PngAttempt {
  readonly bytes: Uint8Array;
  /** Colours in the palette; null in truecolour. */
  readonly colours: number | null;
  /** Whether it has visibly fewer colours than the picture. */
  readonly isReduced: boolean;
}

/**
 * The best PNG under the cap, or the smallest acceptable one when that is over it: the smaller of truecolour
 * and a palette that looks the same, else ever smaller palettes.
 */
export function encodePng(raster: Raster, byteCap: number | null): PngAttempt {
  const histogram = createHistogram();
  addToHistogram(histogram, raster);
  let smallest: PngAttempt = { bytes: writeTruecolour(raster), colours: null, isReduced: false };
  for (const size of PALETTE_SIZES) {
    const palette = choosePalette(histogram, size);
    const indices = diffuse(raster, palette, flatColours(histogram));
    const looksSame =
      size === PALETTE_SIZES[0] && likenessDecibels(raster, indices, palette) >= SAME_LOOK_DECIBELS;
    const isWithinCap = byteCap === null || smallest.bytes.length <= byteCap;
    if (isWithinCap && !looksSame) return smallest;
    const bytes = writePalette(raster.width, raster.height, indices, palette);
    if (bytes.length < smallest.bytes.length) {
      smallest = { bytes, colours: palette.length / 3, isReduced: !looksSame };
    }
    if (byteCap === null || smallest.bytes.length <= byteCap) return smallest;
  }
  return smallest;
}

function writeTruecolour(raster: Raster): Uint8Array {
  const { width, height } = raster;
  return joinBytes([
    PNG_SIGNATURE,
    pngHeader(width, height, "rgb"),
    PNG_SRGB,
    pngChunk("IDAT", deflate(filterRows(raster))),
    PNG_END,
  ]);
}

function writePalette(width: number, height: number, indices: Uint8Array, palette: Palette): Uint8Array {
  const depth = indexDepth(palette.length / 3);
  return joinBytes([
    PNG_SIGNATURE,
    pngHeader(width, height, depth),
    PNG_SRGB,
    pngChunk("PLTE", palette),
    pngChunk("IDAT", deflate(packIndices(indices, width, height, depth))),
    PNG_END,
  ]);
}
